/** Reads lists of events (`docs/contract.md`, "Events"). */
import { allOf, type Page, queryItems, takePage } from "#kit/lists/pages.ts";
import { recordOf } from "#kit/table/table.ts";
import { type EventRecord, isHidden } from "./event.ts";
import { hiddenEvents, listSortKey, visibleEvents } from "./store.ts";

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

async function* visible(after?: string): AsyncGenerator<EventRecord> {
  for await (const item of queryItems<EventRecord>(visibleEvents(after))) yield recordOf<EventRecord>(item);
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

/** One page of the events that the caller may see. @param seesHidden whether the caller is an admin */
export async function listEvents(filter: EventFilter, seesHidden: boolean): Promise<Page<EventRecord>> {
  const events = seesHidden ? await allEvents(filter.after) : visible(filter.after);
  return takePage(matching(events, filter), { limit: filter.limit, sortKeyOf: listSortKey });
}

export const maySee = (event: EventRecord, caller: { readonly isAdmin: boolean } | undefined): boolean =>
  !isHidden(event) || caller?.isAdmin === true;
