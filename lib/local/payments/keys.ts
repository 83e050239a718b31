/** What callers and webhooks are known by: made up once for a directory. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { JsonFile } from "../service-kit/json-file.ts";

/** What the payments secret of a laptop holds. */
export interface PaymentKeys {
  readonly apiKey: string;
  /** Of the webhook's signatures. */
  readonly webhookSecret: string;
}

/** A new id of the provider's: nobody guesses it. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(24).toString("hex")}`;

/** @param directory absent: new ones each time */
export async function openKeys(directory: string | undefined): Promise<PaymentKeys> {
  const file = new JsonFile(directory && join(directory, "keys.json"));
  const kept = file.read() as PaymentKeys | undefined;
  if (kept) return kept;
  const made = { apiKey: newId("sk_test_local"), webhookSecret: newId("whsec") };
  await file.write(() => made);
  return made;
}
