/** Maps a feedback submission of the previous backend. Pure. */

import { isReserved } from "#domain/events/questions.ts";
import { type Answer, checkResponses, type RawAnswer } from "#domain/feedback/answers.ts";
import { formOf, formTypes } from "#domain/feedback/form.ts";
import type { SubmissionRecord } from "#domain/feedback/submission.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { assertFits, valueSize } from "#kit/table/item-size.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { manyLines } from "#kit/text/text.ts";
import type { MappedEvent } from "./event.ts";
import { eventKeyOf, eventName, steadyUlid } from "./keys.ts";
import { type Mapped, mapped, Reading, Refused, type Row } from "./reading.ts";

/** A submission without the generation of its event, which depends on the table. */
export type MappedSubmission = Omit<SubmissionRecord, "generation">;

export const submissionName = (row: Row): string | undefined => new Reading(row).text("id", { most: 100 });

/** The event of a row: `eventID` and `year`, or both joined. */
const eventIn = (row: Row) => {
  const joined = row["eventID;year"];
  return eventKeyOf(typeof joined === "string" ? joined : `${String(row.eventID ?? "")};${String(row.year ?? "")}`);
};

const cleaned = (value: unknown): Answer | undefined => {
  if (typeof value === "number") return value;
  if (Array.isArray(value)) return value.filter((one) => typeof one !== "object").map((one) => manyLines(String(one)));
  if (value === null || value === undefined || value === "") return undefined;
  return manyLines(typeof value === "object" ? JSON.stringify(value) : String(value)).slice(0, 4_000);
};

function responsesOf(reading: Reading, { event }: MappedEvent, formType: SubmissionRecord["formType"]) {
  const { feedbackQuestions } = formOf(event, formType);
  const given = reading.map("responses");
  const responses: Record<string, Answer> = {};
  for (const name of given?.names ?? []) {
    const value = given?.raw(name);
    const question = feedbackQuestions.find(({ questionId }) => questionId === name);
    const isNumber = question?.type === "LINEAR_SCALE" && typeof value === "string" && /^\s*\d{1,3}\s*$/.test(value);
    if (isNumber) given?.note("*", "a number instead of a text", value, Number(value));
    const answer = isNumber ? Number(value) : cleaned(value);
    if (answer === undefined) continue;
    if (isReserved(name) || name.length > 100) {
      given?.note("*", "left out: an answer under a reserved or too long id", { [name]: value }, null);
      continue;
    }
    try {
      if (question === undefined) throw new ValidationFailed([]);
      Object.assign(responses, checkResponses([{ ...question, required: false }], { [name]: answer as RawAnswer }));
    } catch (error) {
      if (!(error instanceof ValidationFailed)) throw error;
      const why = "kept: an answer that the form does not ask for, or no longer offers";
      given?.note("*", why, { [name]: value }, { [name]: answer });
      responses[name] = answer;
    }
  }
  return responses;
}

/** @param facts the events, and the zone of times without one */
export const mapSubmission = (
  row: Row,
  { eventOf, timeZone }: { readonly eventOf: (name: string) => MappedEvent | undefined; readonly timeZone: string },
): Mapped<MappedSubmission> =>
  mapped(row, (reading) => {
    const id = reading.text("id", { most: 100 });
    for (const name of ["eventID", "year", "eventID;year"]) reading.raw(name);
    if (id === undefined) throw new Refused("the submission has no id");
    const key = eventIn(row);
    const event = key && eventOf(eventName(key));
    if (event === undefined) throw new Refused("the event is not among the events");
    const said = String(reading.raw("formType") ?? "");
    const formType = formTypes.find((one) => one === said.trim().toLowerCase());
    if (formType === undefined) throw new Refused("the form is neither attendee nor partner");
    if (formType !== said) reading.note("formType", "a form in small letters", said, formType);
    const responses = responsesOf(reading, event, formType);
    const respondentName = reading.text("respondentName");
    const typed = reading.text("respondentEmail", { most: 512 });
    const respondentEmail = typed === undefined ? undefined : canonicalEmail(typed);
    if (typed !== undefined && typed !== respondentEmail) {
      const why = respondentEmail === undefined ? "left out: no email address" : "the email's usual spelling";
      reading.note("respondentEmail", why, typed, respondentEmail);
    }
    const submittedAt = reading.time("submittedAt", timeZone) ?? reading.time("createdAt", timeZone) ?? 0;
    reading.leftOut(["createdAt", "updatedAt"]);
    assertFits(valueSize(responses), "/responses");
    return {
      id,
      eventID: event.event.id,
      year: event.event.year,
      formType,
      submittedAt,
      arrival: `${Math.max(submittedAt, 1e12)}#${steadyUlid(submittedAt, `feedback ${id}`)}`,
      responses,
      ...(respondentName !== undefined && { respondentName }),
      ...(respondentEmail !== undefined && { respondentEmail }),
    };
  });
