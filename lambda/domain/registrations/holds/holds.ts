/** Rules for holds of unpaid seats (`docs/design.md`, "Registration states and holds"). Pure. */
import { minute } from "#kit/text/time.ts";

/** How long an unpaid seat is held, in milliseconds (`docs/contract.md`, "Moves of a registration"). */
export interface HoldDurations {
  /** A new registration for a priced event. */
  readonly newRegistration: number;
  /** A person who moved up from the waitlist of a priced event. */
  readonly promotion: number;
  /** An accepted application for a priced event. */
  readonly acceptance: number;
}

/** The settings of a function that begins holds (`durations.ts`). */
export const holdSettings = ["NEW_REGISTRATION_HOLD_MS", "PROMOTION_HOLD_MS", "ACCEPTANCE_HOLD_MS"] as const;

/**
 * The end of a hold. A hold ends at the start of the event at the latest, unless it begins after the start.
 * @param now epoch milliseconds
 * @param duration milliseconds
 * @param startsAt epoch milliseconds
 * @returns epoch milliseconds
 */
export const holdUntil = (now: number, duration: number, startsAt: number): number =>
  startsAt > now ? Math.min(now + duration, startsAt) : now + duration;

/** The longest delay between two tries to end a hold, in milliseconds. */
export const maxRetryDelay = 4 * 60 * minute;

/**
 * Delay before the next try to end a hold: 1, 2, 4, ... minutes, at most four hours.
 * @param failures number of failed tries, from 1
 * @returns milliseconds
 */
export const retryDelay = (failures: number): number => Math.min(minute * 2 ** (failures - 1), maxRetryDelay);

/**
 * Failed tries after which an operator has to intervene. The fourth failure is seven minutes after the first one, so
 * further retries are unlikely to succeed.
 */
export const failuresOfStuck = 4;
