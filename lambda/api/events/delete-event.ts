import { deleteEvent as remove } from "#domain/event-operations/delete.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const deleteEvent = api(routes.deleteEvent, async ({ params, query, ifMatch, context }) => {
  const key = { id: params.eventId, year: params.year };
  const demands = { onlyIfEmpty: query.force !== true, refund: query.refund, ifMatch };
  return ok({ message: "Event deleted.", refunds: await remove(key, demands, context) });
});
