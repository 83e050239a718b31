/** A refund that an admin asks for: whole or a part. */

import { endMember } from "#domain/people/members/delete-member.ts";
import { isMemberAlready } from "#domain/people/members/member.ts";
import { leave } from "#domain/registrations/leave.ts";
import { holdsSeat, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { readRegistration } from "#domain/registrations/store/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { execute, type Keep, write } from "#kit/table/execute.ts";
import type { Transaction } from "#kit/table/table.ts";
import { amountText } from "#kit/text/amount.ts";
import { readPayer } from "../checkout/store.ts";
import {
  isSettled,
  isWhollyRefunded,
  maxRefunds,
  type Payment,
  type Refund,
  refundable,
  type StoredPayment,
  sumsOf,
  withReservation,
} from "../payment.ts";
import { changeMembers, nameOfPayment, readPayment } from "../payment-store.ts";
import { NotRefundable } from "../refusals.ts";

export interface AskedRefund {
  /** In cents; undefined: all that is left. */
  readonly amount?: number | undefined;
  /** What the person is told. */
  readonly reason: string;
  /** The seat or membership ends too. */
  readonly cancel?: boolean | undefined;
}

/** A refund with its id. */
export type NewRefund = Refund & {
  readonly refundId: string;
  /** What the person keeps although all of the money goes back. */
  readonly stays?: "seat" | "membership";
};

const tooMany = `This payment has ${maxRefunds} refunds already: make another one in the provider's dashboard.`;
const byHand = "The provider has no transfer of this payment: give it back by hand, and record that.";

/** @throws NotRefundable the payment is disputed, or less than the amount is left */
function assertRefundable(payment: Payment, amount: number): void {
  const left = refundable(payment);
  const { currency, paymentIntent } = payment.money;
  if (paymentIntent === undefined) throw new NotRefundable(byHand);
  if (sumsOf(payment).frozen > 0) throw new NotRefundable("The payment is disputed: its bank decides about the money.");
  if (Object.keys(payment.refunds ?? {}).length >= maxRefunds) throw new NotRefundable(tooMany);
  if (left === 0) throw new NotRefundable("Nothing of this payment is left to refund.");
  if (amount > left) throw new NotRefundable(`Only ${amountText({ amount: left, currency })} of this payment is left.`);
}

interface Order {
  readonly members: Transaction;
  readonly refund: NewRefund;
  readonly isWhole: boolean;
}

/** Reserves a refund, so that all refunds together never exceed the payment. @throws NotFound NotRefundable */
function orderOf(
  name: string,
  payment: StoredPayment | undefined,
  { amount: asked, reason }: AskedRefund,
  refundId: string,
  context: RequestContext,
): Order {
  if (!isSettled(payment)) throw new NotFound("Payment");
  const amount = asked ?? refundable(payment);
  assertRefundable(payment, amount);
  const facts = { amount, at: context.now, by: context.actor, reason };
  const { review, ...after } = withReservation(payment, refundId, facts) as Payment;
  const refund = { ...(after.refunds?.[refundId] as Refund), refundId };
  const { email, paymentId: id } = payment;
  const order = { action: "payment.refundOrdered", email, id, reason };
  return { members: changeMembers(name, payment, after, context, order), refund, isWhole: isWhollyRefunded(after) };
}

/** What the person has by the payment. */
async function broughtBy({ email, paymentId, purpose }: Payment): Promise<NewRefund["stays"]> {
  if (purpose.kind === "membership") {
    return isMemberAlready(await readPayer(email, undefined)) ? "membership" : undefined;
  }
  const registration = await readRegistration({ email, event: purpose.event }, "strong");
  return registration?.paidBy === paymentId && holdsSeat(registration) ? "seat" : undefined;
}

/** Ends what the payment was for, together with the order. @returns undefined when that had ended before */
async function orderAndEnd(
  payment: Payment,
  read: () => Promise<Order>,
  context: RequestContext,
  keep?: Keep<NewRefund>,
): Promise<NewRefund | undefined> {
  const { email, paymentId, purpose } = payment;
  let refund: NewRefund | undefined;
  const beside = async () => {
    const order = await read();
    refund = order.refund;
    return order.members;
  };
  const keeping = keep && { ...keep, member: () => keep.member(refund as NewRefund) };
  if (purpose.kind === "membership") {
    return (await endMember({ email, beside }, context, keeping)) ? refund : undefined;
  }
  const isMeant = ({ paidBy }: RegistrationRecord) => paidBy === paymentId;
  const ending = { email, event: purpose.event, to: "cancelled", by: "admin", isMeant, beside } as const;
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
  if (asked.cancel && isSettled(payment) && payment.as !== "refund") {
    const refund = await orderAndEnd(payment, read, context, keep);
    if (refund) return refund;
  }
  const stays = isSettled(payment) && !asked.cancel ? await broughtBy(payment) : undefined;
  const told = ({ refund, isWhole }: Order) => (isWhole && stays ? { ...refund, stays } : refund);
  return execute({ keep, read, decide: (order: Order) => write(order.members, told(order)) }, context);
}
