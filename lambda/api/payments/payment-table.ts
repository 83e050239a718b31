/**
 * Payments as CSV for the treasurer: a row for each payment with its sums, followed by a row for each of the provider's
 * lines about it, whose net amounts add up to those of the payouts. Amounts are in the currency, not in cents. Pure.
 */
import { type BankLine, type Payment, paymentStateOf, type Refund, sumsOf } from "#domain/payments/payment.ts";
import { waitsFor } from "#domain/payments/waits-for.ts";
import { type Column, csvTable, isoCell } from "#kit/lists/csv.ts";

/** A payment, or one of the provider's lines about it. */
interface Row {
  readonly payment: Payment;
  readonly line?: BankLine & { readonly id: string };
}

/** In the currency. A number, because a text that begins with a minus is escaped. */
const decimal = (cents: number | undefined): number | string => (cents === undefined ? "" : cents / 100);

/** When money went back, separated by spaces. */
const refundTimes = (refunds: Readonly<Record<string, Refund>>): string =>
  Object.values(refunds)
    .filter(({ state }) => state !== "failed")
    .map(({ at }) => isoCell(at))
    .join(" ");

/** A value of the payment's own row. */
const ofPayment =
  (cellOf: (payment: Payment) => string | number) =>
  ({ payment, line }: Row): string | number =>
    line ? "" : cellOf(payment);

const columns: readonly Column<Row>[] = [
  ["Payment", ({ payment }) => payment.paymentId],
  ["Transfer", ({ payment }) => payment.money.paymentIntent ?? ""],
  ["Email", ({ payment }) => payment.email],
  ["Settled at", ({ payment }) => isoCell(payment.settledAt)],
  [
    "For",
    ({ payment: { purpose } }) =>
      purpose.kind === "event" ? `${purpose.event.id} ${purpose.event.year}` : purpose.kind,
  ],
  ["By hand", ({ payment }) => payment.byHand?.how ?? ""],
  ["Currency", ({ payment }) => payment.money.currency],
  ["Used as", ofPayment(({ as }) => as)],
  ["State", ofPayment(paymentStateOf)],
  ["Decide", ofPayment(({ review = "" }) => review)],
  ["Came", ofPayment((payment) => decimal(sumsOf(payment).came))],
  ["Fee", ofPayment((payment) => decimal(sumsOf(payment).fee))],
  ["Went back", ofPayment((payment) => decimal(sumsOf(payment).wentBack))],
  ["Open", ofPayment((payment) => decimal(sumsOf(payment).open))],
  ["Frozen", ofPayment((payment) => decimal(sumsOf(payment).frozen))],
  [
    "Refunds",
    ofPayment(({ refunds = {} }) =>
      Object.values(refunds)
        .flatMap(({ providerId }) => providerId ?? [])
        .join(" "),
    ),
  ],
  ["Refunded at", ofPayment(({ refunds = {} }) => refundTimes(refunds))],
  ["Kept", ofPayment(({ kept = [] }) => kept.map(({ amount, reason }) => `${decimal(amount)}: ${reason}`).join("; "))],
  ["Waits for", ofPayment((payment) => waitsFor(payment) ?? "")],
  ["Line", ({ line }) => line?.id ?? ""],
  ["Line type", ({ line }) => line?.type ?? ""],
  ["Line at", ({ line }) => isoCell(line?.at)],
  ["Line amount", ({ line }) => decimal(line?.amount)],
  ["Line fee", ({ line }) => decimal(line?.fee)],
  ["Line net", ({ line }) => decimal(line?.net)],
  ["Payout", ({ line }) => line?.payout ?? ""],
  ["Paid out at", ({ line }) => isoCell(line?.paidOutAt)],
];

const table = csvTable(columns);

export const paymentTable = {
  header: table.header,
  /** The lines of a payment. */
  lineOf: (payment: Payment): string => {
    const lines = Object.entries(payment.lines ?? {}).map(([id, line]) => ({ id, ...line }));
    lines.sort((one, other) => (one.type < other.type ? -1 : 1));
    return [{ payment }, ...lines.map((line) => ({ payment, line }))].map(table.lineOf).join("");
  },
};
