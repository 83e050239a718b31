/** Keeps the seat of a person whose payment takes days, while the money is under way (`docs/design.md`, "Money"). */

import { readSeats } from "#domain/capacity/seats.ts";
import { membersOf } from "#domain/registrations/change.ts";
import { holdUntil } from "#domain/registrations/holds/holds.ts";
import { factOf } from "#domain/registrations/registration.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { withMoneyUnderWay } from "#domain/registrations/transition.ts";
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { type RegistrationCheckout, waitsFor } from "./session-end.ts";

/** Milliseconds: a bank debit succeeds or fails within ten days. */
const longestWay = 10 * 86_400_000;

/**
 * Prolongs the hold to the time by which the money must have arrived, but not beyond the start of the event.
 * @throws Contended UnknownOutcome the provider must send its event again
 */
export const awaitMoney = (checkout: RegistrationCheckout, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => Promise.all([readRegistration(checkout, "strong"), readSeats(checkout.event, "strong")]),
      decide: ([current, seats]): Decision<void> => {
        // Without the link, the payment has already failed, and this event of the provider is old.
        const isNew = current?.checkoutLink !== undefined && current.moneyUnderWay?.checkoutId !== checkout.id;
        if (!isNew || !waitsFor(current, checkout)) return answer(undefined);
        const heldUntil = holdUntil(context.now, longestWay, seats?.startsAt ?? context.now);
        const after = withMoneyUnderWay(current, { checkoutId: checkout.id, heldUntil }, context);
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: current, after, message }, context), undefined);
      },
    },
    context,
  );
