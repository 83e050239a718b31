/**
 * Tells people that an event has moved: writes one outbox row for each person who holds a seat. A second run writes no
 * second row, because event, schedule and person make the name of the row.
 */
import pMap from "p-map";
import { readSeats } from "#domain/capacity/seats.ts";
import { readEvent } from "#domain/events/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { writeOnce } from "#kit/execute.ts";
import { log } from "#kit/log.ts";
import { allOf, queryItems } from "#kit/pages.ts";
import { retried } from "#kit/retry.ts";
import { getItems, type Item, type Key } from "#kit/table.ts";
import type { Message } from "#outbox/messages.ts";
import { nameOf, outboxRow } from "#outbox/store.ts";
import { factOf, holdsSeat, type RegistrationRecord } from "../record/registration.ts";
import { registrationIn } from "../record/stored-form.ts";
import { byEvent } from "../store/store.ts";

type Rescheduling = Message<"event.rescheduled">;

const rowsAtOnce = 32;

/**
 * Milliseconds after the request that moved the event. By then its change is written, and the mail of a newcomer names
 * the new date.
 */
const changeTime = 60_000;

function rowOf({ data, occurredAt, actor, requestId }: Rescheduling, registration: RegistrationRecord) {
  const { id, year, generation, scheduleVersion } = data;
  return outboxRow(
    { type: "registration.updated", data: { ...factOf(registration), notice: "moved", scheduleVersion } },
    { now: occurredAt, actor, requestId },
    nameOf(occurredAt, ["moved", id, year, generation, scheduleVersion, registration.email]),
  );
}

/** Keys of the registrations of this generation, from the index, which is eventually consistent. */
async function registeredFor({ data }: Rescheduling, context: RequestContext): Promise<Key[]> {
  const { id, year, generation } = data;
  const rows = await retried(() => allOf(queryItems<Item>(byEvent({ id, year }))), context);
  return rows.filter((row) => row.generation === generation).map(({ PK, SK }) => ({ PK, SK }));
}

/**
 * The registrations that hold a seat. The index only says which registrations exist. Each one is read again, strongly
 * consistent: a notice with an old version would count as superseded, and the person would not hear of the move.
 */
async function holdersIn(message: Rescheduling, context: RequestContext): Promise<RegistrationRecord[]> {
  const keys = await registeredFor(message, context);
  const items = await retried(() => getItems<Item>(keys, "strong"), context);
  return items
    .map(registrationIn)
    .filter((registration) => registration.generation === message.data.generation && holdsSeat(registration));
}

/** Whether the move is news: a message that comes late or again has nothing new for people who registered since. */
const isNews = ({ occurredAt }: Rescheduling, { createdAt }: RegistrationRecord): boolean =>
  createdAt <= occurredAt + changeTime;

/** How many people hold a seat in this generation of the event, strongly consistent. */
async function seatsTaken({ data }: Rescheduling, context: RequestContext): Promise<number> {
  const seats = await retried(() => readSeats(data, "strong"), context);
  return seats?.generation === data.generation ? seats.seats : 0;
}

/**
 * Announces that an event has moved. Does nothing when the event is gone or has moved again: the later move has its own
 * message.
 * @throws AggregateError some rows could not be written for now; the other rows are written
 * @throws Error the index does not have all holders of seats yet; those that it has are told
 */
export async function announceMove(message: Rescheduling, context: RequestContext): Promise<void> {
  const { id, year, generation, scheduleVersion } = message.data;
  const event = await retried(() => readEvent({ id, year }), context);
  if (event?.generation !== generation || event.scheduleVersion > scheduleVersion) {
    log.info("move superseded", { id: message.id });
    return;
  }
  // The seats are read first: a person who gets a seat later is not counted as missing.
  const expected = await seatsTaken(message, context);
  const holders = await holdersIn(message, context);
  const told = holders.filter((holder) => isNews(message, holder));
  // A row that is there already is refused, and counts as written.
  const tell = (holder: RegistrationRecord) => writeOnce({ row: rowOf(message, holder) }, context);
  await pMap(told, tell, { concurrency: rowsAtOnce, stopOnError: false });
  // SQS brings the message again, and by then the index has the missing registrations.
  if (holders.length < expected) throw new Error("the index does not have all holders of seats yet");
}
