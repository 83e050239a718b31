import type { EventRecord } from "#domain/events/event.ts";
import { visibleEvent } from "#domain/events/visible-event.ts";
import { eventSummary, type FeedbackForm, type FormType, formOf } from "#domain/feedback/form.ts";
import { FeedbackDisabled } from "#domain/feedback/refusals.ts";
import { pageOfSubmissions, storeSubmission } from "#domain/feedback/store.ts";
import { formKey, type NewSubmission, newSubmission, submissionId } from "#domain/feedback/submission.ts";
import { type ByLink, bearerOf } from "#domain/registrations/tickets/by-link.ts";
import { ticketKey } from "#domain/registrations/tickets/codes.ts";
import { decodeCursor, part, sortKeyOf } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import * as routes from "./routes.ts";
import { submissionAnswer } from "./submission-answer.ts";

const bearer = bearerOf("feedback");
const formTypeOf = ({ isPartner }: ByLink["registration"]): FormType => (isPartner ? "partner" : "attendee");

const showForm = (event: EventRecord, formType: FormType) =>
  ok({ event: eventSummary(event), ...formOf(event, formType) });

/** @param by who answers, and the ticket key of the stage */
async function submit(
  form: FeedbackForm,
  { event, email, key }: { readonly event: EventRecord; readonly email: string; readonly key: string },
  said: NewSubmission,
  context: RequestContext,
) {
  if (!form.enabled) throw new FeedbackDisabled();
  const which = formKey(event, form.formType);
  const id = submissionId(which, email, key);
  const submission = newSubmission(said, form, {
    ...which,
    id,
    submittedAt: context.now,
    arrival: context.queueKey,
  });
  await storeSubmission(submission, context);
  return created({ message: "Thank you for your feedback.", id });
}

export const handler = dispatch([
  api(routes.getForm, async ({ params, caller, now }) => {
    const event = await visibleEvent({ id: params.eventId, year: params.year }, caller, now);
    return showForm(event, params.formType);
  }),
  api(routes.submitFeedback, async ({ params, body, caller, now, context }) => {
    const [event, key] = await Promise.all([
      visibleEvent({ id: params.eventId, year: params.year }, caller, now),
      ticketKey(),
    ]);
    return submit(formOf(event, params.formType), { event, email: caller.email, key }, body, context);
  }),
  api(routes.getFormByLink, ({ bearer: { event, registration } }) => showForm(event, formTypeOf(registration)), bearer),
  api(
    routes.submitFeedbackByLink,
    async ({ body, bearer: { event, registration }, context }) => {
      const by = { event, email: registration.email, key: await ticketKey() };
      return submit(formOf(event, formTypeOf(registration)), by, body, context);
    },
    bearer,
  ),
  api(routes.listSubmissions, async ({ params, query, caller, now }) => {
    const after = decodeCursor(query.cursor, sortKeyOf(part.time, part.ulid));
    const event = await visibleEvent({ id: params.eventId, year: params.year }, caller, now);
    const page = await pageOfSubmissions(formKey(event, params.formType), { limit: query.limit, after });
    return ok({ count: page.rows.length, submissions: page.rows.map(submissionAnswer) }, nextHeader(page));
  }),
]);
