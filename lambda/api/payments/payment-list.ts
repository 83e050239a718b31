/** `GET /payments`: the payments for an event or for memberships (`docs/contract.md`, "Payments"). */
import { toUtc } from "#domain/events/dates.ts";
import { entriesOf } from "#domain/payments/record/by-hand.ts";
import { purposeOf } from "#domain/payments/record/money.ts";
import {
  type Payment,
  type PaymentList,
  paymentStateOf,
  restOf,
  sumsOf,
  undecidedOf,
} from "#domain/payments/record/payment.ts";
import { pageOfPayments, pageOfWaiting, sortKeyOf } from "#domain/payments/record/payment-store.ts";
import { waitsFor } from "#domain/payments/record/waits-for.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { decodeCursor, part, sortKeyOf as shapeOf } from "#kit/lists/cursor.ts";
import { nextHeader, type Page, takeTexts } from "#kit/lists/pages.ts";
import { csv, ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { noteDownload } from "#outbox/downloads.ts";
import { paymentTable } from "./payment-table.ts";
import * as routes from "./routes.ts";
import type { Payment as PaymentAnswer, PaymentsQuery } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");
const table = paymentTable(timeZone);

const isOfList = shapeOf(part.time, (paymentId) => /^\w{1,255}$/.test(paymentId));

/** @throws ValidationFailed both of an event and `purpose`, or half an event */
function requestedList({ eventID, year, purpose }: PaymentsQuery): PaymentList {
  if (purpose === undefined && eventID === undefined && year === undefined) return { kind: "all" };
  if (purpose !== undefined && eventID === undefined && year === undefined) return { kind: "membership" };
  if (purpose !== undefined)
    throw new ValidationFailed([{ path: "/purpose", message: "stands alone, without an event" }]);
  if (eventID !== undefined && year !== undefined) return { kind: "event", event: { id: eventID, year } };
  const path = eventID === undefined ? "/eventID" : "/year";
  throw new ValidationFailed([{ path, message: "is required beside the other one" }]);
}

/** @param date ISO 8601 @returns epoch milliseconds */
export const timeOf = (date: string | undefined): number | undefined =>
  date === undefined ? undefined : Date.parse(toUtc(date, timeZone));

/** The entry that has taken another one back. */
function reversedBy({ reversals = {} }: Payment, id: string) {
  const found = Object.entries(reversals).find(([, { of }]) => of === id);
  if (!found) return {};
  const [reversalId, { of: _, ...reversal }] = found;
  return { reversed: { reversalId, ...reversal } };
}

export function paymentAnswer(payment: Payment): PaymentAnswer {
  const { paymentId, email, money, as, purpose, code, settledAt, byHand, deposit, review } = payment;
  const { kept, lines = {}, refunds = {} } = payment;
  const owes = restOf(payment);
  const waiting = waitsFor(payment, timeZone);
  const { came: _, ...sums } = sumsOf(payment);
  return {
    paymentId,
    email,
    ...money,
    ...purposeOf(purpose),
    ...(purpose.kind === "event" && purpose.plusOnes && { people: 1 + purpose.plusOnes }),
    ...(code && { code }),
    ...(byHand && {
      byHand,
      entries: Object.entries(entriesOf(payment)).map(([entryId, entry]) => ({
        ...{ entryId, ...entry, ...reversedBy(payment, entryId) },
      })),
    }),
    settledAs: as,
    settledAt,
    state: paymentStateOf(payment),
    ...sums,
    ...(owes > 0 && { owes }),
    ...(deposit && { deposit }),
    ...(review && { review, undecided: undecidedOf(payment) }),
    ...(waiting !== undefined && { waitsFor: waiting }),
    ...(kept && { kept: kept.map(({ failedRefunds: _, ...decision }) => decision) }),
    payouts: [...new Set(Object.values(lines).flatMap(({ payout }) => payout ?? []))],
    refunds: Object.entries(refunds).map(([refundId, refund]) => ({
      ...{ refundId, ...refund, ...reversedBy(payment, refundId) },
    })),
  };
}

const fileName = (list: PaymentList): string => {
  if (list.kind === "event") return `${list.event.id}-${list.event.year}-payments`;
  return list.kind === "all" ? "payments" : "membership-payments";
};

/** @throws ValidationFailed `open` beside something else */
function pageOf(list: PaymentList, { open, from, to, limit, cursor }: PaymentsQuery): Promise<Page<Payment>> {
  const page = { limit, after: decodeCursor(cursor, isOfList) };
  if (!open) return pageOfPayments(list, page, { from: timeOf(from), to: timeOf(to) });
  if (list.kind === "all" && from === undefined && to === undefined) return pageOfWaiting(page);
  throw new ValidationFailed([{ path: "/open", message: "stands alone" }]);
}

export const listPayments = api(routes.listPayments, async ({ query, context }) => {
  const list = requestedList(query);
  const page = await pageOf(list, query);
  if (query.format !== "csv") return ok(page.rows.map(paymentAnswer), nextHeader(page));
  await noteDownload(
    "payments",
    list.kind === "event" ? { eventID: list.event.id, year: list.event.year } : {},
    context,
  );
  // The lines of a payment may be longer than its record, by which the page ends.
  const lines = await takeTexts(page.rows, { sortKeyOf }, table.lineOf);
  return csv(table, { ...page, ...lines }, fileName(list));
});
