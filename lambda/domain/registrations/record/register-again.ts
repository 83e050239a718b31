/** How often a person may register again for one event (`docs/contract.md`, "Registrations"). Pure. */
import { TooOften } from "#kit/errors.ts";

/** How often a person has registered again since a time in epoch milliseconds. The count restarts after an hour. */
export interface Again {
  readonly since: number;
  readonly count: number;
}

const hour = 3_600_000;

/**
 * Registering and cancelling send two mails and two chat messages, from a quota that everybody shares. Correcting a form or
 * changing one's mind needs fewer.
 */
export const maxPerHour = 5;

const sentence = "You have registered for this event too often within an hour. Please try again later.";

/**
 * Increments the count.
 * @param again the previous count; undefined for the first time
 * @param now epoch milliseconds
 * @throws TooOften
 */
export function onceMore(again: Again | undefined, now: number): Again {
  if (again === undefined || now >= again.since + hour) return { since: now, count: 1 };
  if (again.count >= maxPerHour) throw new TooOften(sentence, again.since + hour - now);
  return { ...again, count: again.count + 1 };
}
