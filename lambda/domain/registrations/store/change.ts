/**
 * Builds the members of every transaction that writes a registration, from the registration before and after. Place in
 * line, hold, points, seats and message change with it, so that no operation can forget one.
 */

import { changeSeats, type SeatsChange } from "#domain/capacity/demands.ts";
import { joinLine, leaveLine, replacePlace } from "#domain/capacity/line.ts";
import type { Seats } from "#domain/capacity/seats.ts";
import type { CodeRecord } from "#domain/codes/code.ts";
import { giveUseBack, readCode, takeUse } from "#domain/codes/store.ts";
import type { TransactItem } from "#kit/table/table.ts";
import { type Audited, changesOf } from "#outbox/audit.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { type MessageContext, outboxRow } from "#outbox/store.ts";
import { personalFieldsOf } from "#outbox/stored-kinds.ts";
import { dropHold, type Hold, holdKey, putHold } from "../holds/store.ts";
import type { AuditRule, LeaveRules, Origin } from "../record/acts.ts";
import { followUpsOf } from "../record/follow-ups.ts";
import type { Move } from "../record/moves.ts";
import {
  codeInUse,
  holderOf,
  holdsSeat,
  type PlaceFields,
  placeOf,
  type RegistrationRecord,
} from "../record/registration.ts";
import { type AfterMove, afterMove, messageOf, refundOf } from "../record/transition.ts";
import { hasWaited } from "../record/waiting.ts";
import { addPoints } from "./leaderboard.ts";
import { dropOffer } from "./offers.ts";
import { pointsInTotal } from "./points.ts";
import { putRegistration } from "./store.ts";

/** The fields of a registration that determine its place, hold and message. A place in line has them too. */
export type Placed = PlaceFields &
  Pick<RegistrationRecord, "eventID" | "year" | "status" | "applicant" | "holdExpiresAt">;

interface PlacedChange {
  readonly before?: Placed | undefined;
  /** Of who has the seat from now on, which is never free. */
  readonly heir?: Pick<RegistrationRecord, "choices"> | undefined;
  readonly after: Placed;
  readonly message: OutboxMessage;
  /** The person joins the line while a seat is free, and the request waits for it. */
  readonly isAsking?: boolean | undefined;
  readonly audit: AuditRule;
  /** For the audit. */
  readonly reason?: string;
}

export interface Change extends PlacedChange {
  /** The stored record that was read. Undefined when the person has none. */
  readonly before?: RegistrationRecord | undefined;
  readonly after: RegistrationRecord;
  /** The member that changes the seats, if any. */
  readonly seats?: TransactItem<Seats> | undefined;
  /** What becomes of the payment of a seat that ends; by default it is owed. */
  readonly refund?: LeaveRules["refund"] | false | undefined;
  /**
   * The code as read, for a registration that takes a use. `gone`: nothing counts its uses any more. `handed on`: the use comes
   * with the seat of another person.
   */
  readonly code?: CodeRecord | "gone" | "handed on" | undefined;
}

const holdOf = ({ email, eventID, year, holdExpiresAt }: Placed): Hold | undefined =>
  holdExpiresAt === undefined ? undefined : { email, event: { id: eventID, year }, expiresAt: holdExpiresAt };

function placeMembers({ before, after, isAsking }: PlacedChange): Record<string, TransactItem> {
  const event = { id: after.eventID, year: after.year };
  const wasWaiting = before?.status === "waitlist";
  if (after.status !== "waitlist") return wasWaiting ? { place: leaveLine(event, before) } : {};
  if (!wasWaiting) return { place: joinLine(event, { ...placeOf(after), ...(isAsking && { isAsking }) }) };
  const stays = before.queueKey === after.queueKey && before.pool === after.pool;
  if (stays) return { place: replacePlace(event, placeOf(after), before.version) };
  return { place: joinLine(event, placeOf(after)), oldPlace: leaveLine(event, before) };
}

function holdMembers({ before, after }: PlacedChange): Record<string, TransactItem> {
  const [old, next] = [before && holdOf(before), holdOf(after)];
  if (old?.expiresAt === next?.expiresAt) return {};
  // A hold that was moved to its next try has another key. The sweeper will remove it.
  return { ...(old && { oldHold: dropHold(holdKey(old)) }), ...(next && { hold: putHold(next) }) };
}

/** An offer ends with the state in which it was made. One that was accepted stays, as who has handed a seat to whom. */
function offerMembers({ before, after }: Pick<Change, "before" | "after">): Record<string, TransactItem> {
  if (!before?.offer || before.offer === after.offer || after.left === "self/transfer") return {};
  return { oldOffer: dropOffer({ event: { id: before.eventID, year: before.year }, mark: before.offer }) };
}

/** Whether the person got a seat after some time in line. Applications accepted by an admin do not count. */
const hasMovedUp = (before: Placed | undefined, after: Placed, now: number): boolean =>
  before?.status === "waitlist" &&
  (after.status === "registered" || after.status === "incomplete") &&
  hasWaited(before, now);

/**
 * A registration takes a use of its code when it begins, in whatever state, and gives it back when it ends.
 * @throws Error the operation has not read the code
 */
function codeMembers({ before, after, code, heir }: Change): Record<string, TransactItem> {
  if (heir || code === "handed on") return {};
  const [was, is] = [before && codeInUse(before), codeInUse(after)];
  const keyOf = (registration: Change["after"], id: string) => `${registration.generation} ${id}`;
  if (was && is && before && keyOf(before, was.id) === keyOf(after, is.id)) return {};
  if (is && code === undefined) throw new Error("a use of a code that was not read");
  const of = ({ eventID: id, year, generation }: Change["after"]) => ({ id, year, generation });
  return {
    ...(was && before && { oldCode: giveUseBack(of(before), was.id) }),
    ...(is && code && code !== "gone" && { code: takeUse(of(after), code) }),
  };
}

/** The member that gives back the use of its code, for a registration that counts it no more. None if the code is gone. */
export async function useGivenBack(registration: RegistrationRecord): Promise<Record<string, TransactItem>> {
  const use = codeInUse(registration);
  const of = { id: registration.eventID, year: registration.year, generation: registration.generation };
  return use && (await readCode(of, use.id)) ? { oldCode: giveUseBack(of, use.id) } : {};
}

/** The registration after the change: of a code that is gone it has no use that it would give back. */
function withCode({ after, code }: Change): Change["after"] {
  if (code !== "gone" || !codeInUse(after)) return after;
  const { code: _, ...rest } = after;
  return rest;
}

/** Adds follow-ups and facts for notices to the message of a change. */
function completed({ before, after, message, isAsking, heir }: PlacedChange, now: number): OutboxMessage {
  const movedUp = hasMovedUp(before, after, now);
  // A person who waits for another pool has given the seat to no other.
  const isSamePool = before?.pool === after.pool;
  const movedDown = before !== undefined && holdsSeat(before) && after.status === "waitlist" && isSamePool;
  const more = {
    followUps: followUpsOf(before, before && heir ? { ...before, choices: heir.choices } : after),
    ...(movedUp && { movedUp }),
    ...(movedDown && { movedDown }),
    ...(isAsking && { isAsking }),
  };
  return { ...message, data: { ...message.data, ...more } } as OutboxMessage;
}

const personal = [...personalFieldsOf("registration"), "checkoutLink"];

/** What the audit notes of a change. */
function auditOf({ before, after, audit, reason }: PlacedChange): Audited | undefined {
  const why = reason !== undefined && { reason };
  if (audit === "nothing") return why || undefined;
  const { status } = after;
  return { ...why, changes: before ? changesOf(before, after, personal) : [{ field: "status", after: status }] };
}

/** The members of a change. `seats` is typed, because a refusal returns its item. */
export type ChangeMembers = Record<string, TransactItem> & {
  readonly registration: TransactItem;
  readonly seats?: TransactItem<Seats>;
};

/** The members that follow from a change, except for the registration itself. */
export const placedMembers = (change: PlacedChange, context: MessageContext): Record<string, TransactItem> => ({
  ...placeMembers(change),
  ...holdMembers(change),
  message: outboxRow(completed(change, context.now), context, undefined, auditOf(change)),
});

/** Who made the last change, if not the person. */
const by = ({ actor }: MessageContext, email: string): string | undefined => (actor === email ? undefined : actor);

/** The members of the transaction that makes a change. */
export function membersOf(change: Change, context: MessageContext): ChangeMembers {
  const { before, after, seats, refund: rule = "owed" } = change;
  const refund = before && rule ? refundOf(before, after, rule === "by rule") : undefined;
  const gained = pointsInTotal(after) - (before ? pointsInTotal(before) : 0);
  return {
    ...(seats && { seats }),
    registration: putRegistration({ ...withCode(change), changedBy: by(context, after.email) }, before),
    ...codeMembers(change),
    ...(gained !== 0 && { points: addPoints(after, gained) }),
    ...placedMembers(change, context),
    ...offerMembers(change),
    ...(refund && { refund: outboxRow(refund, context) }),
  };
}

/** Who makes a move, what the audit notes, and the fields that it sets. */
interface MoveDetails {
  /** Absent: it follows from another change, or is made at the door. */
  readonly origin?: Origin;
  readonly audit: AuditRule;
  readonly fields?: AfterMove | undefined;
}

/**
 * A move that neither takes nor frees a seat: the registration after it, and the members.
 * @param claim the move's conditions on the seats; undefined: none, and no count changes
 * @param decided the basis of the decision: the seats, or a registration of the same generation
 */
export function moved(
  before: RegistrationRecord,
  move: Move,
  claim: "recount" | "recountUnderTerms" | "recountAlways" | undefined,
  decided: SeatsChange["decided"],
  context: MessageContext,
  { origin, audit, fields }: MoveDetails,
): { readonly after: RegistrationRecord; readonly members: ChangeMembers } {
  const after = afterMove(before, move, context, fields);
  const event = { id: after.eventID, year: after.year };
  const change = { decided, leaving: [holderOf(before)], joining: [holderOf(after)] };
  const seats = claim && changeSeats(event, claim, change);
  return {
    after,
    members: membersOf({ before, after, message: messageOf(move, after, origin), seats, audit }, context),
  };
}
