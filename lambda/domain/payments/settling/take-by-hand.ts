/** Records money that an executive has taken in cash or by transfer: it confirms the seat that waits for it. */
import { type RegistrationKey, readRegistration } from "#domain/registrations/store/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Keep } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import type { Money } from "#outbox/catalogue.ts";
import type { HowByHand } from "../payment.ts";
import { settle } from "./settle-registration.ts";

export interface TakenByHand extends RegistrationKey {
  readonly money: Money;
  readonly how: HowByHand;
}

/**
 * @returns the payment's id
 * @throws NotFound NothingToPay no seat of the person waits for money  @throws Contended UnknownOutcome
 */
export async function takeByHand(
  { email, event, money, how }: TakenByHand,
  context: RequestContext,
  keep?: Keep<string>,
): Promise<string> {
  const registration = await retried(() => readRegistration({ email, event }, "strong"), context);
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  const paymentId = `hand_${context.newId()}`;
  const byHand = { how, by: context.actor };
  const payment = { email, event, paymentId, money, byHand, queueKey: registration.queueKey };
  await settle(payment, context, keep && { ...keep, member: () => keep.member(paymentId) });
  return paymentId;
}
