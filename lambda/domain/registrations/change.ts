/**
 * Makes the members of every transaction that writes a registration, from the registration before and after. Place in
 * line, hold, points, seats and message change together with it, so that no operation can forget one.
 */
import type { TransactItem } from "#kit/table.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { type MessageContext, outboxRow } from "#outbox/store.ts";
import { followUpsOf } from "./follow-ups.ts";
import { dropHold, type Hold, holdKey, putHold } from "./holds/store.ts";
import { joinLine, leaveLine, replacePlace } from "#domain/capacity/line.ts";
import { pointsInTotal } from "./points/points.ts";
import { addPoints } from "./points/store.ts";
import { placeOf, type RegistrationRecord } from "./registration.ts";
import { hasWaited, type Seats } from "#domain/capacity/seats.ts";
import { putRegistration } from "./store.ts";
import { refundOf } from "./transition.ts";

export interface Change {
  /** The stored record that was read. Undefined when the person has none. */
  readonly before?: RegistrationRecord | undefined;
  readonly after: RegistrationRecord;
  readonly message: OutboxMessage;
  /** The member that changes the seats, if they change. */
  readonly seats?: TransactItem<Seats> | undefined;
  /** The person joins the line although a seat is free, and the request waits for it. */
  readonly isAsking?: boolean | undefined;
  /** No refund is asked for, whatever ends. */
  readonly withoutRefund?: boolean | undefined;
}

const holdOf = ({ email, eventID, year, holdExpiresAt }: RegistrationRecord): Hold | undefined =>
  holdExpiresAt === undefined ? undefined : { email, event: { id: eventID, year }, expiresAt: holdExpiresAt };

function placeMembers({ before, after, isAsking }: Change): Record<string, TransactItem> {
  const event = { id: after.eventID, year: after.year };
  const wasWaiting = before?.status === "waitlist";
  if (after.status !== "waitlist") return wasWaiting ? { place: leaveLine(event, before) } : {};
  if (!wasWaiting) return { place: joinLine(event, { ...placeOf(after), ...(isAsking && { isAsking }) }) };
  if (before.queueKey === after.queueKey) return { place: replacePlace(event, placeOf(after), before.version) };
  return { place: joinLine(event, placeOf(after)), oldPlace: leaveLine(event, before) };
}

function holdMembers({ before, after }: Change): Record<string, TransactItem> {
  const [old, next] = [before && holdOf(before), holdOf(after)];
  if (old?.expiresAt === next?.expiresAt) return {};
  // An old hold that was moved to its next try is not under this key. The sweeper removes it when it comes to it.
  return { ...(old && { oldHold: dropHold(holdKey(old)) }), ...(next && { hold: putHold(next) }) };
}

/**
 * Whether the person got a seat after some time in line. An accepted application does not count: an admin decided it.
 */
const hasMovedUp = (before: RegistrationRecord | undefined, after: RegistrationRecord, now: number): boolean =>
  before?.status === "waitlist" &&
  (after.status === "registered" || after.status === "incomplete") &&
  hasWaited(before, now);

/** Adds the follow-ups to the message of a change, and what notices depend on besides the move. */
function messageOf({ before, after, message, isAsking }: Change, now: number): OutboxMessage {
  const movedUp = hasMovedUp(before, after, now);
  const more = { followUps: followUpsOf(before, after), ...(movedUp && { movedUp }), ...(isAsking && { isAsking }) };
  return { ...message, data: { ...message.data, ...more } } as OutboxMessage;
}

/** The members of a change. The seats are typed, because a refusal returns their item. */
export type ChangeMembers = Record<string, TransactItem> & {
  readonly registration: TransactItem;
  readonly seats?: TransactItem<Seats>;
};

/** The members of the transaction that makes a change. */
export function membersOf(change: Change, context: MessageContext): ChangeMembers {
  const { before, after, seats, withoutRefund = false } = change;
  const refund = before && !withoutRefund ? refundOf(before, after) : undefined;
  const gained = pointsInTotal(after) - (before ? pointsInTotal(before) : 0);
  return {
    ...(seats && { seats }),
    registration: putRegistration(after, before),
    ...placeMembers(change),
    ...holdMembers(change),
    ...(gained !== 0 && { points: addPoints(after, gained) }),
    message: outboxRow(messageOf(change, context.now), context),
    ...(refund && { refund: outboxRow(refund, context) }),
  };
}
