/** How often a person may repeat what leaves an item or a message behind (`docs/contract.md`, `TOO_OFTEN`). Pure. */

import { TooOften } from "#kit/errors.ts";
import { hour, minute } from "#kit/text/time.ts";

/** How often a person has done something since a time in epoch milliseconds. The record that this writes has it. */
export interface Again {
  readonly since: number;
  readonly count: number;
}

interface Limit {
  readonly times: number;
  /** Milliseconds, from the first time that is counted. */
  readonly within: number;
  /** For the sentence: `You have … too often.` */
  readonly done: string;
}

/** The limits, each for one person and record, or one device. Correcting a form or changing one's mind needs fewer. */
export const limits = {
  // Registering and cancelling send two mails and two chat messages, from a quota that everybody shares.
  registerAgain: { times: 5, within: hour, done: "registered for this event" },
  changeAnswers: { times: 20, within: hour, done: "changed this registration" },
  // A declined card is tried again on the same page.
  openCheckout: { times: 10, within: hour, done: "opened a payment page" },
  sendFeedback: { times: 10, within: hour, done: "sent this form" },
  // A live game lasts an evening, so that no player waits long for the next trade.
  trade: { times: 60, within: 5 * minute, done: "traded" },
  // Each deletion sends a mail, and leaves an erasure to do.
  deleteAccount: { times: 3, within: hour, done: "deleted this account" },
  // A busy door looks for a person every minute, and asks the service a few times while a name is typed.
  searchAtDoor: { times: 300, within: hour, done: "searched" },
  changeFavourites: { times: 100, within: hour, done: "changed your favourites" },
} as const satisfies Readonly<Record<string, Limit>>;

/**
 * Increments the count. The transaction that stores it must be conditional on the unchanged record; then parallel
 * requests do not pass the limit. Within any period of that length there are at most twice as many.
 * @param again the previous count; undefined for the first time
 * @param now epoch milliseconds; when a clock was set back, it is earlier than the first time, and counts as that
 * @throws TooOften
 */
export function onceMore(what: keyof typeof limits, again: Again | undefined, now: number): Again {
  const { times, within, done } = limits[what];
  if (again === undefined || now >= again.since + within) return { since: now, count: 1 };
  const since = Math.min(again.since, now);
  if (again.count < times) return { since, count: again.count + 1 };
  throw new TooOften(`You have ${done} too often. Please try again later.`, since + within - now);
}
