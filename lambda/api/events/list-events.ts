import type { EventRecord } from "#domain/events/event.ts";
import { listEvents as list } from "#domain/events/list.ts";
import { asEvent, listShape, nextEvent } from "#domain/events/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor } from "#kit/cursor.ts";
import { NoUpcomingEvent } from "#kit/errors.ts";
import { nextHeader } from "#kit/pages.ts";
import { queryOnce } from "#kit/table.ts";
import { eventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";

export const listEvents = api(routes.listEvents, async ({ query, caller }) => {
  const { cursor, ...filter } = query;
  const after = decodeCursor(cursor, listShape(filter));
  const page = await list({ ...filter, after }, caller?.isAdmin === true);
  return ok(page.rows.map(eventAnswer), nextHeader(page));
});

export const getActiveEvent = api(routes.getActiveEvent, async ({ now }) => {
  const { items } = await queryOnce<EventRecord>(nextEvent(now));
  const [item] = items;
  if (!item) throw new NoUpcomingEvent();
  return ok(eventAnswer(asEvent(item)));
});
