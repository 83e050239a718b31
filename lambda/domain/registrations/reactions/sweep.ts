/**
 * Ends, every minute, the holds whose time is over, from the earliest one on. So no hold is lost when the sweeper stands
 * still for hours, or when a hold is written after its end. A hold that cannot be ended is moved to its next try, and
 * the run goes on with the other holds. When the time of a run is over, the next run does the rest (`docs/design.md`,
 * "Registration states and holds").
 */
import pMap from "p-map";
import { deadlineWithin, systemContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { Deadline } from "#kit/retry.ts";
import { seam } from "#kit/seam.ts";
import { commit, queryPages } from "#kit/table.ts";
import { dropHold, holdsUntil, moveHold, type StoredHold, stuckHolds } from "../holds/store.ts";
import { isHoldOver, leave } from "../leave.ts";
import { readRegistration } from "../store/store.ts";

const atOnce = 4;
const pageSize = 100;
/** Milliseconds after which a run begins no hold. The timeout of the function is fifty seconds. */
const lastStart = 20_000;
/** Milliseconds after which a run begins no call. */
const lastCall = 38_000;
/** Milliseconds after which a hold counts as one that could not be ended. */
const patience = 15_000;

/**
 * Ends one hold: the next person in line gets the seat, or the seat becomes free.
 * @param now epoch milliseconds
 */
export async function endHold(hold: StoredHold, now: number, within: Deadline): Promise<void> {
  const { email, event, expiresAt, failures } = hold;
  const deadline = Math.min(deadlineWithin(undefined), within.deadline);
  const context = systemContext(`hold-${expiresAt}`, now, deadline);
  const { changed } = await leave(
    { email, event, to: "cancelled", by: "system", because: "hold over", isMeant: isHoldOver(now) },
    context,
  ).catch((error: unknown) => {
    if (error instanceof NotFound) return { changed: false };
    throw error;
  });
  // The departure has removed the hold too, unless an earlier failure has moved it.
  if (changed && failures === undefined) return;
  const registration = await readRegistration({ email, event }, "strong");
  if (registration?.holdExpiresAt === expiresAt) throw new Error("the registration keeps a hold that is over");
  // The registration has ended, is paid, or has a later hold. This one belongs to no registration.
  await commit({ hold: dropHold(hold) });
}

/** The result of a run. */
export interface Swept {
  /** Holds that were ended or removed. */
  ended: number;
  /** Holds that could not be ended. */
  failed: number;
  /** Whether the time was over before the run had done all. */
  isCut: boolean;
  /** Holds that an operator has to look at. */
  stuck: number;
}

/** One run: its time, and what it has done so far. */
class Run {
  readonly swept: Swept = { ended: 0, failed: 0, isCut: false, stuck: 0 };
  readonly #now: number;
  readonly #started = seam.now();
  /** Shared by all that the run does. */
  readonly #within: Deadline = { deadline: this.#started + lastCall };

  constructor(now: number) {
    this.#now = now;
  }

  #isOver(): boolean {
    this.swept.isCut ||= seam.now() - this.#started > lastStart;
    return this.swept.isCut;
  }

  /**
   * Whether the hold could be ended. A try that takes too long counts as failed; it may still end the hold, and the
   * next try finds that out.
   */
  async #ends(hold: StoredHold): Promise<boolean> {
    const waiting = new AbortController();
    const tooLate = seam.pause(patience, waiting.signal).then(() => {
      throw new Error("not ended in time");
    });
    try {
      await Promise.race([seam.endHold(hold, () => endHold(hold, this.#now, this.#within)), tooLate]);
      this.swept.ended += 1;
      return true;
    } catch (error) {
      this.swept.failed += 1;
      const { event, expiresAt, failures = 0 } = hold;
      log.error("hold not ended", { event, expiresAt, failures: failures + 1, error });
      return false;
    } finally {
      waiting.abort();
      tooLate.catch(() => undefined);
    }
  }

  /** Ends the holds that are due, or moves them to their next try. */
  async end(): Promise<void> {
    for await (const { items, last } of queryPages<StoredHold>({ ...holdsUntil(this.#now), Limit: pageSize })) {
      // What has failed before may take long and fail again, so the others come first.
      const holds = items.toSorted((a, b) => (a.failures ?? 0) - (b.failures ?? 0));
      const endOrMove = async (hold: StoredHold) => {
        if (this.#isOver()) return;
        if (!(await this.#ends(hold))) await moveHold(hold, this.#now, this.#within);
      };
      await pMap(holds, endOrMove, { concurrency: atOnce, stopOnError: false });
      if (last && this.#isOver()) return;
    }
  }

  /** Counts the holds that an operator has to look at, also those whose next try is later. */
  async countStuck(): Promise<void> {
    for await (const { count } of queryPages(stuckHolds(this.#now))) {
      this.swept.stuck += count;
      if (seam.now() >= this.#within.deadline) return;
    }
  }
}

export async function sweep(now: number): Promise<Swept> {
  const run = new Run(now);
  await run.end();
  await run.countStuck();
  return run.swept;
}
