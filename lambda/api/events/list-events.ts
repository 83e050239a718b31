import type { EventRecord } from "#domain/events/event.ts";
import { listEvents as list, nextVisibleEvent } from "#domain/events/list.ts";
import { NoUpcomingEvent } from "#domain/events/refusals.ts";
import { listShape } from "#domain/events/store.ts";
import { decodeCursor } from "#kit/lists/cursor.ts";
import { nextHeader, type Page } from "#kit/lists/pages.ts";
import { type Answer, ok, okText } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { keptFor } from "#kit/table/kept.ts";
import { eventAnswer, listedEventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";

/** Serialized, so that a cached answer is not serialized again. */
const listAnswer = (page: Page<EventRecord>, now: number, isForAdmin = false): Answer =>
  okText(JSON.stringify(page.rows.map((event) => listedEventAnswer(event, now, isForAdmin))), nextHeader(page));

/** Milliseconds. With the delay of the index, an edit is in the list within six seconds. */
const listIsKept = 5_000;

/** The visible events, as non-admins see them. */
const lists = keptFor<Answer>(listIsKept);

export const listEvents = api(routes.listEvents, async ({ query, caller, now }) => {
  const { cursor, ...filter } = query;
  const after = decodeCursor(cursor, listShape(filter));
  const seesHidden = caller?.isAdmin === true;
  const isWhole = (filter.id ?? filter.year ?? filter.limit ?? after) === undefined;
  if (isWhole && !seesHidden) return lists("visible", now, async () => listAnswer(await list({}, false, now), now));
  return listAnswer(await list({ ...filter, after }, seesHidden, now), now, seesHidden);
});

export const getActiveEvent = api(routes.getActiveEvent, async ({ now }) => {
  const event = await nextVisibleEvent(now);
  if (!event) throw new NoUpcomingEvent();
  return ok(eventAnswer(event, now));
});
