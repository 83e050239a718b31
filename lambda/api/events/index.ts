import { copyEvent, createEvent } from "#domain/event-operations/create.ts";
import { deleteEvent } from "#domain/event-operations/delete.ts";
import { updateEvent } from "#domain/event-operations/update.ts";
import { editedEvent } from "#domain/events/event.ts";
import { requireTemplates } from "#domain/mail/templates/require.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { etagOf } from "#kit/request/etag.ts";
import { claimsOf } from "#kit/request/sent-token.ts";
import { createCode, endCode, listCodes, updateCode } from "./codes.ts";
import { eventAnswer } from "./event-answer.ts";
import { getEvent } from "./get-event.ts";
import { getActiveEvent, listEvents } from "./list-events.ts";
import * as routes from "./routes.ts";

export const handler = dispatch(
  [
    api(routes.createEvent, async ({ body, context }) => {
      await requireTemplates(body.mails);
      const event = await createEvent(body, context);
      return created(
        { message: "Event created.", item: eventAnswer(event, context.now, true) },
        etagOf(editedEvent(event)),
      );
    }),
    api(routes.copyEvent, async ({ params: { eventId: id, year }, body, context }) => {
      const event = await copyEvent({ id, year }, body, context);
      return created(
        { message: "Event copied.", item: eventAnswer(event, context.now, true) },
        etagOf(editedEvent(event)),
      );
    }),
    listEvents,
    getActiveEvent,
    getEvent,
    createCode,
    listCodes,
    updateCode,
    endCode,
    api(routes.updateEvent, async ({ params: { eventId: id, year }, body, ifMatch, context }) => {
      await requireTemplates(body.mails);
      const { event, overCapacityBy } = await updateEvent({ id, year }, body, ifMatch, context);
      return ok(
        {
          message: "Event updated.",
          item: eventAnswer(event, context.now, true),
          ...(overCapacityBy > 0 && { overCapacityBy }),
        },
        etagOf(editedEvent(event)),
      );
    }),
    api(routes.deleteEvent, async ({ params: { eventId: id, year }, query, ifMatch, context }) => {
      const demands = { onlyIfEmpty: query.force !== true, refund: query.refund, ifMatch };
      return ok({ message: "Event deleted.", refunds: await deleteEvent({ id, year }, demands, context) });
    }),
  ],
  claimsOf,
);
