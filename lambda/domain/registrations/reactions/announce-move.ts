/**
 * Announces a rescheduled event: writes one outbox row per seat holder. Idempotent, because the row's name consists of
 * event, schedule version and person.
 */
import pMap from "p-map";
import { readSeats } from "#domain/capacity/seats.ts";
import { readEvent } from "#domain/events/store.ts";
import { allOf, queryItems } from "#kit/lists/pages.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { getItems, type Item, type Key } from "#kit/table/table.ts";
import type { Message } from "#outbox/messages.ts";
import { nameOf, outboxRow } from "#outbox/store.ts";
import { factOf, holdsSeat, type RegistrationRecord, registeredAtOf } from "../record/registration.ts";
import { registrationIn } from "../record/stored-form.ts";
import { byEvent } from "../store/store.ts";

type Rescheduling = Message<"event.rescheduled">;

const rowsAtOnce = 32;

/**
 * Milliseconds after the rescheduling request by which its change is written, so that mails to newcomers have the new
 * date.
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
 * The registrations that hold a seat. The index provides only their keys. Each one is read again, strongly consistent: a
 * notice with an old version would be superseded, and not sent.
 */
async function holdersIn(message: Rescheduling, context: RequestContext): Promise<RegistrationRecord[]> {
  const keys = await registeredFor(message, context);
  const items = await retried(() => getItems<Item>(keys, "strong"), context);
  return items
    .map(registrationIn)
    .filter((registration) => registration.generation === message.data.generation && holdsSeat(registration));
}

/** Whether the person registered before the change. A late or repeated message contains no news for others. */
const isNews = ({ occurredAt }: Rescheduling, registration: RegistrationRecord): boolean =>
  registeredAtOf(registration) <= occurredAt + changeTime;

/** How many people hold a seat in this generation of the event, strongly consistent. */
async function seatsTaken({ data }: Rescheduling, context: RequestContext): Promise<number> {
  const seats = await retried(() => readSeats(data, "strong"), context);
  return seats?.generation === data.generation ? seats.seats : 0;
}

/**
 * Announces a rescheduled event. Does nothing when the event is gone or was rescheduled again, which has its own message.
 * @throws AggregateError some rows could not be written; the others are written
 * @throws Error the index does not contain all seat holders yet; the others are notified
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
  // A row that exists is refused, and counts as written.
  const tell = (holder: RegistrationRecord) => writeOnce({ row: rowOf(message, holder) }, context);
  await pMap(told, tell, { concurrency: rowsAtOnce, stopOnError: false });
  // SQS delivers the message again, and by then the index contains the missing registrations.
  if (holders.length < expected) throw new Error("the index does not have all holders of seats yet");
}
