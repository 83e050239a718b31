import { updateEvent as update } from "#domain/event-operations/update.ts";
import { editedEvent } from "#domain/events/event.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { etagOf } from "#kit/etag.ts";
import { eventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";

export const updateEvent = api(routes.updateEvent, async ({ params, body, ifMatch, context }) => {
  const key = { id: params.eventId, year: params.year };
  const { event, overCapacityBy } = await update(key, body, ifMatch, context);
  return ok(
    { message: "Event updated.", item: eventAnswer(event), ...(overCapacityBy > 0 && { overCapacityBy }) },
    etagOf(editedEvent(event)),
  );
});
