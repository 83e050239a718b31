import { notAuthorized } from "./problem.ts";

interface Failures {
  count: number;
  /** Epoch seconds. */
  lockedUntil: number;
  /** Epoch seconds. */
  lastAt: number;
}

/** Wrong passwords before the first pause. */
const FREE_FAILURES = 5;
/** Seconds; the longest pause, and how long failures are remembered. */
const LONGEST = 15 * 60;
/**
 * People whose failures are remembered. Unknown names count too, so that a pause does not show that an account exists.
 */
const MAXIMUM_REMEMBERED = 10_000;

/**
 * Slows down the guessing of passwords: after the fifth wrong password a person must wait one second, then two, four,
 * up to 15 minutes.
 * Source: Cognito developer guide, "Lockout behavior for failed sign-in attempts".
 */
export class SignInLimit {
  readonly #failures = new Map<string, Failures>();

  /** @throws IdentityProblem NotAuthorizedException during a pause; `now` in epoch seconds. */
  check(userId: string, now: number): void {
    const failures = this.#failures.get(userId);
    if (failures && failures.lockedUntil > now) throw notAuthorized("Password attempts exceeded");
  }

  /** Counts a wrong password. */
  failed(userId: string, now: number): void {
    const before = this.#failures.get(userId);
    const count = before && before.lastAt + LONGEST > now ? before.count + 1 : 1;
    const pause = count < FREE_FAILURES ? 0 : Math.min(2 ** (count - FREE_FAILURES), LONGEST);
    // Deleted first, so that the map stays in the order of the last failure.
    this.#failures.delete(userId);
    this.#failures.set(userId, { count, lockedUntil: now + pause, lastAt: now });
    if (this.#failures.size > MAXIMUM_REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }

  /** Forgets the wrong passwords after the right one. */
  succeeded(userId: string): void {
    this.#failures.delete(userId);
  }
}
