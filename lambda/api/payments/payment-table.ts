/**
 * Payments as CSV for the treasurer: a row for each payment with its sums, followed by a row for each of the provider's
 * lines about it, whose net amounts add up to those of the payouts. Amounts are in the currency, not in cents. Pure.
 */
import { textOf } from "#domain/codes/code.ts";
import { entriesOf, isReversed } from "#domain/payments/record/by-hand.ts";
import {
  type BankLine,
  type Payment,
  paymentStateOf,
  type Refund,
  restOf,
  sumsOf,
} from "#domain/payments/record/payment.ts";
import { waitsFor } from "#domain/payments/record/waits-for.ts";
import { type Column, type CsvTable, csvTable, listCell, timeCell, timeColumn, timeHeader } from "#kit/lists/csv.ts";

/** A payment, or one of the provider's lines about it. */
interface Row {
  readonly payment: Payment;
  readonly line?: BankLine & { readonly id: string };
}

/** In the currency. A number, because a text that begins with a minus is escaped. */
const decimal = (cents: number | undefined): number | string => (cents === undefined ? "" : cents / 100);

/** The times of the refunds. */
const refundTimes = (refunds: Readonly<Record<string, Refund>>, timeZone: string): string =>
  listCell(
    Object.values(refunds)
      .filter(({ state }) => state !== "failed")
      .map(({ at }) => timeCell(at, timeZone)),
  );

/** How what counts of it was taken by hand. */
const howByHand = (payment: Payment): string =>
  [
    ...new Set(
      Object.entries(entriesOf(payment)).flatMap(([id, { how }]) => (isReversed(payment, id) ? [] : (how ?? []))),
    ),
  ].join(" ");

/** A value of the payment's own row. */
const ofPayment =
  (cellOf: (payment: Payment) => string | number) =>
  ({ payment, line }: Row): string | number =>
    line ? "" : cellOf(payment);

const columnsIn = (timeZone: string): readonly Column<Row>[] => [
  ["Payment", ({ payment }) => payment.paymentId],
  ["Transfer", ({ payment }) => payment.money.paymentIntent ?? ""],
  ["Email", ({ payment }) => payment.email],
  timeColumn("Settled at", ({ payment }) => payment.settledAt, timeZone),
  [
    "For",
    ({ payment: { purpose } }) =>
      purpose.kind === "event" ? `${purpose.event.id} ${purpose.event.year}` : purpose.kind,
  ],
  ["People", ofPayment(({ purpose }) => (purpose.kind === "event" ? 1 + (purpose.plusOnes ?? 0) : ""))],
  ["Code", ({ payment: { code } }) => (code ? textOf(code) : "")],
  ["By hand", ({ payment }) => howByHand(payment)],
  ["Currency", ({ payment, line }) => line?.currency ?? payment.money.currency],
  ["Used as", ofPayment(({ as }) => as)],
  ["State", ofPayment(paymentStateOf)],
  ["Deposit", ofPayment(({ deposit = "" }) => deposit)],
  ["Decide", ofPayment(({ review = "" }) => review)],
  ["Came", ofPayment((payment) => decimal(sumsOf(payment).came))],
  ["Fee", ofPayment((payment) => decimal(sumsOf(payment).fee))],
  ["Went back", ofPayment((payment) => decimal(sumsOf(payment).wentBack))],
  ["Open", ofPayment((payment) => decimal(sumsOf(payment).open))],
  ["Frozen", ofPayment((payment) => decimal(sumsOf(payment).frozen))],
  ["Lost", ofPayment((payment) => decimal(sumsOf(payment).lost))],
  ["Owes", ofPayment((payment) => decimal(restOf(payment)))],
  [
    "Refunds",
    ofPayment(({ refunds = {} }) =>
      Object.values(refunds)
        .flatMap(({ providerId }) => providerId ?? [])
        .join(" "),
    ),
  ],
  [timeHeader("Refunded at", timeZone), ofPayment(({ refunds = {} }) => refundTimes(refunds, timeZone))],
  ["Kept", ofPayment(({ kept = [] }) => kept.map(({ amount, reason }) => `${decimal(amount)}: ${reason}`).join("; "))],
  ["Waits for", ofPayment((payment) => waitsFor(payment, timeZone) ?? "")],
  ["Line", ({ line }) => line?.id ?? ""],
  ["Line type", ({ line }) => line?.type ?? ""],
  timeColumn("Line at", ({ line }) => line?.at, timeZone),
  ["Line amount", ({ line }) => decimal(line?.amount)],
  ["Line fee", ({ line }) => decimal(line?.fee)],
  ["Line net", ({ line }) => decimal(line?.net)],
  ["Payout", ({ line }) => line?.payout ?? ""],
  timeColumn("Paid out at", ({ line }) => line?.paidOutAt, timeZone),
];

export function paymentTable(timeZone: string): CsvTable<Payment> {
  const table = csvTable(columnsIn(timeZone));
  return {
    ...table,
    /** The lines of a payment. */
    lineOf: (payment) => {
      const lines = Object.entries(payment.lines ?? {}).map(([id, line]) => ({ id, ...line }));
      lines.sort((one, other) => (one.type < other.type ? -1 : 1));
      return [{ payment }, ...lines.map((line) => ({ payment, line }))].map(table.lineOf).join("");
    },
  };
}
