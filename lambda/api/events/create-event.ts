import { createEvent as create } from "#domain/event-operations/create.ts";
import { editedEvent } from "#domain/events/event.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { etagOf } from "#kit/etag.ts";
import { eventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";

export const createEvent = api(routes.createEvent, async ({ body, context }) => {
  const event = await create(body, context);
  return created({ message: "Event created.", item: eventAnswer(event) }, etagOf(editedEvent(event)));
});
