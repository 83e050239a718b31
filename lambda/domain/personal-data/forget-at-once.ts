/**
 * What a deletion ends at once, beside the account (`docs/contract.md`, "Users"): registrations, what the person has entered
 * in them and signed, requests as a guest, offers of a seat, and the counts of mails with codes.
 */

import { emptyFeedbackOf } from "#domain/feedback/forget.ts";
import { mailboxCountKeys } from "#domain/people/sign-ups/limits.ts";
import { forgetPerson } from "#domain/registrations/reactions/forget-person.ts";
import { type Offer, offersTo } from "#domain/registrations/store/offers.ts";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { deleteIf, drop, type Item, type Stored } from "#kit/table/table.ts";
import { partitionOf } from "#outbox/stored-kinds.ts";

/** Seconds for which a request as a guest is kept. */
const requestKept = 86_400;

/** Requests from after the deletion are kept: the person may come back as a guest. @param deletedAt epoch milliseconds */
async function endRequests(email: string, deletedAt: number, context: RequestContext): Promise<void> {
  const requests = await retried(
    () => allOf(queryItems<Item>(itemsOf(partitionOf("request of a guest", { email })))),
    context,
  );
  const wasBefore = {
    ConditionExpression: "#ttl <= :before",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: { ":before": Math.ceil(deletedAt / 1_000) + requestKept },
  };
  for (const request of requests) await writeOnce({ request: deleteIf(request, wasBefore) }, context);
}

/** Offers from after the deletion are kept, and so is who has handed a seat to whom, for a while. @param deletedAt epoch milliseconds */
async function endOffers(email: string, deletedAt: number, context: RequestContext): Promise<void> {
  const offers = await retried(() => allOf(queryItems<Stored<Offer>>(offersTo(email))), context);
  const open = offers.filter(({ acceptedAt, createdAt }) => acceptedAt === undefined && createdAt <= deletedAt);
  const isOpen = { ConditionExpression: "attribute_not_exists(acceptedAt)" };
  for (const offer of open) await writeOnce({ offer: deleteIf(offer, isOpen) }, context);
}

/** Idempotent. @throws NotYet AggregateError as `forgetPerson` */
export async function forgetAtOnce(
  message: Parameters<typeof forgetPerson>[0],
  context: RequestContext,
): Promise<void> {
  const { data, occurredAt } = message;
  await endRequests(data.email, occurredAt, context);
  await endOffers(data.email, occurredAt, context);
  const counts = mailboxCountKeys(data.email, occurredAt).map((key, at) => [`${at}`, drop(key, "last wins")] as const);
  await writeOnce(Object.fromEntries(counts), context);
  await emptyFeedbackOf(data.email, occurredAt, context);
  await forgetPerson(message, context);
}
