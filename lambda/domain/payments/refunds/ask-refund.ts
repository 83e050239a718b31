/** A refund that an admin asks for: whole or a part. */

import { endMember } from "#domain/people/members/delete-member.ts";
import { leave } from "#domain/registrations/leave.ts";
import { originOf } from "#domain/registrations/record/acts.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import type { Transaction } from "#kit/table/table.ts";
import { amountText } from "#kit/text/amount.ts";
import type { HowByHand } from "../record/by-hand.ts";
import { assertOpen, requireOpen } from "../record/journal-store.ts";
import {
  hasLeft,
  isLocked,
  isSettled,
  maxRefunds,
  type Payment,
  type Refund,
  refundable,
  refundableByRule,
  type StoredPayment,
  withReservation,
} from "../record/payment.ts";
import { changeMembers, nameOfPayment, readPayment } from "../record/payment-store.ts";
import { NotRefundable } from "../refusals.ts";
import { markMembers, readBrought } from "../settling/brought.ts";

export interface AskedRefund {
  /** In cents; undefined: what the treasurer has to decide about, else all that is left. */
  readonly amount?: number | undefined;
  /** What the person is told. */
  readonly reason: string;
  /** The seat or membership ends too. */
  readonly cancel?: boolean | undefined;
  /** It was given back by hand, and the provider does nothing. */
  readonly how?: HowByHand | undefined;
  /** Epoch milliseconds: when that was, if it was before. */
  readonly dated?: number | undefined;
  /** The admin who asks. */
  readonly by: Parameters<typeof originOf>[0];
}

/** A refund with its id. */
export type NewRefund = Refund & {
  readonly refundId: string;
  /** What the person keeps although the whole payment is refunded. */
  readonly stays?: "seat" | "membership";
};

const tooMany = `This payment has ${maxRefunds} refunds already: make another one in the provider's dashboard.`;
const byHand = "The provider has no transfer of this payment: give it back by hand, and record that with `how`.";

/** @throws NotRefundable the payment is disputed, or less than the amount is left */
function assertRefundable(payment: Payment, amount: number, how: HowByHand | undefined): void {
  const left = refundable(payment);
  const { currency, paymentIntent } = payment.money;
  if (paymentIntent === undefined && how === undefined) throw new NotRefundable(byHand);
  if (isLocked(payment)) throw new NotRefundable("The payment is disputed: its bank decides about the money.");
  if (Object.keys(payment.refunds ?? {}).length >= maxRefunds) throw new NotRefundable(tooMany);
  if (left === 0) throw new NotRefundable("Nothing of this payment is left to refund.");
  if (amount > left) throw new NotRefundable(`Only ${amountText({ amount: left, currency })} of this payment is left.`);
}

interface Order {
  readonly payment: Payment;
  readonly members: Transaction;
  readonly refund: NewRefund;
  readonly isWhole: boolean;
}

const withRefundByHand = (payment: Payment, id: string, refund: Omit<Refund, "state" | "isByHand">): StoredPayment => ({
  ...payment,
  refunds: { ...payment.refunds, [id]: { ...refund, state: "succeeded", isByHand: true } },
});

/** Reserves a refund, so that all refunds together never exceed the payment. @throws NotFound NotRefundable */
function orderOf(
  name: string,
  payment: StoredPayment | undefined,
  { amount: asked, reason, cancel, how, dated }: AskedRefund,
  refundId: string,
  context: RequestContext,
): Order {
  if (!isSettled(payment)) throw new NotFound("Payment");
  const amount = asked ?? (payment.review && !cancel ? refundableByRule(payment) : refundable(payment));
  assertRefundable(payment, amount, how);
  const facts = { amount, at: context.now, by: context.actor, reason };
  const made = how
    ? withRefundByHand(payment, refundId, { ...facts, how, ...(dated !== undefined && { dated }) })
    : withReservation(payment, refundId, facts);
  const { review, ...after } = made as Payment;
  const refund = { ...(after.refunds?.[refundId] as Refund), refundId };
  const { email, paymentId: id } = payment;
  const order = { action: how ? "payment.givenBack" : "payment.refundOrdered", email, id, reason };
  const members = changeMembers(name, payment, after, context, order);
  return { payment: after, members, refund, isWhole: hasLeft(after) };
}

/** Ends what the payment was for, together with the order. @returns undefined when that had ended before */
async function orderAndEnd(
  payment: Payment,
  { by }: AskedRefund,
  read: () => Promise<Order>,
  context: RequestContext,
  keep?: Keep<NewRefund>,
): Promise<NewRefund | undefined> {
  const { email, holder = email, paymentId, settledAt, purpose } = payment;
  let refund: NewRefund | undefined;
  const beside = async () => {
    const order = await read();
    refund = order.refund;
    return order.members;
  };
  const keeping = keep && { ...keep, member: () => keep.member(refund as NewRefund) };
  if (purpose.kind === "membership") {
    return (await endMember({ email, paidBy: { paymentId, settledAt }, beside }, context, keeping))
      ? refund
      : undefined;
  }
  const isMeant = ({ paidBy }: RegistrationRecord) => paidBy === paymentId;
  const ending = {
    email: holder,
    event: purpose.event,
    to: "cancelled",
    origin: originOf(by, holder, "refund"),
    isMeant,
    beside,
  } as const;
  return (await leave(ending, context, keeping)).changed ? refund : undefined;
}

/**
 * Orders a refund: a message has it sent.
 * @throws NotFound NotRefundable IllegalTransition Contended UnknownOutcome
 */
export async function askRefund(
  paymentId: string,
  asked: AskedRefund,
  context: RequestContext,
  keep?: Keep<NewRefund>,
): Promise<NewRefund> {
  const name = await nameOfPayment(paymentId);
  if (name === undefined) throw new NotFound("Payment");
  const refundId = context.newId();
  const read = async () => orderOf(name, await readPayment(name), asked, refundId, context);
  const payment = await readPayment(name);
  if (asked.dated !== undefined) await requireOpen(asked.dated);
  if (asked.cancel && isSettled(payment) && payment.as !== "refund") {
    const refund = await orderAndEnd(payment, asked, read, context, keep);
    if (refund) return refund;
  }
  return execute(
    {
      keep,
      async read() {
        const order = await read();
        return { order, brought: await readBrought(order.payment) };
      },
      decide({ order, brought }): Decision<NewRefund, void> {
        const { members, refund, isWhole, payment: after } = order;
        // The provider's refunds are marked when it has them.
        const marks = asked.how ? markMembers(after, brought, context) : {};
        const stays = asked.cancel ? undefined : brought.seat ? "seat" : brought.member && "membership";
        return write({ ...members, ...marks }, isWhole && stays ? { ...refund, stays } : refund, assertOpen);
      },
    },
    context,
  );
}
