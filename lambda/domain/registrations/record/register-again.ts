/** How often a person may register again for one event (`docs/contract.md`, "Registrations"). Pure. */
import { TooOften } from "#kit/errors.ts";

/** How often a person has registered again since a time in epoch milliseconds. The next hour begins a new count. */
export interface Again {
  readonly since: number;
  readonly count: number;
}

const hour = 3_600_000;

/**
 * Each time sends two mails and two chat messages, to register and to cancel, out of a quota that all people share. A
 * person who corrects a form or changes their mind needs fewer.
 */
export const maxPerHour = 5;

const sentence = "You have registered for this event too often within an hour. Please try again later.";

/**
 * The count with one more time.
 * @param again the count so far; undefined for the first time
 * @param now epoch milliseconds
 * @throws TooOften
 */
export function onceMore(again: Again | undefined, now: number): Again {
  if (again === undefined || now >= again.since + hour) return { since: now, count: 1 };
  if (again.count >= maxPerHour) throw new TooOften(sentence, again.since + hour - now);
  return { ...again, count: again.count + 1 };
}
