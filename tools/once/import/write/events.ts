/** Writes events with their seats. An event is closed until all of its registrations are imported. */
import { ulid } from "ulid";
import { adjustSeats, putSeats, readSeats, type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { countedQuestions, newSeats, seatSettings } from "#domain/events/seat-settings.ts";
import { eventKeyOf, putNewEvent, readEvent } from "#domain/events/store.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { getItems, recordOf, type TransactItem, tableName } from "#kit/table/table.ts";
import type { MappedEvent } from "../map/event.ts";
import { eventName } from "../map/keys.ts";
import type { Mapping } from "../source/survey.ts";
import { type Decided, type Find, type Plan, patient, type Run } from "./batches.ts";
import { noteKey, putNote } from "./notes.ts";
import { verdictOn } from "./verdict.ts";

const stamped = (event: EventRecord, now: number): EventRecord => ({
  ...event,
  createdAt: event.createdAt || now,
  updatedAt: event.updatedAt || now,
});

const closed = (seats: Seats): Seats => ({ ...seats, state: "CLOSED" });

/** @param generation creates the generation of a new event */
export const eventPlan = (now: number, generation: () => string = ulid): Plan<MappedEvent> => ({
  most: 8,
  keysOf: ({ record: { event }, name }) => [eventKeyOf(event), seatsKey(event), noteKey("events", name)],
  decide: (taken, find) => decideEvent(taken, find, now, generation),
});

function decideEvent(
  { record, name }: Parameters<Plan<MappedEvent>["decide"]>[0],
  find: Find,
  now: number,
  generation: () => string,
): Decided {
  const mapped = stamped(record.event, now);
  const verdict = verdictOn(find(noteKey("events", name)), find(eventKeyOf(mapped)));
  if (verdict !== "new") return { verdict, members: {} };
  // The seats item outlives its event: such an event was created and deleted here.
  if (find(seatsKey(mapped))) return { verdict: "deleted here", members: {} };
  const event = { ...mapped, generation: generation() };
  const members = {
    event: putNewEvent(event),
    seats: putSeats(event, closed(newSeats(event, false))),
    note: putNote("events", name, now),
  };
  return { verdict, members };
}

/** Replaces the source's events with those in the table, to which the registrations belong. */
export async function adoptStoredEvents({ events }: Mapping): Promise<void> {
  const all = [...events.values()];
  const items = await getItems<EventRecord>(
    all.map(({ event }) => eventKeyOf(event)),
    "strong",
  );
  const stored = new Map(items.map((item) => [eventName(item), recordOf<EventRecord>(item)]));
  for (const [name, mapped] of events) {
    const event = stored.get(name);
    if (event) events.set(name, { ...mapped, event });
  }
}

const sameEvent = (event: EventRecord): TransactItem => ({
  ConditionCheck: {
    TableName: tableName,
    Key: eventKeyOf(event),
    ConditionExpression: "version = :read AND generation = :generation",
    ExpressionAttributeValues: { ":read": event.version, ":generation": event.generation },
  },
});

/**
 * Opens an event for registrations, unless it is completed, after all of its own are imported.
 * @returns whether the seats have changed
 */
export const openEvent = (key: EventKey, run: Run): Promise<boolean> =>
  execute(
    {
      read: async () => ({ event: await readEvent(key), seats: await readSeats(key, "strong") }),
      decide({ event, seats }: { event: EventRecord | undefined; seats: Seats | undefined }): Decision<boolean> {
        if (!event || !seats || seats.state === "DELETED" || seats.generation !== event.generation) {
          return answer(false);
        }
        const settings = seatSettings(event);
        if (seats.state === settings.state) return answer(false);
        const choices = { counted: seats.choiceHolders, questions: countedQuestions(event) };
        return write({ event: sameEvent(event), seats: adjustSeats(event, settings, choices, undefined) }, true);
      },
    },
    patient(run.context),
  );
