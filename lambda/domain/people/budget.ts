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
const perHour = { person: 30, admin: 1_000, codes: 30, codesOfEvent: 300 };

/** A person, or the bearer of the link to a person's export, who spends nothing of the person's own. */
export interface Spender {
  readonly email: string;
  readonly isAdmin: boolean;
  readonly isBearer?: boolean;
}

/** A keyed hash, so that the count names no person and needs no place in a person's export. */
const hashOf = (spender: string, key: string): string =>
  createHmac("sha256", key).update(`budget v1 ${spender}`).digest("base64url");

/**
 * @param key the ticket key of the stage
 * @throws TooOften the budget of this hour is spent
 */
async function count(
  spender: string,
  limit: number,
  done: string,
  key: string,
  context: RequestContext,
): Promise<void> {
  const { now } = context;
  const counted = keyOf("count of large requests", { hash: hashOf(spender, key), hour: hourText(now) });
  if (await retried(() => countUp(counted, limit, now), context)) return;
  throw new TooOften(`${done} Please try again later.`, hourOf(now) + hour - now);
}

/**
 * Counts one request.
 * @param key the ticket key of the stage
 * @throws TooOften the budget of this hour is spent
 */
export function spend({ email, isAdmin, isBearer }: Spender, key: string, context: RequestContext): Promise<void> {
  const limit = isAdmin ? perHour.admin : perHour.person;
  return count(`${isBearer ? "link" : "caller"} ${email}`, limit, "You have asked for this too often.", key, context);
}

/** Who tries a code: a person, or, of people whom nothing is known of, all at one event. */
export type CodeTrier = { readonly email: string } | { readonly event: { readonly id: string; readonly year: number } };

/**
 * Counts one try of a code, right or wrong, before the code is looked at: parallel tries are no more.
 * @param key the ticket key of the stage
 * @throws TooOften
 */
export function spendOnCode(trier: CodeTrier, key: string, context: RequestContext): Promise<void> {
  const [spender, limit] =
    "email" in trier
      ? [`code ${trier.email}`, perHour.codes]
      : [`codes of ${trier.event.id}#${trier.event.year}`, perHour.codesOfEvent];
  return count(spender, limit, "Too many codes were tried.", key, context);
}
