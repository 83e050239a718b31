import { visibleEvent } from "#domain/events/visible-event.ts";
import { eventSummary, formOf } from "#domain/feedback/form.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const getForm = api(routes.getForm, async ({ params, caller }) => {
  const event = await visibleEvent({ id: params.eventId, year: params.year }, caller);
  return ok({ event: eventSummary(event), ...formOf(event, params.formType) });
});
