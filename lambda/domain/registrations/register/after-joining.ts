/** Reads the seats again after a newcomer has joined the line, because joining writes no shared item. */

import { mayPromote } from "#domain/capacity/allocate.ts";
import { readHead, readPlaceInLine } from "#domain/capacity/line.ts";
import type { PlaceInLine } from "#domain/capacity/place-in-line.ts";
import { poolOf } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { EventClosed } from "#domain/events/refusals.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import {
  afterCommit,
  answer,
  type Decision,
  execute,
  followUp,
  type Keep,
  readAfterCommit,
  write,
} from "#kit/table/execute.ts";
import { Backoff } from "#kit/table/retry.ts";
import { type Admission, type EntryRequest, eventAskedFor } from "../admission.ts";
import { closedSentence, isClosed } from "../form/eligibility.ts";
import { promote } from "../promote.ts";
import { type AuditRule, joinRules } from "../record/acts.ts";
import { deletionOf, type RegistrationRecord, tombstoneOf } from "../record/registration.ts";
import { messageOf, rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";
import { readRegistration, readWithSeats } from "../store/store.ts";

/** The facts on which the decision to wait was made. */
export interface Joined {
  /** The ended registration that the new one has replaced. */
  readonly before: RegistrationRecord | undefined;
  readonly termsVersion: number;
  /** Seats were free. */
  readonly freeSeats: boolean;
}

/**
 * Milliseconds between two reads for a person in line while the head of the line promotes. One promotion takes three calls
 * to the table.
 */
const betweenLooks = { least: 150, most: 300 };

/** Reads the seats of the pool and the registration, strongly consistent, and optionally the head of the line. */
async function readSeatsAndSelf({ email, pool }: RegistrationRecord, event: EventKey, withHead: boolean) {
  const [{ seats, registration }, head] = await Promise.all([
    readWithSeats({ email, event }),
    withHead ? readHead(event, pool) : undefined,
  ]);
  return { registration, seats: seats && poolOf(seats, pool), head: head?.queueKey };
}

/** @throws NotFound another request has already deleted the new registration */
function admissionOf(registration: RegistrationRecord | undefined, place: PlaceInLine | undefined): Admission {
  if (!registration || registration.status === "deleted") throw new NotFound("Registration");
  return registration.status === "waitlist" ? { registration, place } : { registration };
}

/** The situation of a person who has joined the line. `answered`: the person no longer waits. */
type Finding = "answered" | "event gone" | "event closed" | "other terms" | "waits" | "seat free";

/** Pure. @param now epoch milliseconds */
function findingOf(
  { seats, registration }: Awaited<ReturnType<typeof readSeatsAndSelf>>,
  { queueKey, generation }: RegistrationRecord,
  { termsVersion }: Joined,
  byAdmin: boolean,
  now: number,
): Finding {
  if (registration?.queueKey !== queueKey || registration.status !== "waitlist") return "answered";
  if (!seats || seats.state === "DELETED") return "event gone";
  if (seats.generation !== generation || seats.termsVersion !== termsVersion) return "other terms";
  if (!byAdmin && isClosed(seats, now)) return "event closed";
  return mayPromote(seats, now) ? "seat free" : "waits";
}

/**
 * Checks the seats after the person has joined the line. The event may be gone or closed, its terms may have changed, or a
 * seat may have become free before a promotion could see this person.
 * @returns undefined when the admission has to decide again
 * @throws NotFound the event is deleted
 * @throws EventClosed the event is closed
 */
export async function afterJoining(
  request: EntryRequest,
  registration: RegistrationRecord,
  joined: Joined,
  context: RequestContext,
  keep: Keep<Admission> | undefined,
): Promise<Admission | undefined> {
  const event = eventAskedFor(request);
  const backoff = new Backoff(context);
  // The place is optional, and read once, together with the seats. While seats are free, people in line usually get one
  // soon, so the place is read only if this person still waits at the end.
  const place = joined.freeSeats ? undefined : readPlaceInLine(event, registration);
  let headBefore: string | undefined;
  for (let hasPromoted = false; ; ) {
    const look = await readAfterCommit(() => readSeatsAndSelf(registration, event, joined.freeSeats), context);
    const finding = findingOf(look, registration, joined, joinRules(request.origin).times === "ignored", context.now);
    if (finding === "answered") return admissionOf(look.registration, undefined);
    if (finding === "waits" || (finding === "seat free" && hasPromoted)) {
      return place ? admissionOf(look.registration, await place) : admissionInLine(registration, event, context);
    }
    if (finding !== "seat free") {
      const before = finding === "event gone" ? undefined : joined.before;
      const decidesAgain = finding === "other terms";
      const { audit } = joinRules(request.origin);
      const undo = () => undoJoining(registration, { before, quietly: decidesAgain, audit }, context, keep);
      const other = await afterCommit(undo);
      if (other) return admissionOf(other, await place);
      if (decidesAgain) return undefined;
      throw finding === "event gone" ? new NotFound("Event") : new EventClosed(closedSentence);
    }
    // The request at the head promotes. While the head changes, promotions progress.
    const { head } = look;
    const isLed = head !== undefined && head !== registration.queueKey && head !== headBefore;
    if (isLed && !backoff.isOver) {
      headBefore = head;
      await backoff.rest(betweenLooks);
    } else {
      await followUp("promote", context, () => promote(event, context));
      hasPromoted = true;
    }
  }
}

/**
 * The result for a person who still waits when no seat is left. Registration and place are read at the same time, so that
 * they match.
 */
async function admissionInLine(
  joined: RegistrationRecord,
  event: EventKey,
  context: RequestContext,
): Promise<Admission> {
  const [{ registration }, place] = await Promise.all([
    readAfterCommit(() => readSeatsAndSelf(joined, event, false), context),
    readPlaceInLine(event, joined),
  ]);
  return admissionOf(registration, registration?.queueKey === joined.queueKey ? place : undefined);
}

/**
 * The registration after an undone join: the cancelled registration that it replaced, else a tombstone. The notice of the
 * join is superseded. A notice from before the join is still due when the undoing has none.
 */
function undone(
  joined: RegistrationRecord,
  before: RegistrationRecord | undefined,
  quietly: boolean,
  context: RequestContext,
): RegistrationRecord {
  const after =
    before?.status === "cancelled"
      ? { ...before, ...rewritten(context, joined) }
      : tombstoneOf({ ...joined, again: before?.again }, context);
  return { ...after, noticeVersion: quietly ? (before ?? joined).noticeVersion : after.version };
}

/** How a join is undone. */
interface Undoing {
  /** The registration that the join replaced; absent when the event is gone. */
  readonly before: RegistrationRecord | undefined;
  /** No notice is sent, because the next try admits the person immediately. */
  readonly quietly: boolean;
  readonly audit: AuditRule;
}

/**
 * Removes the newcomer from the line again.
 * @returns undefined when the join is undone; the registration when another request has changed it concurrently
 */
const undoJoining = (
  { email, queueKey, eventID, year }: RegistrationRecord,
  { before, quietly, audit }: Undoing,
  context: RequestContext,
  keep: Keep<Admission> | undefined,
): Promise<RegistrationRecord | undefined> =>
  execute(
    {
      keep: keep && { ...keep, member: keep.takenBack },
      read: () => readRegistration({ email, event: { id: eventID, year } }, "strong"),
      decide: (joined): Decision<RegistrationRecord | undefined> => {
        if (joined?.status !== "waitlist" || joined.queueKey !== queueKey) return answer(joined);
        const after = undone(joined, before, quietly, context);
        const message =
          after.status === "deleted"
            ? deletionOf(joined, after, joined.joined, quietly)
            : messageOf({ emits: "registration.cancelled", tells: quietly ? undefined : "cancelled" }, after);
        return write(membersOf({ before: joined, after, message, audit }, context), undefined);
      },
    },
    context,
  );
