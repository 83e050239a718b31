import type { EventRecord } from "#domain/events/event.ts";
import { endedBefore } from "#domain/events/list.ts";
import { visibleEvent } from "#domain/events/visible-event.ts";
import { eventSummary, type FormType, formAt, formOf } from "#domain/feedback/form.ts";
import { FeedbackDisabled } from "#domain/feedback/refusals.ts";
import { pageOfSubmissions, readSubmission, storeSubmission } from "#domain/feedback/store.ts";
import {
  earlierIn,
  formKey,
  isSigned,
  type NewSubmission,
  newSubmission,
  submissionId,
  withoutAuthor,
} from "#domain/feedback/submission.ts";
import { whenText } from "#domain/mail/when.ts";
import { type ByLink, bearerOf } from "#domain/registrations/links/by-link.ts";
import { ticketKey } from "#domain/registrations/links/ticket-key.ts";
import { readRegistration } from "#domain/registrations/store/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { decodeCursor, part, sortKeyOf } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { zoneOf } from "#kit/text/time-zone.ts";
import * as routes from "./routes.ts";
import { submissionAnswer } from "./submission-answer.ts";

const timeZone = requiredEnv("TIME_ZONE");
const keptDays = requiredEnv("ANSWERS_KEPT_DAYS");

const bearer = bearerOf("feedback");
const formTypeOf = ({ isPartner }: ByLink["registration"]): FormType => (isPartner ? "partner" : "attendee");

/** Whose form it is. */
interface Respondent {
  readonly event: EventRecord;
  readonly formType: FormType;
  readonly email: string;
}

const ofBearer = ({ event, registration }: ByLink): Respondent => ({
  event,
  formType: formTypeOf(registration),
  email: registration.email,
});

async function showForm({ event, formType, email }: Respondent, now: number) {
  const which = formKey(event, formType);
  const form = formAt(event, formType, now);
  const mine = earlierIn(await readSubmission(which, submissionId(which, email, await ticketKey())), form);
  return ok({ event: { ...eventSummary(event), when: whenText(event, timeZone) }, ...form, ...(mine && { mine }) });
}

/** @throws FeedbackDisabled TooOften ValidationFailed */
async function submit({ event, formType, email }: Respondent, said: NewSubmission, context: RequestContext) {
  const { now: submittedAt, queueKey: arrival } = context;
  if (!formOf(event, formType).enabled) throw new FeedbackDisabled();
  const form = formAt(event, formType, submittedAt);
  if (!form.enabled) throw new FeedbackDisabled(Date.parse(event.startDate ?? ""), zoneOf(event, timeZone));
  const [key, registration] = await Promise.all([ticketKey(), readRegistration({ email, event }, "strong")]);
  const which = formKey(event, formType);
  const id = submissionId(which, email, key);
  const came = registration?.generation === event.generation && registration.status === "checkedIn";
  const given = newSubmission(said, form, { ...which, id, submittedAt, arrival, came });
  // What comes later than it would be kept is stored as it would be left.
  const isLate = keptDays !== "" && endedBefore([event], Number(keptDays), submittedAt).length > 0;
  const submission = isLate && isSigned(given) ? withoutAuthor(given, form) : given;
  await storeSubmission(submission, email, context);
  return created({ message: "Thank you for your feedback.", id });
}

export const handler = dispatch([
  api(routes.getForm, async ({ params: { eventId: id, year, formType }, caller, now }) => {
    const event = await visibleEvent({ id, year }, caller, now);
    return showForm({ event, formType, email: caller.email }, now);
  }),
  api(routes.submitFeedback, async ({ params: { eventId: id, year, formType }, body, caller, now, context }) => {
    const event = await visibleEvent({ id, year }, caller, now);
    return submit({ event, formType, email: caller.email }, body, context);
  }),
  api(routes.getFormByLink, ({ bearer: found, now }) => showForm(ofBearer(found), now), bearer),
  api(
    routes.submitFeedbackByLink,
    ({ body, bearer: found, context }) => submit(ofBearer(found), body, context),
    bearer,
  ),
  api(routes.listSubmissions, async ({ params, query, caller, now }) => {
    const after = decodeCursor(query.cursor, sortKeyOf(part.time, part.ulid));
    const event = await visibleEvent({ id: params.eventId, year: params.year }, caller, now);
    const page = await pageOfSubmissions(formKey(event, params.formType), { limit: query.limit, after });
    return ok({ count: page.rows.length, submissions: page.rows.map(submissionAnswer) }, nextHeader(page));
  }),
]);
