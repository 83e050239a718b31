/** `GET /payments`: the payments for an event or for memberships (`docs/contract.md`, "Payments"). */
import { toUtc } from "#domain/events/dates.ts";
import { purposeOf } from "#domain/payments/money.ts";
import { type Payment, type PaymentList, paymentStateOf, sumsOf } from "#domain/payments/payment.ts";
import { pageOfPayments, pageOfWaiting } from "#domain/payments/payment-store.ts";
import { waitsFor } from "#domain/payments/waits-for.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { decodeCursor, part, sortKeyOf } from "#kit/lists/cursor.ts";
import { nextHeader, type Page } from "#kit/lists/pages.ts";
import { csv, ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { noteDownload } from "#outbox/downloads.ts";
import { paymentTable } from "./payment-table.ts";
import * as routes from "./routes.ts";
import type { Payment as PaymentAnswer, PaymentsQuery } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");

const isOfList = sortKeyOf(part.time, (paymentId) => /^\w{1,255}$/.test(paymentId));

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

const timeOf = (date: string | undefined): number | undefined =>
  date === undefined ? undefined : Date.parse(toUtc(date, timeZone));

export function paymentAnswer(payment: Payment): PaymentAnswer {
  const { paymentId, email, money, as, purpose, settledAt, byHand, review, kept, lines = {}, refunds = {} } = payment;
  const waiting = waitsFor(payment);
  const { came: _, ...sums } = sumsOf(payment);
  return {
    paymentId,
    email,
    ...money,
    ...purposeOf(purpose),
    ...(byHand && { byHand }),
    settledAs: as,
    settledAt,
    state: paymentStateOf(payment),
    ...sums,
    ...(review && { review }),
    ...(waiting !== undefined && { waitsFor: waiting }),
    ...(kept && { kept: kept.map(({ failedRefunds: _, ...decision }) => decision) }),
    payouts: [...new Set(Object.values(lines).flatMap(({ payout }) => payout ?? []))],
    refunds: Object.entries(refunds).map(([refundId, refund]) => ({ refundId, ...refund })),
  };
}

const fileName = (list: PaymentList): string => {
  if (list.kind === "event") return `${list.event.id}-${list.event.year}-payments.csv`;
  return list.kind === "all" ? "payments.csv" : "membership-payments.csv";
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
  const rows = page.rows.map(paymentTable.lineOf);
  return csv(paymentTable.header + rows.join(""), fileName(list), nextHeader(page));
});
