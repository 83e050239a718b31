/** The keys of callers and of the webhook, generated once for a directory. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { JsonFile } from "../service-kit/json-file.ts";

/** The content of the laptop's payments secret. */
export interface PaymentKeys {
  readonly apiKey: string;
  /** The secret of the webhook's signatures. */
  readonly webhookSecret: string;
}

/** A new id in the provider's form, impossible to guess. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(24).toString("hex")}`;

/** @param directory absent: new keys at every start */
export function openKeys(directory: string | undefined): PaymentKeys {
  const file = new JsonFile(directory && join(directory, "keys.json"));
  const kept = file.read() as PaymentKeys | undefined;
  if (kept) return kept;
  const made = { apiKey: newId("sk_test_local"), webhookSecret: newId("whsec") };
  file.write(() => made);
  return made;
}
