import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor } from "#kit/cursor.ts";
import { NotFound } from "#kit/errors.ts";
import { nextHeader } from "#kit/pages.ts";
import { queryOnce } from "#kit/table.ts";
import { type EventRecord, eventAnswer } from "./event.ts";
import { listEvents as list } from "./list.ts";
import * as routes from "./routes.ts";
import { eventOf, listShape, nextEvent } from "./store.ts";

export const listEvents = api(routes.listEvents, async ({ query, caller }) => {
  const { cursor, ...filter } = query;
  const after = decodeCursor(cursor, listShape(filter));
  const page = await list({ ...filter, after }, caller.isAdmin);
  return ok(page.rows.map(eventAnswer), nextHeader(page));
});

export const getActiveEvent = api(routes.getActiveEvent, async ({ now }) => {
  const { items } = await queryOnce<EventRecord>(nextEvent(now));
  const [item] = items;
  if (!item) throw new NotFound("Event");
  return ok(eventAnswer(eventOf(item)));
});
