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
import { paymentName, type StoredPayment, withReservation } from "../record/payment.ts";
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

/** The payment as it is listed for the treasurer. */
const listed = (payment: StoredPayment, because: ByHand): StoredPayment =>
  isReview(because) ? { ...payment, review: because } : { ...payment, owed: payment.money?.amount ?? 0 };

function decide(
  required: RequiredRefund,
  facts: Facts,
  mode: RefundMode,
  context: RequestContext,
): Decision<RefundPlan> {
  const { id, data, occurredAt } = required;
  const { payment: stored } = facts;
  const name = paymentName(data);
  // An earlier delivery of the message has reserved the refund.
  if (stored?.refunds?.[id]) return answer({ kind: "nothing" });
  // The treasurer has decided to keep money since.
  if (stored?.kept?.some(({ at }) => at >= occurredAt)) return answer({ kind: "nothing" });
  const payment = stored && asRequired(stored, data);
  const isNew = payment?.deposit !== stored?.deposit;
  const plan = refundPlanFor({ fact: data, mode, ...facts });
  if (plan.kind === "nothing") {
    // Other refunds are under way. If one of them fails, its part has to go back all the same.
    if (!payment || (payment.owed === payment.money?.amount && !isNew)) return answer(plan);
    return write(changeMembers(name, stored, { ...payment, owed: payment.money?.amount ?? 0 }, context), plan);
  }
  if (plan.kind === "send" && payment) {
    const reserved = withReservation(payment, id, { amount: plan.amount, at: context.now, by: context.actor });
    return write(changeMembers(name, stored, { ...reserved, owed: payment.money?.amount ?? 0 }, context), plan);
  }
  const { because } = plan as Extract<RefundPlan, { kind: "by hand" }>;
  const { cancelledByPerson, ...rest } = data;
  const fact = { ...rest, email: payment?.email ?? data.email };
  const message = outboxRow({ type: "payment.refundByHand", data: { ...fact, because } }, context);
  if (!payment || because === "unknown") return write({ message }, plan);
  const after = listed(payment, because);
  if (after.owed === payment.owed && after.review === payment.review && !isNew) return answer(plan);
  return write({ ...changeMembers(name, stored, after, context), message }, plan);
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
