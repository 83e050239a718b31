/** Changes an event, and its seats where they depend on it. */

import { hasWaiters, isWaitedIn } from "#domain/capacity/line.ts";
import {
  adjustSeats,
  type OnlyWithout,
  type Pool,
  poolOf,
  readSeats,
  type Seats,
  takenIn,
} from "#domain/capacity/seats.ts";
import {
  type ChangedEvent,
  changeEvent,
  type EventKey,
  type EventRecord,
  editedEvent,
  withQuestionIds,
} from "#domain/events/event.ts";
import type { EventChanges } from "#domain/events/event-input.ts";
import { capacityChangeOf, changeOf } from "#domain/events/facts.ts";
import { EventHasRegistrations } from "#domain/events/refusals.ts";
import { countedQuestions, seatSettings } from "#domain/events/seat-settings.ts";
import { readEvent, replaceEvent } from "#domain/events/store.ts";
import { touchesSeats } from "#domain/events/touches-seats.ts";
import { checkCounters } from "#domain/events/workshop-size.ts";
import { promote } from "#domain/registrations/promote.ts";
import { adoptTerms, seatPartners } from "#domain/registrations/reactions/adopt-terms.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type IfMatch, requireMatch } from "#kit/request/etag.ts";
import { answer, type Decision, execute, followUp, write } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { changesOf } from "#outbox/audit.ts";
import { outboxRow } from "#outbox/store.ts";
import { settings } from "./settings.ts";

const workshopLists = new Set(["registrationQuestions", "partnerRegistrationQuestions"]);

const hasRegistrations = ({ changesMode, changesCounting }: ChangedEvent) => {
  if (changesMode) {
    return new EventHasRegistrations("An event with registrations cannot change whether it takes applications.");
  }
  return new EventHasRegistrations(
    changesCounting
      ? "An event with registrations cannot turn a question into a workshop selection, or back. Ask a new question instead."
      : "Partners have seats of their own, or wait for one. Set partnerCapac to a number instead.",
  );
};

const isAllotted = (seats: number) =>
  new EventHasRegistrations(`People with codes have seats of the allotment: it must be at least ${seats}.`);

/** Whom the change is allowed without. */
function neededWithout({ changesMode, changesCounting, changesPools, event }: ChangedEvent): OnlyWithout {
  if (changesMode || changesCounting) return "anybody";
  return changesPools && event.partnerCapac === undefined ? "partners' seats" : undefined;
}

const isWaiting = (event: EventRecord, whom: OnlyWithout): Promise<boolean> | false => {
  const { generation } = event;
  if (whom === undefined) return false;
  return whom === "anybody" ? hasWaiters(event, generation) : isWaitedIn(event, { generation, pool: "partners" });
};

interface Facts {
  readonly change: ChangedEvent;
  readonly read: EventRecord;
  /** Read only when the change affects the seats. */
  readonly seats?: Seats | undefined;
  readonly hasWaiters?: boolean;
}

/** A committed change, and whether it changed the seats. */
interface Done {
  readonly event: EventRecord;
  readonly changedSeats: boolean;
  /** People who join the line concurrently may not fit the event's terms. */
  readonly mayMisfit: boolean;
}

async function readFacts(
  key: EventKey,
  changes: EventChanges,
  ifMatch: IfMatch | undefined,
  { now }: RequestContext,
): Promise<Facts> {
  const read = await readEvent(key);
  if (!read) throw new NotFound("Event");
  requireMatch(ifMatch, editedEvent(read));
  const change = changeEvent(read, withQuestionIds(changes, read), { now, ...settings });
  const { event, changed } = change;
  if (!touchesSeats(changed)) return { change, read };
  const [seats, waiting] = await Promise.all([readSeats(event, "strong"), isWaiting(event, neededWithout(change))]);
  return { change, read, seats, hasWaiters: waiting };
}

/** @throws EventHasRegistrations */
function decide(facts: Facts, context: RequestContext): Decision<Done> {
  const { change, read, seats, hasWaiters: waiting = false } = facts;
  const { event, changed } = change;
  if (changed.length === 0) return answer({ event: read, changedSeats: false, mayMisfit: false });
  const onlyWithout = neededWithout(change);
  const taken = { anybody: takenIn, "partners' seats": ({ partnerSeats = 0 }: Seats) => partnerSeats };
  const isTaken = seats !== undefined && onlyWithout !== undefined && taken[onlyWithout](seats) > 0;
  if (waiting || isTaken) throw hasRegistrations(change);
  const allotted = seats?.allotmentSeats ?? 0;
  if (allotted > (event.allotment ?? 0)) throw isAllotted(allotted);
  const counted = seats?.choiceHolders ?? {};
  // Checked only when the questions change, so that counters that are too large already do not block other changes.
  if (changed.some((name) => workshopLists.has(name))) checkCounters(event, counted);
  const choices = { counted, questions: countedQuestions(event) };
  const members = {
    event: replaceEvent(event, read),
    message: outboxRow(changeOf(change), context, undefined, { changes: changesOf(read, event, ["replyTo"]) }),
    ...(seats && { seats: adjustSeats(event, seatSettings(event), choices, onlyWithout) }),
    ...(changed.includes("capac") && { capacityMessage: outboxRow(capacityChangeOf(change), context) }),
  };
  const mayMisfit = onlyWithout !== undefined || change.changesPools;
  return write(members, { event, changedSeats: seats !== undefined, mayMisfit });
}

/** How many seats of these pools are taken beyond their capacity; 0 when there is no time left to read it. */
async function overCapacity(key: EventKey, changed: readonly Pool[], context: RequestContext): Promise<number> {
  if (changed.length === 0) return 0;
  const read = await followUp("overCapacity", context, () => retried(() => readSeats(key, "strong"), context));
  const excess = (pool: Pool) => {
    const { seats, capacity } = poolOf(read as Seats, pool);
    return Math.max(0, seats - capacity);
  };
  return read ? changed.reduce((sum, pool) => sum + excess(pool), 0) : 0;
}

/** The pools whose capacity the admin sets. */
const poolsSetBy = ({ capac, allotment, partnerCapac }: EventChanges): readonly Pool[] => [
  ...(capac === undefined && allotment === undefined ? [] : [undefined]),
  ...(partnerCapac === undefined ? [] : (["partners"] as const)),
];

/**
 * Changes an event, and its seats where they depend on it. Seats that become free go to the people in line.
 * @returns the event, and, when a capacity changes, how many seats are taken beyond it
 * @throws NotFound PreconditionFailed ValidationFailed EventHasRegistrations
 */
export async function updateEvent(
  key: EventKey,
  changes: EventChanges,
  ifMatch: IfMatch | undefined,
  context: RequestContext,
) {
  const { event, changedSeats, mayMisfit } = await execute(
    {
      read: () => readFacts(key, changes, ifMatch, context),
      decide: (facts: Facts) => decide(facts, context),
    },
    context,
  );
  if (mayMisfit) {
    await followUp("adoptTerms", context, async () => {
      await adoptTerms(event, context);
      if (event.partnerCapac !== undefined) await seatPartners(event, context);
    });
  }
  if (changedSeats) await followUp("promote", context, () => promote(key, context));
  return { event, overCapacityBy: await overCapacity(key, poolsSetBy(changes), context) };
}
