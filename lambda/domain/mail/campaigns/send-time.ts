/** The time of a campaign (`docs/contract.md`, "Emails"). Pure. */
import { toUtc } from "#domain/events/dates.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { day } from "#kit/text/time.ts";

/**
 * Days from when it was made. Shorter than an account's deletion is known (`erasures.ts`): who is deleted meanwhile is left
 * out of a list. Much shorter than its items are kept, which is counted from its first time.
 */
const daysAhead = 50;

interface Clock {
  /** IANA name. */
  readonly timeZone: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** When the campaign was made, epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * When a campaign begins, epoch milliseconds.
 * @param text ISO 8601; without an offset it is in the stage's zone
 * @throws ValidationFailed it is not ahead, or too far
 */
export function sendTime(text: string, { timeZone, now, createdAt }: Clock): number {
  const at = Date.parse(toUtc(text, timeZone));
  const refuse = (message: string) => new ValidationFailed([{ path: "/sendAt", message }]);
  if (!(at > now)) throw refuse("must be later than now; without it the mail goes out at once");
  if (at > createdAt + daysAhead * day) throw refuse(`must be within ${daysAhead} days`);
  return at;
}
