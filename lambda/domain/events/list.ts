/** Reads lists of events (`docs/contract.md`, "Events"). */

import { allOf, type Page, queryItems, takePage } from "#kit/lists/pages.ts";
import { queryPages, recordOf } from "#kit/table/table.ts";
import { day } from "#kit/text/time.ts";
import { isOver } from "./dates.ts";
import { type EventRecord, isHidden } from "./event.ts";
import { eventsAfter, hiddenEvents, listSortKey, visibleEvents } from "./store.ts";

const newestFirst = (a: EventRecord, b: EventRecord): number => (listSortKey(a) < listSortKey(b) ? 1 : -1);

/** All events including hidden ones, latest start first. With `after`, the list begins behind that sort key. */
export async function allEvents(after?: string): Promise<EventRecord[]> {
  const queries = [visibleEvents(after), hiddenEvents(after)];
  const lists = await Promise.all(queries.map((query) => allOf(queryItems<EventRecord>(query))));
  return lists
    .flat()
    .map(recordOf<EventRecord>)
    .sort(newestFirst);
}

/** The events that ended so many days ago, or earlier. Pure. @param now epoch milliseconds */
export const endedBefore = (events: readonly EventRecord[], days: number, now: number): EventRecord[] =>
  events.filter((event) => isOver(event, now - days * day));

async function* visible(now: number, after?: string): AsyncGenerator<EventRecord> {
  for await (const item of queryItems<EventRecord>(visibleEvents(after))) {
    if (!isHidden(item, now)) yield recordOf<EventRecord>(item);
  }
}

/** The visible event that starts next. @param now epoch milliseconds */
export async function nextVisibleEvent(now: number): Promise<EventRecord | undefined> {
  for await (const { items } of queryPages<EventRecord>(eventsAfter(now), (page) => (page === 0 ? 1 : 10))) {
    const item = items.find((one) => !isHidden(one, now));
    if (item) return recordOf<EventRecord>(item);
  }
  return undefined;
}

/**
 * The visible events that start after a time, the first ones first.
 * @param from epoch milliseconds
 * @param most how many at most
 * @param now epoch milliseconds
 */
export async function visibleEventsFrom(from: number, most: number, now: number): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for await (const item of queryItems<EventRecord>(eventsAfter(from))) {
    if (!isHidden(item, now)) events.push(recordOf<EventRecord>(item));
    if (events.length >= most) break;
  }
  return events;
}

export interface EventFilter {
  readonly id?: string;
  readonly year?: number;
  readonly limit?: number;
  /** Sort key of the last event of the previous page. */
  readonly after?: string;
}

async function* matching(events: AsyncIterable<EventRecord> | Iterable<EventRecord>, { id, year }: EventFilter) {
  for await (const event of events) {
    if ((id ?? event.id) === event.id && (year ?? event.year) === event.year) yield event;
  }
}

/**
 * One page of the events that the caller may see.
 * @param seesHidden whether the caller is an admin
 * @param now epoch milliseconds
 */
export async function listEvents(filter: EventFilter, seesHidden: boolean, now: number): Promise<Page<EventRecord>> {
  const events = seesHidden ? await allEvents(filter.after) : visible(now, filter.after);
  return takePage(matching(events, filter), { limit: filter.limit, sortKeyOf: listSortKey });
}

/** @param now epoch milliseconds */
export const maySee = (event: EventRecord, caller: { readonly isAdmin: boolean } | undefined, now: number): boolean =>
  !isHidden(event, now) || caller?.isAdmin === true;
