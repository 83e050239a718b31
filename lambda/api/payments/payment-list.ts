/** `GET /payments`: the payments for an event or for memberships (`docs/contract.md`, "Payments"). */
import { toUtc } from "#domain/events/dates.ts";
import { type Payment, type PaymentList, paymentStateOf, sumsOf } from "#domain/payments/payment.ts";
import { pageOfPayments } from "#domain/payments/payment-store.ts";
import { csv, ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor, part, sortKeyOf } from "#kit/cursor.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { nextHeader } from "#kit/pages.ts";
import { paymentTable } from "./payment-table.ts";
import * as routes from "./routes.ts";
import type { Payment as PaymentAnswer, PaymentsQuery } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");

const isOfList = sortKeyOf(part.time, (paymentId) => /^\w{1,255}$/.test(paymentId));

/** @throws ValidationFailed neither or both of an event and `purpose` */
function requestedList({ eventID, year, purpose }: PaymentsQuery): PaymentList {
  if (purpose !== undefined && eventID === undefined && year === undefined) return { kind: "membership" };
  if (purpose !== undefined)
    throw new ValidationFailed([{ path: "/purpose", message: "stands alone, without an event" }]);
  if (eventID !== undefined && year !== undefined) return { kind: "event", event: { id: eventID, year } };
  const path = eventID === undefined ? "/eventID" : "/year";
  throw new ValidationFailed([{ path, message: "is required, or purpose=membership" }]);
}

const timeOf = (date: string | undefined): number | undefined =>
  date === undefined ? undefined : Date.parse(toUtc(date, timeZone));

function paymentAnswer(payment: Payment): PaymentAnswer {
  const { paymentId, email, money, as, settledAt, review, lines = {}, refunds = {} } = payment;
  const { came: _, ...sums } = sumsOf(payment);
  return {
    paymentId,
    email,
    ...money,
    settledAs: as,
    settledAt,
    state: paymentStateOf(payment),
    ...sums,
    ...(review && { review }),
    payouts: [...new Set(Object.values(lines).flatMap(({ payout }) => payout ?? []))],
    refunds: Object.entries(refunds).map(([refundId, refund]) => ({ refundId, ...refund })),
  };
}

const fileName = (list: PaymentList): string =>
  list.kind === "event" ? `${list.event.id}-${list.event.year}-payments.csv` : "membership-payments.csv";

export const listPayments = api(routes.listPayments, async ({ query }) => {
  const list = requestedList(query);
  const range = { from: timeOf(query.from), to: timeOf(query.to) };
  const page = await pageOfPayments(list, { limit: query.limit, after: decodeCursor(query.cursor, isOfList) }, range);
  if (query.format !== "csv") return ok(page.rows.map(paymentAnswer), nextHeader(page));
  const rows = page.rows.map(paymentTable.lineOf);
  return csv(paymentTable.header + rows.join(""), fileName(list), nextHeader(page));
});
