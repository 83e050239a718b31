import { visibleEvent } from "#domain/events/visible-event.ts";
import { formOf } from "#domain/feedback/form.ts";
import { FeedbackDisabled } from "#domain/feedback/refusals.ts";
import { storeSubmission } from "#domain/feedback/store.ts";
import { formKey, newSubmission, submissionId } from "#domain/feedback/submission.ts";
import { ticketKey } from "#domain/registrations/tickets/codes.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const submitFeedback = api(routes.submitFeedback, async ({ params, body, caller, now, context }) => {
  const [event, key] = await Promise.all([
    visibleEvent({ id: params.eventId, year: params.year }, caller),
    ticketKey(),
  ]);
  const form = formOf(event, params.formType);
  if (!form.enabled) throw new FeedbackDisabled();
  const which = formKey(event, form.formType);
  const id = submissionId(which, caller.email, key);
  const submission = newSubmission(body, form, { ...which, id, submittedAt: now, arrival: context.queueKey });
  await storeSubmission(submission, context);
  return created({ message: "Thank you for your feedback.", id });
});
