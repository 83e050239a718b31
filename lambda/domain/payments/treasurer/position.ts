/** What is open between the club, its people and their banks. Pure. */
import { meaningOf, statusOf, takenBy } from "../record/dispute.ts";
import { type Payment, restOf, sumsOf } from "../record/payment.ts";

/** An amount of a payment, in cents. */
export interface OpenAmount {
  readonly payment: Payment;
  readonly amount: number;
}

export interface OpenDispute extends OpenAmount {
  readonly disputeId: string;
  /** In the provider's word. */
  readonly status: string;
  /** What it has taken, in cents. */
  readonly taken: number;
  /** Until when the club may answer, epoch milliseconds. */
  readonly dueBy?: number;
}

export interface Position {
  /** What the club owes: it has to go back, or is on its way. */
  readonly owed: readonly OpenAmount[];
  /** What is left to pay to the club. */
  readonly owing: readonly OpenAmount[];
  readonly disputes: readonly OpenDispute[];
}

function disputesOf(payment: Payment): OpenDispute[] {
  return Object.entries(payment.disputes ?? {}).flatMap(([disputeId, dispute]) => {
    const status = statusOf(dispute);
    const taken = takenBy(dispute);
    const { acts, money } = meaningOf(status);
    if (acts === "nobody" && (money !== "frozen" || taken === 0)) return [];
    const dueBy = acts === "club" && dispute.dueBy !== undefined ? { dueBy: dispute.dueBy } : {};
    return { payment, disputeId, amount: dispute.amount, status, taken, ...dueBy };
  });
}

const amounts = (payments: readonly Payment[], amountOf: (payment: Payment) => number): OpenAmount[] =>
  payments.map((payment) => ({ payment, amount: amountOf(payment) })).filter(({ amount }) => amount > 0);

/** @param payments those that are open */
export const positionOf = (payments: readonly Payment[]): Position => ({
  owed: amounts(payments, (payment) => sumsOf(payment).open),
  owing: amounts(payments, restOf),
  disputes: payments.flatMap(disputesOf),
});
