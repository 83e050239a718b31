/** Changes an event, and its seats where they follow it. */

import { hasWaiters } from "#domain/capacity/line.ts";
import { adjustSeats, readSeats, type Seats } from "#domain/capacity/seats.ts";
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
import { adoptTerms } from "#domain/registrations/reactions/adopt-terms.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type IfMatch, requireMatch } from "#kit/etag.ts";
import { answer, type Decision, execute, followUp, write } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import { outboxRow } from "#outbox/store.ts";
import { settings } from "./settings.ts";

const workshopLists = new Set(["registrationQuestions", "partnerRegistrationQuestions"]);

const hasRegistrations = ({ changesMode }: ChangedEvent) =>
  new EventHasRegistrations(
    changesMode
      ? "An event with registrations cannot change whether it takes applications."
      : "An event with registrations cannot turn a question into a workshop selection, or back. Ask a new question instead.",
  );

/** Whether only an event without registrations may change so. */
const needsNone = ({ changesMode, changesCounting }: ChangedEvent): boolean => changesMode || changesCounting;

/** The facts for the change of an event. */
interface Facts {
  readonly change: ChangedEvent;
  readonly read: EventRecord;
  /** Read only where the seats follow the change. */
  readonly seats?: Seats | undefined;
  readonly hasWaiters?: boolean;
}

/** A committed change, and whether the seats followed it. */
interface Done {
  readonly event: EventRecord;
  readonly followed: boolean;
  /** People who join the line at the same moment may not fit the event any more. */
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
  const [seats, waiting] = await Promise.all([
    readSeats(event, "strong"),
    needsNone(change) && hasWaiters(event, event.generation),
  ]);
  return { change, read, seats, hasWaiters: waiting };
}

/** @throws EventHasRegistrations */
function decide(facts: Facts, context: RequestContext): Decision<Done> {
  const { change, read, seats, hasWaiters: isWaiting = false } = facts;
  const { event, changed } = change;
  if (changed.length === 0) return answer({ event: read, followed: false, mayMisfit: false });
  const onlyIfEmpty = needsNone(change);
  const isTaken = seats !== undefined && onlyIfEmpty && seats.seats + seats.applicants > 0;
  if (isWaiting || isTaken) throw hasRegistrations(change);
  const counted = seats?.choiceHolders ?? {};
  // Checked only when the questions change: stored counters may stay, whatever their size.
  if (changed.some((name) => workshopLists.has(name))) checkCounters(event, counted);
  const choices = { counted, questions: countedQuestions(event) };
  const members = {
    event: replaceEvent(event, read),
    message: outboxRow(changeOf(change), context),
    ...(seats && { seats: adjustSeats(event, seatSettings(event), choices, onlyIfEmpty) }),
    ...(changed.includes("capac") && { capacityMessage: outboxRow(capacityChangeOf(change), context) }),
  };
  return write(members, { event, followed: seats !== undefined, mayMisfit: onlyIfEmpty });
}

/** How many seats too many are taken; 0 when there is no time to look. The change is committed in any case. */
async function overCapacity(key: EventKey, context: RequestContext): Promise<number> {
  const seats = await followUp("overCapacity", context, () => retried(() => readSeats(key, "strong"), context));
  return seats ? Math.max(0, seats.seats - seats.capacity) : 0;
}

/**
 * Changes an event, and its seats where they follow it. Room that it makes goes to the people in line.
 * @returns the event, and how many seats too many are taken, when the change names a capacity
 * @throws NotFound PreconditionFailed ValidationFailed EventHasRegistrations
 */
export async function updateEvent(
  key: EventKey,
  changes: EventChanges,
  ifMatch: IfMatch | undefined,
  context: RequestContext,
) {
  const { event, followed, mayMisfit } = await execute(
    {
      read: () => readFacts(key, changes, ifMatch, context),
      decide: (facts: Facts) => decide(facts, context),
    },
    context,
  );
  if (mayMisfit) await followUp("adoptTerms", context, () => adoptTerms(event, context));
  if (followed) await followUp("promote", context, () => promote(key, context));
  return { event, overCapacityBy: changes.capac === undefined ? 0 : await overCapacity(key, context) };
}
