import { FeedbackQuestion } from "#api/records/schemas.ts";
import type { Answer, RawAnswer } from "#domain/feedback/answers.ts";
import { formTypes, shownFields } from "#domain/feedback/form.ts";
import {
  closed,
  described,
  EventId,
  each,
  Line,
  oneOf,
  orNull,
  page,
  type Static,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema/schema.ts";

export const formParams = closed({ eventId: EventId, year: Year, formType: oneOf(formTypes) });

export const pageQuery = closed(page);

const Answers = Type.Record(
  Type.String(),
  Type.Unsafe<Answer>({ type: ["string", "integer", "array"], items: Type.String() }),
);
const respondent = each(["respondentName", "respondentEmail"], Type.Optional(Type.String()));

export const Form = closed({
  event: closed({
    id: EventId,
    year: Year,
    ename: Type.String(),
    ...each(shownFields, Type.Optional(Type.String())),
    isCompleted: Type.Boolean(),
    when: Type.String({ description: "Date and time for people, with the zone, as in mails." }),
  }),
  formType: oneOf(formTypes),
  enabled: Type.Boolean({ description: "Whether the form takes answers. Not before the event has begun." }),
  feedbackQuestions: Type.Array(FeedbackQuestion),
  mine: Type.Optional(
    described(
      closed({ submittedAt: Timestamp, responses: Answers, ...respondent }),
      "What the same person has submitted to this form, as far as it still asks it.",
    ),
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
  { maxProperties: 200, description: "Answers by `questionId`." },
);

export const NewSubmission = closed({
  responses,
  respondentName: Type.Optional(orNull(Line())),
  /** Blank, because a web form sends blank fields, or an email. */
  respondentEmail: Type.Optional(orNull(Line(512))),
});

export const Submission = closed({
  id: Type.String(),
  eventID: EventId,
  year: Year,
  formType: oneOf(formTypes),
  submittedAt: Timestamp,
  responses: Answers,
  came: Type.Optional(
    Type.Boolean({ description: "Whether the author was checked in then. Absent: of before this was recorded." }),
  ),
  ...respondent,
});
export type Submission = Static<typeof Submission>;

export const Submissions = closed({ count: Type.Integer({ minimum: 0 }), submissions: Type.Array(Submission) });
