import { visibleEvent } from "#domain/events/visible-event.ts";
import { eventSummary, formOf } from "#domain/feedback/form.ts";
import { FeedbackDisabled } from "#domain/feedback/refusals.ts";
import { pageOfSubmissions, storeSubmission } from "#domain/feedback/store.ts";
import { formKey, newSubmission, submissionId } from "#domain/feedback/submission.ts";
import { ticketKey } from "#domain/registrations/tickets/codes.ts";
import { decodeCursor, part, sortKeyOf } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import * as routes from "./routes.ts";
import { submissionAnswer } from "./submission-answer.ts";

export const handler = dispatch([
  api(routes.getForm, async ({ params, caller, now }) => {
    const event = await visibleEvent({ id: params.eventId, year: params.year }, caller, now);
    return ok({ event: eventSummary(event), ...formOf(event, params.formType) });
  }),
  api(routes.submitFeedback, async ({ params, body, caller, now, context }) => {
    const [event, key] = await Promise.all([
      visibleEvent({ id: params.eventId, year: params.year }, caller, now),
      ticketKey(),
    ]);
    const form = formOf(event, params.formType);
    if (!form.enabled) throw new FeedbackDisabled();
    const which = formKey(event, form.formType);
    const id = submissionId(which, caller.email, key);
    const submission = newSubmission(body, form, { ...which, id, submittedAt: now, arrival: context.queueKey });
    await storeSubmission(submission, context);
    return created({ message: "Thank you for your feedback.", id });
  }),
  api(routes.listSubmissions, async ({ params, query, caller, now }) => {
    const after = decodeCursor(query.cursor, sortKeyOf(part.time, part.ulid));
    const event = await visibleEvent({ id: params.eventId, year: params.year }, caller, now);
    const page = await pageOfSubmissions(formKey(event, params.formType), { limit: query.limit, after });
    return ok({ count: page.rows.length, submissions: page.rows.map(submissionAnswer) }, nextHeader(page));
  }),
]);
