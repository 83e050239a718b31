import type { EventRecord } from "#domain/events/event.ts";
import { firstEvents, keptEvents } from "#domain/events/kept-list.ts";
import { listEvents as list, startingNext } from "#domain/events/list.ts";
import { NoUpcomingEvent } from "#domain/events/refusals.ts";
import { asEvent, listShape, nextEvent } from "#domain/events/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor } from "#kit/cursor.ts";
import { nextHeader } from "#kit/pages.ts";
import { queryOnce } from "#kit/table.ts";
import { eventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";

/** The JSON of lists that may be in memory: writing it again would be most of the time of a request. */
const texts = new WeakMap<readonly EventRecord[], string>();

function textOf(events: readonly EventRecord[]): string {
  const text = texts.get(events) ?? JSON.stringify(events.map(eventAnswer));
  texts.set(events, text);
  return text;
}

export const listEvents = api(routes.listEvents, async ({ query, caller }) => {
  const { cursor, ...filter } = query;
  const after = decodeCursor(cursor, listShape(filter));
  const seesHidden = caller?.isAdmin === true;
  if ((filter.id ?? filter.year ?? filter.limit ?? after) === undefined) {
    const page = await firstEvents(seesHidden);
    return { ...ok(textOf(page.rows), nextHeader(page)), isText: true };
  }
  const page = await list({ ...filter, after }, seesHidden);
  return ok(page.rows.map(eventAnswer), nextHeader(page));
});

/** The visible event that starts next: of the list in memory, else one item of the index. */
async function activeEvent(now: number): Promise<EventRecord | undefined> {
  const kept = await keptEvents(false);
  if (kept) return startingNext(kept, now);
  const [item] = (await queryOnce<EventRecord>(nextEvent(now))).items;
  return item && asEvent(item);
}

export const getActiveEvent = api(routes.getActiveEvent, async ({ now }) => {
  const event = await activeEvent(now);
  if (!event) throw new NoUpcomingEvent();
  return ok(eventAnswer(event));
});
