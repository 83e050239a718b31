/**
 * Ends the holds that are over, every minute. It walks from where it got to last time up to now, so that a night's sleep
 * loses nothing. A hold that cannot be ended is set aside and tried again, less and less often: the others go on. A run
 * whose time is over leaves the rest to the next one.
 */
import { setTimeout as pause } from "node:timers/promises";
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
import { systemContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { commit, type Key, queryOnce } from "#kit/table.ts";

const atOnce = 4;
const pageSize = 100;
/** Milliseconds: a hold may have been written a little later than it says, by a clock that is a little behind. */
const overlap = 600_000;
/** Milliseconds: how far back the first run looks. */
const firstLook = 7 * 86_400_000;

/** Ends one hold: the seat goes to the next in line, or is free. */
export async function endHold({ email, event, expiresAt }: StoredHold, now: number): Promise<void> {
  const context = systemContext(`hold#${expiresAt}`, `hold-${expiresAt}`, now);
  const { changed } = await leave({ email, event, to: "cancelled", by: "system", because: "hold over" }, context).catch(
    (error: unknown) => {
      if (error instanceof NotFound) return { changed: false };
      throw error;
    },
  );
  if (changed) return;
  // Whoever changed the registration has dropped the hold with it; one that stayed all the same is nobody's.
  const registration = await readRegistration({ email, event }, "strong");
  if (registration?.holdExpiresAt !== expiresAt) await commit({ hold: dropHold({ email, event, expiresAt }) });
}

/** What a run does, and for how long. Replaced in tests only. */
export interface Steps {
  readonly endHold: typeof endHold;
  /** Milliseconds after which a run begins nothing new. The function has fifty seconds. */
  readonly lastStart: number;
  /** Milliseconds after which a hold counts as one that could not be ended. */
  readonly patience: number;
}

const ownSteps: Steps = { endHold, lastStart: 30_000, patience: 15_000 };

/** What a run did. */
export interface Swept {
  /** Holds that were ended or dropped. */
  ended: number;
  /** Holds that could not be ended. */
  failed: number;
  /** Its time was over before it got to the end. */
  isCut: boolean;
  /** Holds that an operator has to look at. */
  stuck: number;
}

/** One run: its time, and what it has done so far. */
class Run {
  readonly swept: Swept = { ended: 0, failed: 0, isCut: false, stuck: 0 };
  readonly now: number;
  readonly #steps: Steps;
  readonly #started = performance.now();

  constructor(now: number, steps: Steps) {
    this.now = now;
    this.#steps = steps;
  }

  #isOver(): boolean {
    this.swept.isCut ||= performance.now() - this.#started > this.#steps.lastStart;
    return this.swept.isCut;
  }

  /** Whether it could be ended. One that answers too late may have been, which the next try finds out. */
  async #ends(hold: StoredHold, failures: number): Promise<boolean> {
    const { endHold: end, patience } = this.#steps;
    const waiting = new AbortController();
    const tooLate = pause(patience, undefined, { signal: waiting.signal }).then(() => {
      throw new Error("not ended in time");
    });
    try {
      await Promise.race([end(hold, this.now), tooLate]);
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

  /** @returns false when the time was over before all of them were done */
  async #each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<boolean> {
    const guarded = async (one: T) => {
      if (!this.#isOver()) await act(one);
    };
    await pMap(all, guarded, { concurrency: atOnce, stopOnError: false });
    return !this.swept.isCut;
  }

  /** Ends the holds of an hour or sets them aside. @returns false when the time was over before all of them were done */
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
        if (!(await this.#ends(hold, 1))) await setAside(hold, this.now);
      });
      if (!isDone) return false;
      last = page.last;
    } while (last);
    return true;
  }

  /** Tries the holds that are set aside and due. */
  async retry(asides: readonly StoredAside[]): Promise<void> {
    const due = asides.filter(({ nextTry }) => nextTry <= this.now);
    await this.#each(due, async (aside) => {
      if (await this.#ends(aside.hold, aside.failures + 1)) await dropAside(aside);
      else await postpone(aside, this.now);
    });
  }
}

/** Ends the holds hour by hour. The checkpoint follows also when a run is cut or fails, up to the last hour done. */
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

export async function sweep(now: number, steps: Steps = ownSteps): Promise<Swept> {
  const run = new Run(now, steps);
  await sweepHours(run);
  await run.retry(await readAsides());
  const asides = await readAsides();
  // More than a run looks at is a failure of its own: among those behind may be any that are stuck.
  run.swept.stuck = asides.length < asidesAtOnce ? asides.filter(isStuck).length : asides.length;
  return run.swept;
}

export async function handler(): Promise<void> {
  const swept = await sweep(Date.now());
  if (swept.ended + swept.failed > 0 || swept.isCut) log.info("holds swept", { ...swept });
  // The alarm counts runs that fail. All the others are swept by then.
  if (swept.stuck > 0) throw new Error(`${swept.stuck} holds cannot be ended; the others have been`);
}
