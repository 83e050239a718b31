/** Keys, items and transaction members of events. */

import { type ListShape, part, sortKeyOf } from "#kit/lists/cursor.ts";
import { ttlAfter } from "#kit/table/item.ts";
import {
  type Consistency,
  checkIf,
  deleteIf,
  getItem,
  getItems,
  getRecord,
  type Key,
  listFromEnd,
  put,
  putIf,
  putNew,
  type Query,
  recordOf,
  type Stored,
  type TransactItem,
} from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import type { EventKey, EventRecord } from "./event.ts";

export const eventKeyOf = (event: EventKey): Key => keyOf("event", event);

/**
 * Drafts have a separate list, so that reads for other callers than admins skip them. Those with a `publishAt` are in the
 * visible list from the beginning: a read leaves them out until then.
 */
const visibleList = "EVENTS#0";
const hiddenList = "EVENTS#H";

/** Sorts by start. Events without a start come first, so they are last in descending lists. */
export const listSortKey = ({ startDate = "0", id, year }: EventRecord): string => `${startDate}#${id}#${year}`;

/** The required shape of a cursor for this list. With a filter, it must contain that id and year. */
export const listShape = ({ id, year }: Partial<EventKey>): ListShape =>
  sortKeyOf(part.start, part.only(id, part.eventId), part.only(year, part.year));

export const readEvent = (key: EventKey, consistency: Consistency = "strong") =>
  getRecord<EventRecord>(eventKeyOf(key), consistency);

/** Those of the events that exist. */
export const readEvents = async (keys: readonly EventKey[]): Promise<EventRecord[]> =>
  (await getItems<Stored<EventRecord>>(keys.map(eventKeyOf), "eventual")).map(recordOf<EventRecord>);

/** The item of an event, with the attributes by which the index lists it. */
export const eventItem = (event: EventRecord) => ({
  ...eventKeyOf(event),
  GSI1PK: event.isPublished || event.publishAt ? visibleList : hiddenList,
  GSI1SK: listSortKey(event),
  ...event,
});

/** Writes an event that does not exist yet. Refused when it does. */
export const putNewEvent = (event: EventRecord): TransactItem => putNew(eventItem(event));

const unchangedSince = (read: EventRecord) => ({
  ConditionExpression: "version = :read AND generation = :generation",
  ExpressionAttributeValues: { ":read": read.version, ":generation": read.generation },
});

/** Replaces an event. Refused when the event has changed since it was read. */
export const replaceEvent = (event: EventRecord, read: EventRecord): TransactItem =>
  putIf(eventItem(event), unchangedSince(read));

/** A condition: the event is as it was read. */
export const eventAsRead = (read: EventRecord): TransactItem => checkIf(eventKeyOf(read), unchangedSince(read));

/** Removes an event. Refused when the event has changed since it was read. */
export const removeEvent = (read: EventRecord): TransactItem => deleteIf(eventKeyOf(read), unchangedSince(read));

const daysRemembered = 60;

const memoryKey = ({ id, year, generation }: EventKey & Pick<EventRecord, "generation">): Key =>
  keyOf("memory of a deleted event", { id, year, generation });

export interface DeletionTerms {
  /** `none`: no refunds. Absent: a refund for each paid seat that is not checked in. */
  readonly refund?: "none" | undefined;
}

/**
 * Stores a copy of a deleted event with its deletion terms: the mails about the deletion need both.
 * @param now epoch milliseconds
 */
export const rememberEvent = (event: EventRecord, { refund }: DeletionTerms, now: number): TransactItem =>
  put(
    {
      ...memoryKey(event),
      ...event,
      ...(refund && { refund }),
      ttl: ttlAfter(now, daysRemembered),
    },
    "beside a condition",
  );

/** An event, or its state when it was deleted. */
export type KnownEvent = EventRecord & DeletionTerms & { readonly isGone: boolean };

/** The event of this generation, or the copy from its deletion. Undefined when the copy has expired. */
export async function readEventOrMemory(
  event: EventKey & Pick<EventRecord, "generation">,
): Promise<KnownEvent | undefined> {
  const current = await readEvent(event);
  if (current?.generation === event.generation) return { ...current, isGone: false };
  const memory = await getItem<EventRecord & DeletionTerms>(memoryKey(event), "strong");
  return memory && { ...memory, isGone: true };
}

/** Events, latest start first. With `after`, the list begins behind that sort key. */
export const visibleEvents = (after?: string): Query => listFromEnd(visibleList, after);
export const hiddenEvents = (after?: string): Query => listFromEnd(hiddenList, after);

/** The sort key after which all events start later. @param time epoch milliseconds */
const startsAfter = (time: number): string => `${new Date(time).toISOString()}~`;

/** The events of the visible list, and drafts with a `publishAt`, that start in this span, in epoch milliseconds. */
export const eventsStarting = (from: number, to: number): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :list AND GSI1SK BETWEEN :from AND :to",
  ExpressionAttributeValues: { ":list": visibleList, ":from": startsAfter(from), ":to": startsAfter(to) },
});

const daysMarked = 400;

/**
 * The marker of a mail to all seat holders of an event.
 * @param mail names the mail among those of the event, with all that another one differs in, such as its day
 */
export const announcedKey = ({ id, year, generation }: EventRecord, mail: string): Key =>
  keyOf("mark of an announced mail", { id, year, generation, mail });

/** Refused when the mail was announced before. @param now epoch milliseconds */
export const markAnnounced = (event: EventRecord, mail: string, now: number): TransactItem =>
  putNew({ ...announcedKey(event, mail), announcedAt: now, ttl: ttlAfter(now, daysMarked) });

/** The name of a marker of what is done after an event's end: of another end it is another one. */
export const endMark =
  (name: string) =>
  ({ startDate, endDate = startDate }: EventRecord): string =>
    `${name}#${endDate}`;

/** The events without such a marker. @param markOf its name for an event */
export async function withoutMark(
  events: readonly EventRecord[],
  markOf: (event: EventRecord) => string,
): Promise<EventRecord[]> {
  const nameOf = ({ PK, SK }: Key): string => `${PK} ${SK}`;
  const markKey = (event: EventRecord): Key => announcedKey(event, markOf(event));
  const marked = new Set((await getItems(events.map(markKey), "eventual")).map(nameOf));
  return events.filter((event) => !marked.has(nameOf(markKey(event))));
}

/** The events of the visible list that start after a time, the next one first. @param time epoch milliseconds */
export const eventsAfter = (time: number): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :list AND GSI1SK > :time",
  ExpressionAttributeValues: { ":list": visibleList, ":time": startsAfter(time) },
});
