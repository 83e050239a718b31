/**
 * Ends the expired holds every minute, earliest first, so that no hold is lost when the sweeper is down for hours, or a
 * hold is written after its end. A hold that cannot be ended, or whose checkout the provider has to be asked about, is
 * moved to its next try, and the run continues with the others. What a run does not reach, the next run does (`docs/design.md`, "Registration states and holds").
 */
import pMap from "p-map";
import { NotFound } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { deadlineWithin, type RequestContext, systemContext } from "#kit/request/context.ts";
import { seam } from "#kit/seam.ts";
import type { Deadline } from "#kit/table/retry.ts";
import { commit, queryPages, type Transaction } from "#kit/table/table.ts";
import { outboxRow } from "#outbox/store.ts";
import { dropHold, holdsUntil, moveHold, type StoredHold, stuckHolds } from "../holds/store.ts";
import { isHoldOver, leave } from "../leave.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { readRegistration } from "../store/store.ts";

const atOnce = 4;
const pageSize = 100;
/** Milliseconds after which a run starts no other hold. The function's timeout is fifty seconds. */
const lastStart = 20_000;
/** Milliseconds after which a run starts no other call. */
const lastCall = 38_000;
/** Milliseconds after which ending a hold counts as failed. */
const holdTimeout = 15_000;

/** Milliseconds for which a hold waits for the payment provider's answer. Its alarm rings after seven minutes. */
const longestSilence = 24 * 3_600_000;

const contextOf = ({ expiresAt }: StoredHold, now: number, within: Deadline): RequestContext =>
  systemContext(`hold-${expiresAt}`, now, Math.min(deadlineWithin(undefined), within.deadline));

/**
 * Ends one hold: the next person in line gets the seat, or the seat becomes free.
 * @param now epoch milliseconds
 * @returns `unheard` if its page may have been paid: the provider has to be asked first
 */
export async function endHold(hold: StoredHold, now: number, within: Deadline): Promise<"ended" | "unheard"> {
  const { email, event, expiresAt, failures } = hold;
  const mayBePaid = ({ checkoutLink }: RegistrationRecord): boolean =>
    checkoutLink !== undefined && now < expiresAt + longestSilence;
  const isMeant = (one: RegistrationRecord): boolean => isHoldOver(now)(one) && !mayBePaid(one);
  const { changed } = await leave(
    { email, event, to: "cancelled", origin: "clock/hold", isMeant },
    contextOf(hold, now, within),
  ).catch((error: unknown) => {
    if (error instanceof NotFound) return { changed: false };
    throw error;
  });
  // The departure has removed the hold item too, unless an earlier failure moved it.
  if (changed && failures === undefined) return "ended";
  const registration = await readRegistration({ email, event }, "strong");
  if (registration?.holdExpiresAt === expiresAt) {
    if (mayBePaid(registration)) return "unheard";
    throw new Error("the registration still has an expired hold");
  }
  // Orphaned: the registration has ended, is paid, or has a later hold.
  await commit({ hold: dropHold(hold) });
  return "ended";
}

/** The result of a run. */
export interface Swept {
  /** Holds that were ended or removed. */
  ended: number;
  /** Holds that wait for the payment provider's answer. */
  unheard: number;
  /** Holds that could not be ended. */
  failed: number;
  /** Whether the run ran out of time. */
  ranOutOfTime: boolean;
  /** Holds that require an operator. */
  stuck: number;
}

/** One run: its deadline and results. */
class Run {
  readonly swept: Swept = { ended: 0, unheard: 0, failed: 0, ranOutOfTime: false, stuck: 0 };
  readonly #now: number;
  readonly #started = performance.now();
  /** Shared by all calls of the run. */
  readonly #within: Deadline = { deadline: this.#started + lastCall };

  constructor(now: number) {
    this.#now = now;
  }

  #isOver(): boolean {
    this.swept.ranOutOfTime ||= performance.now() - this.#started > lastStart;
    return this.swept.ranOutOfTime;
  }

  /** A try that times out counts as failed; it may still end the hold, as the next try will find. */
  async #end(hold: StoredHold): Promise<"ended" | "unheard" | "failed"> {
    const waiting = new AbortController();
    const tooLate = seam.pause(holdTimeout, waiting.signal).then(() => {
      throw new Error("not ended in time");
    });
    try {
      return await Promise.race([seam.endHold(hold, () => endHold(hold, this.#now, this.#within)), tooLate]);
    } catch (error) {
      const { event, expiresAt, failures = 0 } = hold;
      log.error("hold not ended", { event, expiresAt, failures: failures + 1, error });
      return "failed";
    } finally {
      waiting.abort();
      tooLate.catch(() => undefined);
    }
  }

  /** Its consumer asks the provider and ends the hold. Without an answer, the hold's next try asks again. */
  #question(hold: StoredHold): Transaction {
    const { email, event } = hold;
    const data = { email, eventID: event.id, year: event.year };
    return { question: outboxRow({ type: "payment.unheard", data }, contextOf(hold, this.#now, this.#within)) };
  }

  /** Ends the holds that are due, or moves them to their next try. */
  async end(): Promise<void> {
    for await (const { items, last } of queryPages<StoredHold>({ ...holdsUntil(this.#now), Limit: pageSize })) {
      // Holds that failed before may take long and fail again, so the others come first.
      const holds = items.toSorted((a, b) => (a.failures ?? 0) - (b.failures ?? 0));
      const endOrMove = async (hold: StoredHold) => {
        if (this.#isOver()) return;
        const became = await this.#end(hold);
        this.swept[became] += 1;
        if (became === "ended") return;
        await moveHold(hold, this.#now, this.#within, became === "unheard" && this.#question(hold));
      };
      await pMap(holds, endOrMove, { concurrency: atOnce, stopOnError: false });
      if (last && this.#isOver()) return;
    }
  }

  /** Counts the holds that require an operator, also those with a later next try. */
  async countStuck(): Promise<void> {
    for await (const { count } of queryPages(stuckHolds(this.#now))) {
      this.swept.stuck += count;
      if (performance.now() >= this.#within.deadline) return;
    }
  }
}

export async function sweep(now: number): Promise<Swept> {
  const run = new Run(now);
  await run.end();
  await run.countStuck();
  return run.swept;
}
