/**
 * Ends, every minute, the holds whose time is over. A run walks from its checkpoint to now, so that no hold is lost
 * when the sweeper stands still for hours. A hold that cannot be ended is set aside and tried again, less and less
 * often, and the run goes on with the other holds. When the time of a run is over, the next run does the rest
 * (`docs/design.md`, "A registration's life").
 */
import pMap from "p-map";
import { isStuck } from "#domain/registrations/holds/holds.ts";
import {
  advanceCheckpoint,
  asidesAtOnce,
  dropAside,
  dropHold,
  holdsOver,
  hourMilliseconds,
  hoursBetween,
  postpone,
  readAsides,
  readCheckpoint,
  type StoredAside,
  type StoredHold,
  setAside,
} from "#domain/registrations/holds/store.ts";
import { leave } from "#domain/registrations/leave.ts";
import { readRegistration } from "#domain/registrations/store.ts";
import { deadlineWithin, systemContext } from "#kit/context.ts";
import { count } from "#kit/count.ts";
import { counting } from "#kit/counting.ts";
import { NotFound } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { Deadline } from "#kit/retry.ts";
import { seam } from "#kit/seam.ts";
import { commit, type Key, queryOnce } from "#kit/table.ts";

const atOnce = 4;
const pageSize = 100;
/**
 * Milliseconds before the checkpoint at which a run begins: a function whose clock is slow may write a hold after the
 * sweeper has passed its place.
 */
const overlap = 600_000;
/** Milliseconds that the first run looks back. */
const firstLook = 7 * 86_400_000;
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
export async function endHold({ email, event, expiresAt }: StoredHold, now: number, within: Deadline): Promise<void> {
  const deadline = Math.min(deadlineWithin(undefined), within.deadline);
  const context = systemContext(`hold#${expiresAt}`, `hold-${expiresAt}`, now, deadline);
  const { changed } = await leave({ email, event, to: "cancelled", by: "system", because: "hold over" }, context).catch(
    (error: unknown) => {
      if (error instanceof NotFound) return { changed: false };
      throw error;
    },
  );
  if (changed) return;
  // The operation that changed the registration has dropped its hold too. A hold that is still there belongs to no
  // registration.
  const registration = await readRegistration({ email, event }, "strong");
  if (registration?.holdExpiresAt !== expiresAt) await commit({ hold: dropHold({ email, event, expiresAt }) });
}

/** The result of a run. */
export interface Swept {
  /** Holds that were ended or dropped. */
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
  readonly now: number;
  readonly #started = seam.now();
  /** Shared by all that the run does. */
  readonly #within: Deadline = { deadline: this.#started + lastCall };

  constructor(now: number) {
    this.now = now;
  }

  #isOver(): boolean {
    this.swept.isCut ||= seam.now() - this.#started > lastStart;
    return this.swept.isCut;
  }

  /**
   * Whether the hold could be ended. A try that takes too long counts as failed; it may still end the hold, and the
   * next try finds that out.
   */
  async #ends(hold: StoredHold, failures: number): Promise<boolean> {
    const waiting = new AbortController();
    const tooLate = seam.pause(patience, waiting.signal).then(() => {
      throw new Error("not ended in time");
    });
    try {
      await Promise.race([seam.endHold(hold, () => endHold(hold, this.now, this.#within)), tooLate]);
      this.swept.ended += 1;
      return true;
    } catch (error) {
      this.swept.failed += 1;
      log.error("hold not ended", { event: hold.event, expiresAt: hold.expiresAt, failures, error });
      return false;
    } finally {
      waiting.abort();
      tooLate.catch(() => undefined);
    }
  }

  /** @returns false when the time was over before all were done */
  async #each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<boolean> {
    const guarded = async (one: T) => {
      if (!this.#isOver()) await act(one);
    };
    await pMap(all, guarded, { concurrency: atOnce, stopOnError: false });
    return !this.swept.isCut;
  }

  /**
   * Ends the holds of an hour, or sets them aside.
   * @returns false when the time was over before all were done
   */
  async sweepHour(hour: number): Promise<boolean> {
    let last: Key | undefined;
    do {
      if (this.#isOver()) return false;
      const page = await queryOnce<StoredHold>({
        ...holdsOver(hour, this.now),
        Limit: pageSize,
        ExclusiveStartKey: last,
      });
      const isDone = await this.#each(page.items, async (hold) => {
        if (!(await this.#ends(hold, 1))) await setAside(hold, this.now, this.#within);
      });
      if (!isDone) return false;
      last = page.last;
    } while (last);
    return true;
  }

  /** Tries again the holds that are set aside and due. */
  async retry(asides: readonly StoredAside[]): Promise<void> {
    const due = asides.filter(({ nextTry }) => nextTry <= this.now);
    await this.#each(due, async (aside) => {
      if (await this.#ends(aside.hold, aside.failures + 1)) await dropAside(aside, this.#within);
      else await postpone(aside, this.now, this.#within);
    });
  }
}

/**
 * Ends the holds hour by hour. The checkpoint moves to the end of the last hour that is done, also when the run is cut
 * or fails.
 */
async function sweepHours(run: Run): Promise<void> {
  const from = ((await readCheckpoint()) ?? run.now - firstLook) - overlap;
  let sweptTo: number | undefined;
  try {
    for (const hour of hoursBetween(from, run.now)) {
      if (!(await run.sweepHour(hour))) break;
      sweptTo = Math.min(hour + hourMilliseconds, run.now);
    }
  } finally {
    if (sweptTo !== undefined) await advanceCheckpoint(sweptTo);
  }
}

export async function sweep(now: number): Promise<Swept> {
  const run = new Run(now);
  await sweepHours(run);
  await run.retry(await readAsides());
  const asides = await readAsides();
  // There may be more holds than a run reads, and any of those may be stuck. So all count as stuck.
  run.swept.stuck = asides.length < asidesAtOnce ? asides.filter(isStuck).length : asides.length;
  return run.swept;
}

export const handler = counting(async (): Promise<void> => {
  const swept = await sweep(Date.now());
  count("SweeperRuns");
  if (swept.ended + swept.failed > 0 || swept.isCut) log.info("holds swept", { ...swept });
  // The alarm counts failed runs. All other holds have been ended by now.
  if (swept.stuck > 0) throw new Error(`${swept.stuck} holds cannot be ended; the others have been`);
});
