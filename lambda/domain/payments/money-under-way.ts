/** Somebody has paid by a means that takes days: their seat must not be given away while the money is on its way. */

import { membersOf } from "#domain/registrations/change.ts";
import { holdUntil } from "#domain/registrations/holds/holds.ts";
import { factOf } from "#domain/registrations/registration.ts";
import { readSeats } from "#domain/registrations/seats/store.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { withMoneyUnderWay } from "#domain/registrations/transition.ts";
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { type RegistrationCheckout, waitsFor } from "./session-end.ts";

/** Bank debits are through, or have failed, within ten days. */
const longestWay = 10 * 86_400_000;

/**
 * Moves the hold to at least when the money must have come, at most to the event's start as every hold.
 * @throws Contended UnknownOutcome the provider must bring the message again
 */
export const awaitMoney = (checkout: RegistrationCheckout, context: RequestContext): Promise<void> =>
  execute(
    {
      depth: "certain",
      read: () => Promise.all([readRegistration(checkout, "strong"), readSeats(checkout.event, "strong")]),
      decide: ([current, seats]): Decision<void> => {
        // Without the link, the money has failed already: this message is an old one.
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
