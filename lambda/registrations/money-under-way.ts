/** Somebody has paid by a means that takes days: their seat must not be given away while the money is on its way. */
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { holdUntil } from "../holds/holds.ts";
import type { Origin } from "../outbox/store.ts";
import { readSeats } from "../seats/store.ts";
import { membersOf } from "./change.ts";
import { factOf } from "./registration.ts";
import { type RegistrationCheckout, waitsFor } from "./session-end.ts";
import { readRegistration } from "./store.ts";
import { withMoneyUnderWay } from "./transition.ts";

/** Bank debits are through, or have failed, within ten days. */
const longestWay = 10 * 86_400_000;

/**
 * Moves the hold to at least when the money must have come, at most to the event's start as every hold.
 * @param arrival names this piece of news
 * @throws Contended UnknownOutcome the provider must bring the news again
 */
export function awaitMoney(checkout: RegistrationCheckout, arrival: string, origin: Origin): Promise<void> {
  return untilSettled<void>(async () => {
    const [current, seats] = await Promise.all([
      readRegistration(checkout, "strong"),
      readSeats(checkout.event, "eventual"),
    ]);
    // Without the link, the money has failed already: these are old news.
    const isNews = current?.checkoutLink !== undefined && current.moneyUnderWay?.checkoutId !== checkout.id;
    if (!isNews || !waitsFor(current, checkout)) return;
    const heldUntil = holdUntil(origin.now, longestWay, seats?.startsAt ?? origin.now);
    const occasion = { now: origin.now, arrival };
    const after = withMoneyUnderWay(current, { checkoutId: checkout.id, heldUntil }, occasion);
    const news = { type: "registration.updated", data: factOf(after) } as const;
    const { committed } = await commit(membersOf({ before: current, after, news }, origin));
    return committed ? undefined : again;
  });
}
