import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { FeedbackDisabled } from "#kit/errors.ts";
import { ticketKey } from "../tickets/codes.ts";
import { formOf } from "./form.ts";
import * as routes from "./routes.ts";
import { storeSubmission } from "./store.ts";
import { formKey, newSubmission, submissionId } from "./submission.ts";
import { visibleEvent } from "./visible-event.ts";

export const submitFeedback = api(routes.submitFeedback, async ({ params, body, caller, now, context }) => {
  const [event, key] = await Promise.all([visibleEvent(params, caller), ticketKey()]);
  const form = formOf(event, params.formType);
  if (!form.enabled) throw new FeedbackDisabled();
  const which = formKey(event, form.formType);
  const id = submissionId(which, caller.email, key);
  const submission = newSubmission(body, form, { ...which, id, submittedAt: now, arrival: context.queueKey });
  await storeSubmission(submission, context);
  return created({ message: "Thank you for your feedback.", id });
});
