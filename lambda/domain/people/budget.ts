/**
 * How often a person may ask for what reads much: exports, plans, deletions, the audit (`docs/contract.md`, `TOO_OFTEN`).
 * Each has a budget of their own. A limit of the gateway would count requests before it knows the caller, so those of
 * strangers too, and all callers together. A refused request costs no more than one that is answered with an account.
 * https://repost.aws/questions/QUB-bdxno6Trihvft3QfYcfg/client-api-throttling-in-api-gateway
 */

import { createHmac } from "node:crypto";
import { TooOften } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { hour, hourOf, hourText } from "#kit/text/time.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { countUp } from "./hourly-count.ts";

/** A person needs three. An admin may read months of the audit, or delete those who have left the club. */
const perHour = { person: 30, admin: 1_000 };

/** A person, or the bearer of the link to a person's export, who spends nothing of the person's own. */
export interface Spender {
  readonly email: string;
  readonly isAdmin: boolean;
  readonly isBearer?: boolean;
}

/** A keyed hash, so that the count names no person and needs no place in a person's export. */
const hashOf = ({ email, isBearer }: Spender, key: string): string =>
  createHmac("sha256", key)
    .update(`budget v1 ${isBearer ? "link" : "caller"} ${email}`)
    .digest("base64url");

/**
 * Counts one request.
 * @param key the ticket key of the stage
 * @throws TooOften the budget of this hour is spent
 */
export async function spend(spender: Spender, key: string, context: RequestContext): Promise<void> {
  const { now } = context;
  const counted = keyOf("count of large requests", { hash: hashOf(spender, key), hour: hourText(now) });
  const limit = spender.isAdmin ? perHour.admin : perHour.person;
  if (await retried(() => countUp(counted, limit, now), context)) return;
  throw new TooOften("You have asked for this too often. Please try again later.", hourOf(now) + hour - now);
}
