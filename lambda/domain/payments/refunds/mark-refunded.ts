/** Marks a registration whose whole payment goes back, but which nobody has ended: executives and the door see it. */
import { factOf, holdsSeat, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { rewritten } from "#domain/registrations/record/transition.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import { readRegistration } from "#domain/registrations/store/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { isSettled, isWhollyRefunded, type StoredPayment } from "../payment.ts";
import { readPayment } from "../payment-store.ts";

interface Facts {
  readonly payment: StoredPayment | undefined;
  readonly registration?: RegistrationRecord | undefined;
}

async function read(name: string): Promise<Facts> {
  const payment = await readPayment(name);
  if (!isSettled(payment) || payment.purpose.kind !== "event") return { payment };
  const { email, purpose } = payment;
  return { payment, registration: await readRegistration({ email, event: purpose.event }, "strong") };
}

/**
 * Idempotent. A refund that fails takes the mark away again.
 * @param name of the payment
 * @throws Contended UnknownOutcome the message has to come again
 */
export const markRefunded = (name: string, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => read(name),
      decide({ payment, registration }: Facts): Decision<void> {
        if (!isSettled(payment) || !registration || !holdsSeat(registration)) return answer(undefined);
        const isRefunded = isWhollyRefunded(payment) || undefined;
        if (registration.paidBy !== payment.paymentId || registration.refunded === isRefunded) return answer(undefined);
        const after = { ...registration, ...rewritten(context, registration), refunded: isRefunded };
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: registration, after, message }, context), undefined);
      },
    },
    context,
  );
