/**
 * Tells all seat holders of an event something by mail: that it was rescheduled, that it is about to begin, or that their
 * feedback is wanted. Writes one outbox row per person. Idempotent, because the row's name consists of the announcement and
 * the person.
 */

import pMap from "p-map";
import { readSeats, seatsIn } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { isPseudonym } from "#domain/people/users/erasures.ts";
import { allOf, queryItems } from "#kit/lists/pages.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { keyIn } from "#kit/table/item.ts";
import { retried } from "#kit/table/retry.ts";
import { getItems, type Item, type Key } from "#kit/table/table.ts";
import type { Message } from "#outbox/messages.ts";
import { nameOf, outboxRow } from "#outbox/store.ts";
import { peopleIn } from "../record/plus-ones.ts";
import { factOf, holdsSeat, type RegistrationRecord, registeredAtOf } from "../record/registration.ts";
import { registrationIn } from "../record/stored-form.ts";
import { byEvent } from "../store/store.ts";

/** Messages about an event that all who hold a seat hear of. */
type Announcement = Message<"event.rescheduled"> | Message<"event.mailDue">;

const rowsAtOnce = 32;

/**
 * Milliseconds after the rescheduling request by which its change is written, so that mails to newcomers have the new
 * date.
 */
const changeTime = 60_000;

/** What the notices of an announcement say, and what tells them from those of others. */
function noticeOf({ type, data }: Announcement) {
  if (type === "event.rescheduled") {
    const { scheduleVersion, isBack } = data;
    return { notice: "moved", name: scheduleVersion, scheduleVersion, ...(isBack && { isBack }) } as const;
  }
  return data.mail === "reminder"
    ? ({ notice: "reminder", name: `${data.hours} ${data.day}`, hours: data.hours } as const)
    : ({ notice: "feedback", name: data.form } as const);
}

function rowOf(message: Announcement, registration: RegistrationRecord) {
  const { data, occurredAt, actor, requestId } = message;
  const { id, year, generation } = data;
  const { name, ...notice } = noticeOf(message);
  return outboxRow(
    { type: "registration.updated", data: { ...factOf(registration), ...notice } },
    { now: occurredAt, actor, requestId },
    nameOf(occurredAt, [notice.notice, id, year, generation, name, registration.email]),
  );
}

/** Keys of the registrations of this generation, from the index, which is eventually consistent. */
async function registeredFor({ data }: Announcement, context: RequestContext): Promise<Key[]> {
  const { id, year, generation } = data;
  const rows = await retried(() => allOf(queryItems<Item>(byEvent({ id, year }))), context);
  return rows.filter((row) => row.generation === generation).map(keyIn);
}

/**
 * The registrations that hold a seat. The index provides only their keys. Each one is read again, strongly consistent: a
 * notice with an old version would be superseded, and not sent.
 */
async function holdersIn(message: Announcement, context: RequestContext): Promise<RegistrationRecord[]> {
  const keys = await registeredFor(message, context);
  const items = await retried(() => getItems<Item>(keys, "strong"), context);
  return items
    .map(registrationIn)
    .filter((registration) => registration.generation === message.data.generation && holdsSeat(registration));
}

/**
 * Whether the person is told. Of a new date who registered before the change: a late or repeated message contains no news
 * for others. Of a form who came, and whose form it is. Never one who is erased.
 */
function isTold(message: Announcement, event: EventRecord, registration: RegistrationRecord): boolean {
  if (isPseudonym(registration.email)) return false;
  if (message.type === "event.rescheduled") return registeredAtOf(registration) <= message.occurredAt + changeTime;
  if (message.data.mail === "reminder") return registration.status !== "checkedIn";
  const { form } = message.data;
  const isTheirs = (registration.isPartner ? "partner" : "attendee") === form;
  return isTheirs && registration.status === "checkedIn" && event[`${form}FeedbackEnabled`] === true;
}

/** How many people hold a seat in this generation of the event, strongly consistent. */
async function seatsTaken({ data }: Announcement, context: RequestContext): Promise<number> {
  const seats = await retried(() => readSeats(data, "strong"), context);
  return seats?.generation === data.generation ? seatsIn(seats) : 0;
}

/**
 * Tells the seat holders. Does nothing when the event is gone or was rescheduled again, which has its own message.
 * @throws AggregateError some rows could not be written; the others are written
 * @throws Error the index does not contain all seat holders yet; the others are notified
 */
export async function announce(message: Announcement, context: RequestContext): Promise<void> {
  const { id, year, generation } = message.data;
  const event = await retried(() => readEvent({ id, year }), context);
  const isMovedAgain =
    message.type === "event.rescheduled" && (event?.scheduleVersion ?? 0) > message.data.scheduleVersion;
  if (event?.generation !== generation || isMovedAgain) {
    log.info("announcement superseded", { id: message.id });
    return;
  }
  // The seats are read first: a person who gets a seat later is not counted as missing.
  const expected = await seatsTaken(message, context);
  const holders = await holdersIn(message, context);
  const told = holders.filter((holder) => isTold(message, event, holder));
  // A row that exists is refused, and counts as written.
  const tell = (holder: RegistrationRecord) => writeOnce({ row: rowOf(message, holder) }, context);
  await pMap(told, tell, { concurrency: rowsAtOnce, stopOnError: false });
  // SQS delivers the message again, and by then the index contains the missing registrations.
  if (peopleIn(holders) < expected) throw new Error("the index does not have all holders of seats yet");
}
