/**
 * Begins a required refund: the amount is reserved, and a message has it sent. Otherwise the payment is listed for the
 * treasurer, who is told.
 */
import { readEvent } from "#domain/events/store.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import type { ByHand } from "#outbox/catalogue.ts";
import type { Message } from "#outbox/messages.ts";
import { outboxRow } from "#outbox/store.ts";
import {
  afterGivingUp,
  type GivenUp,
  isSettled,
  type Payment,
  paymentName,
  type StoredPayment,
  withReservation,
} from "../record/payment.ts";
import { changeMembers, eventPaymentsOf, readPayment } from "../record/payment-store.ts";
import { isReview, type RefundMode, type RefundPlan, refundPlanFor, wasRefunded } from "./refund-rules.ts";

type RequiredRefund = Pick<Message<"payment.refundRequired">, "id" | "data" | "occurredAt">;

interface Facts {
  readonly payment: StoredPayment | undefined;
  readonly isLate: boolean;
  readonly earlier: number;
}

async function read({ data, occurredAt }: RequiredRefund): Promise<Facts> {
  const payment = await readPayment(paymentName(data));
  if (!data.cancelledByPerson || data.purpose !== "event") return { payment, isLate: false, earlier: 0 };
  const event = { id: data.eventID, year: data.year };
  // Who has ended a seat that was handed on has not paid for it.
  const payer = payment?.email ?? data.email;
  const [record, paid] = await Promise.all([readEvent(event), eventPaymentsOf(payer, event)]);
  const until = record?.refundUntil;
  return {
    payment,
    isLate: until !== undefined && occurredAt > Date.parse(until),
    earlier: paid.filter((one) => one.paymentId !== data.paymentId && wasRefunded(one)).length,
  };
}

/** A deposit whose person came goes back, and no rule about refunds for leaving counts it. */
const asRequired = (payment: StoredPayment, { reason }: RequiredRefund["data"]): StoredPayment =>
  reason === "checked in" ? { ...payment, deposit: "due" } : payment;

function decide(
  required: RequiredRefund,
  facts: Facts,
  mode: RefundMode,
  context: RequestContext,
): Decision<RefundPlan> {
  const { id, data, occurredAt } = required;
  const { payment: stored } = facts;
  const name = paymentName(data);
  // An earlier delivery of the message has reserved or listed the refund.
  if (stored?.refunds?.[id] || stored?.givenUp?.includes(id)) return answer({ kind: "nothing" });
  // The treasurer has decided to keep money since.
  if (stored?.kept?.some(({ at }) => at >= occurredAt)) return answer({ kind: "nothing" });
  const { cancelledByPerson, keeps, ...fact } = data;
  const isPart = fact.reason === "fewer come";
  const givenUp: GivenUp = { keeps, price: isPart ? fact.amount : undefined };
  const plan = refundPlanFor({ fact: data, givenUp, mode, ...facts });
  const payment = stored && asRequired(stored, data);
  const message = (because: ByHand, amount: number) => {
    const email = payment?.email ?? data.email;
    return outboxRow({ type: "payment.refundByHand", data: { ...fact, email, amount, because } }, context);
  };
  if (!isSettled(payment))
    return plan.kind === "by hand" ? write({ message: message(plan.because, fact.amount) }, plan) : answer(plan);
  const after = afterGivingUp(payment, givenUp);
  const noted = isPart && { givenUp: [...(payment.givenUp ?? []), id] };
  const changed = (next: StoredPayment) => changeMembers(name, stored, { ...next, ...noted }, context);
  const isSame = ({ owed, review, keeps: stays, deposit }: Payment) =>
    !isPart &&
    owed === payment.owed &&
    review === payment.review &&
    stays === payment.keeps &&
    deposit === stored?.deposit;
  if (plan.kind === "send") {
    const refund = { amount: plan.amount, at: context.now, by: context.actor };
    return write(changed(withReservation(after.owing, id, refund)), plan);
  }
  if (plan.kind === "nothing") {
    // Other refunds are under way. If one of them fails, its part has to go back all the same.
    return isSame(after.owing) ? answer(plan) : write(changed(after.owing), plan);
  }
  const { because } = plan;
  const listed = isReview(because) ? { ...after.payment, review: because } : after.owing;
  // A part may stay, or has gone back before.
  const amount = because === "frozen" ? after.wanted : after.amount;
  return isSame(listed) ? answer(plan) : write({ ...changed(listed), message: message(because, amount) }, plan);
}

/**
 * Idempotent: the message's id is the refund's.
 * @throws Contended UnknownOutcome the message has to come again
 */
export async function requireRefund(
  required: RequiredRefund,
  mode: RefundMode,
  context: RequestContext,
): Promise<void> {
  const plan = await execute(
    { read: () => read(required), decide: (facts: Facts) => decide(required, facts, mode, context) },
    context,
  );
  const { paymentId } = required.data;
  if (plan.kind === "by hand") log.warn("money for the treasurer", { payment: paymentId, because: plan.because });
  else log.info("refund required", { payment: paymentId, plan: plan.kind });
}
