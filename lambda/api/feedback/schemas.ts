import { summary } from "#api/records/event-fields.ts";
import { FeedbackQuestion } from "#api/records/schemas.ts";
import type { Answer, RawAnswer } from "#domain/feedback/answers.ts";
import { formTypes } from "#domain/feedback/form.ts";
import {
  closed,
  described,
  EventId,
  Line,
  Message,
  oneOf,
  optional,
  orNull,
  page,
  type Static,
  Text,
  Type,
  times,
  Year,
} from "#kit/schema/schema.ts";

const formType = described(oneOf(formTypes), "Who fills the form in.");
export const formParams = closed({ eventId: EventId, year: Year, formType });

export const pageQuery = closed(page);

const Answers = Type.Record(
  Type.String(),
  Type.Unsafe<Answer>({ type: ["string", "integer", "array"], items: Type.String() }),
  { description: "The answers, by `questionId`.", examples: [{ "overall-rating": 9 }] },
);
const submittedAt = described(times.createdAt, "When the person last answered, in epoch milliseconds.");
const meant = {
  respondentName: ["Name of the person who answered, if they gave it.", "Ada"],
  respondentEmail: ["Email of the person who answered, if they gave it.", "ada@student.example"],
} as const;
const respondent = {
  respondentName: optional(Type.String(), ...meant.respondentName),
  respondentEmail: optional(Type.String(), ...meant.respondentEmail),
};

export const Form = closed({
  event: described(closed(summary), "The event."),
  formType,
  enabled: Type.Boolean({ description: "Whether the form takes answers. Not before the event has begun." }),
  feedbackQuestions: described(Type.Array(FeedbackQuestion), "All questions of the form, the overall rating first.", [
    {
      questionId: "overall-rating",
      label: "How would you rate the event overall?",
      type: "LINEAR_SCALE",
      required: true,
      scaleMin: 1,
      scaleMax: 10,
    },
  ]),
  mine: optional(
    closed({ submittedAt, responses: Answers, ...respondent }),
    "What the same person has submitted to this form, as far as it still asks it.",
  ),
});

/** Keyed by question id. The handler checks the answers against the form, which has at most 101 questions. */
const responses = Type.Record(
  Type.String(),
  Type.Unsafe<RawAnswer>({
    type: ["string", "number", "array", "null"],
    items: Text(4_000),
    maxItems: 100,
    description:
      "SHORT_TEXT: at most 280 characters. LONG_TEXT: at most 4,000. MULTIPLE_CHOICE: one choice on offer. CHECKBOXES: " +
      "choices, as a list or a text with commas. LINEAR_SCALE: a whole number on the scale. `null` or blank: no answer.",
  }),
  { maxProperties: 200, description: "Answers by `questionId`.", examples: [{ "overall-rating": 9 }] },
);

export const NewSubmission = closed({
  responses,
  respondentName: optional(orNull(Line()), ...meant.respondentName),
  /** Blank, because a web form sends blank fields, or an email. */
  respondentEmail: optional(orNull(Line(512)), ...meant.respondentEmail),
});

const id = described(Type.String(), "The submission's id.", "01JGZ2M0W8Q4V5Y6Z7A8B9C0D4");
export const submitted = closed({ message: Message, id });

export const Submission = closed({
  id,
  eventID: EventId,
  year: Year,
  formType,
  submittedAt,
  responses: Answers,
  came: optional(Type.Boolean(), "Whether the author was checked in then. Absent: of before this was recorded.", true),
  ...respondent,
});
export type Submission = Static<typeof Submission>;

export const Submissions = closed({
  count: described(Type.Integer({ minimum: 0 }), "How many submissions this page has.", 1),
  submissions: described(Type.Array(Submission), "One page of them, the newest first."),
});
