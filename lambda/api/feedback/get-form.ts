import { eventSummary, formOf } from "#domain/feedback/form.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";
import { visibleEvent } from "./visible-event.ts";

export const getForm = api(routes.getForm, async ({ params, caller }) => {
  const event = await visibleEvent(params, caller);
  return ok({ event: eventSummary(event), ...formOf(event, params.formType) });
});
