/** Refuses answers that the form did not ask for, where the sender of a form is unknown (`docs/contract.md`, "Guests"). Pure. */
import type { EventRecord } from "#domain/events/event.ts";
import { ValidationFailed } from "#kit/errors.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import { questionsFor } from "./answers.ts";

const pathOf = (questionId: string): string =>
  `/dynamicResponses/${questionId.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** @throws ValidationFailed the form answers questions that the event does not ask this person */
export function refuseUnknownAnswers(
  { isPartner = false, dynamicResponses = {} }: NewRegistration,
  event: EventRecord,
) {
  const asked = new Set(questionsFor({ isPartner }, event).map(({ questionId }) => questionId));
  const unknown = Object.keys(dynamicResponses).filter((questionId) => !asked.has(questionId));
  const issues = unknown.map((id) => ({ path: pathOf(id), message: "answers no question" }));
  if (issues.length > 0) throw new ValidationFailed(issues);
}
