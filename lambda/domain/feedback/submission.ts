/** What somebody says about an event, as it is kept and answered. Pure. */
import { createHmac } from "node:crypto";
import type { EventRecord } from "#domain/events/event.ts";
import { canonicalEmail } from "#kit/email.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/formats.ts";
import { checkResponses, type RawAnswer, type Responses } from "./answers.ts";
import type { FeedbackForm, FormType } from "./form.ts";

/** One form of one creation of an event. */
export interface FormKey {
  readonly eventID: string;
  readonly year: number;
  /** Names the creation of the event: when it is deleted and created again, its forms start empty. */
  readonly incarnation: string;
  readonly formType: FormType;
}

export const formKey = ({ id, year, incarnation }: EventRecord, formType: FormType): FormKey => ({
  eventID: id,
  year,
  incarnation,
  formType,
});

/** What a person sends (`docs/contract.md`, "Feedback"). */
export interface NewSubmission {
  readonly responses: Readonly<Record<string, RawAnswer>>;
  readonly respondentName?: string | null;
  /** A web form sends a blank where nothing was typed. */
  readonly respondentEmail?: string | null;
}

/** A submission as stored. Who made it is not in it, unless they said so themselves. */
export interface SubmissionRecord extends FormKey {
  /** The same person's submissions to the same form have the same. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly submittedAt: number;
  /** Orders submissions: `<epoch ms>#<ulid>`. */
  readonly arrival: string;
  readonly responses: Responses;
  readonly respondentName?: string;
  /** As they typed it; nobody has checked that it is theirs. */
  readonly respondentEmail?: string;
}

/**
 * Keyed hash of a person: whoever lacks the key can neither read a person from it nor check a guess, nor tell that two
 * forms were filled in by the same one. The words in front keep it apart from the other uses of the key (tickets).
 */
export const submissionId = ({ eventID, year, incarnation, formType }: FormKey, email: string, key: string): string =>
  createHmac("sha256", key)
    .update(`feedback v1 ${eventID} ${year} ${incarnation} ${formType} ${email}`)
    .digest("base64url");

/** How somebody wants to be known. A web form sends blanks where nothing was typed. @throws ValidationFailed */
function respondentOf({ respondentName, respondentEmail }: NewSubmission) {
  const name = respondentName?.trim();
  const email = respondentEmail?.trim();
  const canonical = email ? canonicalEmail(email) : undefined;
  if (email && canonical === undefined) {
    throw new ValidationFailed([{ path: "/respondentEmail", message: formats.email.message }]);
  }
  return { ...(name && { respondentName: name }), ...(canonical && { respondentEmail: canonical }) };
}

/** @throws ValidationFailed naming what is wrong with the answers */
export function newSubmission(
  body: NewSubmission,
  { feedbackQuestions }: FeedbackForm,
  known: FormKey & Pick<SubmissionRecord, "id" | "submittedAt" | "arrival">,
): SubmissionRecord {
  const responses = checkResponses(feedbackQuestions, body.responses);
  return { ...known, responses, ...respondentOf(body) };
}
