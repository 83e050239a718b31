/** A paid seat gets another person: the payment stays that of its payer, and notes who has the seat. */
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { RequestContext } from "#kit/request/context.ts";
import type { Transaction } from "#kit/table/table.ts";
import { isSettled, paymentName } from "../record/payment.ts";
import { changeMembers, readPayment } from "../record/payment-store.ts";

/**
 * The members of the transaction that hands on the seat of a registration; none if it has no payment. Refused when the
 * payment has changed since the read.
 * @param holder the email of the person who has the seat from now on
 */
export async function notedHolder(
  { paidBy, paid }: Pick<RegistrationRecord, "paidBy" | "paid">,
  holder: string,
  context: RequestContext,
): Promise<Transaction> {
  if (paidBy === undefined) return {};
  const name = paymentName({ paymentId: paidBy, ...(paid?.paymentIntent && { paymentIntent: paid.paymentIntent }) });
  const payment = await readPayment(name);
  return isSettled(payment) ? changeMembers(name, payment, { ...payment, holder }, context) : {};
}
