/** A person's feedback on an event. Pure. */
import { createHmac } from "node:crypto";
import type { EventRecord } from "#domain/events/event.ts";
import type { Again } from "#domain/people/once-more.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/schema/formats.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { type Answer, checkResponses, type RawAnswer, type Responses } from "./answers.ts";
import { type FeedbackForm, type FormType, overallRating } from "./form.ts";

/** One form of one generation of an event. */
export interface FormKey {
  readonly eventID: string;
  readonly year: number;
  /** The generation of the event: an event that is created again starts without submissions. */
  readonly generation: string;
  readonly formType: FormType;
}

export const formKey = ({ id, year, generation }: EventRecord, formType: FormType): FormKey => ({
  eventID: id,
  year,
  generation,
  formType,
});

/** The body that a person sends (`docs/contract.md`, "Feedback"). */
export interface NewSubmission {
  readonly responses: Readonly<Record<string, RawAnswer>>;
  readonly respondentName?: string | null;
  /** A web form sends an empty string when the field is empty. */
  readonly respondentEmail?: string | null;
}

/** A submission as stored. It identifies its author only if the author gave a name or an email. */
export interface SubmissionRecord extends FormKey {
  /** All submissions of one person to one form have the same id. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
  /** The queueKey of the request, `<epoch ms>#<ulid>`. Submissions are sorted by it. */
  readonly arrival: string;
  readonly responses: Responses;
  readonly respondentName?: string;
  /** As entered, not verified. */
  readonly respondentEmail?: string;
  /** Whether the person was checked in at that time. Absent: of before this was recorded. */
  readonly came?: boolean;
  /** How often the person has recently sent this form. */
  readonly again?: Again;
}

/**
 * Keyed hash of a person and a form. Without the key a reader cannot identify the person, verify a guess, or link two
 * forms of one person. The prefix separates these hashes from the key's other use, tickets.
 */
export const submissionId = ({ eventID, year, generation, formType }: FormKey, email: string, key: string): string =>
  createHmac("sha256", key)
    .update(`feedback v1 ${eventID} ${year} ${generation} ${formType} ${email}`)
    .digest("base64url");

/**
 * The name and email that the author gave. Blank values count as absent.
 * @throws ValidationFailed for a malformed email
 */
function respondentOf({ respondentName, respondentEmail }: NewSubmission) {
  const name = respondentName?.trim();
  const email = respondentEmail?.trim();
  const canonical = email ? canonicalEmail(email) : undefined;
  if (email && canonical === undefined) {
    throw new ValidationFailed([{ path: "/respondentEmail", message: formats.email.message }]);
  }
  return { ...(name && { respondentName: name }), ...(canonical && { respondentEmail: canonical }) };
}

/** Whether the author gave a name or an email. */
export const isSigned = ({ respondentName, respondentEmail }: SubmissionRecord): boolean =>
  respondentName !== undefined || respondentEmail !== undefined;

/** The submission without the author, and without what the author wrote: points and choices of the form stay. */
export function withoutAuthor(
  submission: SubmissionRecord,
  { feedbackQuestions }: Pick<FeedbackForm, "feedbackQuestions">,
): SubmissionRecord {
  const { respondentName, respondentEmail, responses, ...rest } = submission;
  const isChosen = ([id, given]: readonly [string, Answer]): boolean => {
    const choices = feedbackQuestions.find(({ questionId }) => questionId === id)?.choices ?? [];
    return typeof given === "number" || [given].flat().every((one) => choices.includes(one));
  };
  return { ...rest, responses: Object.fromEntries(Object.entries(responses).filter(isChosen)) };
}

/**
 * What a person's next submission begins with: the earlier one, without answers to questions that the form no longer has.
 * Undefined when there is none.
 */
export function earlierIn(stored: SubmissionRecord | undefined, { feedbackQuestions }: FeedbackForm) {
  if (!stored) return undefined;
  const { submittedAt, responses, respondentName, respondentEmail } = stored;
  const asked = feedbackQuestions.filter(({ questionId }) => Object.hasOwn(responses, questionId));
  return {
    submittedAt,
    responses: Object.fromEntries(asked.map(({ questionId }) => [questionId, responses[questionId] as Answer])),
    respondentName,
    respondentEmail,
  };
}

/** The overall ratings: of all, of those who came, and of those who did not. Submissions of before count for all only. */
export function ratingsOf(submissions: readonly SubmissionRecord[]) {
  const summary = (some: readonly SubmissionRecord[]) => {
    const sum = some.reduce((all, { responses }) => all + Number(responses[overallRating.questionId]), 0);
    return { count: some.length, ...(some.length > 0 && { mean: Math.round((sum / some.length) * 100) / 100 }) };
  };
  const who = (value: boolean) => summary(submissions.filter(({ came }) => came === value));
  return { ...summary(submissions), came: who(true), absent: who(false) };
}

/** @throws ValidationFailed when the answers or the author's email are not valid */
export function newSubmission(
  body: NewSubmission,
  { feedbackQuestions }: FeedbackForm,
  known: FormKey & Pick<SubmissionRecord, "id" | "submittedAt" | "arrival" | "came">,
): SubmissionRecord {
  const responses = checkResponses(feedbackQuestions, body.responses);
  return { ...known, responses, ...respondentOf(body) };
}
