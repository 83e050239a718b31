/** The questions of a feedback form (`docs/contract.md`, "Feedback"). Pure. */

import type { EventRecord } from "#domain/events/event.ts";
import type { FeedbackType } from "#domain/events/event-input.ts";

/** The forms of every event, as the path names them (`docs/contract.md`, "Feedback"). */
export const formTypes = ["attendee", "partner"] as const;
export type FormType = (typeof formTypes)[number];

export interface FeedbackQuestion {
  readonly questionId: string;
  readonly label: string;
  readonly type: FeedbackType;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** Inclusive bounds of a LINEAR_SCALE, by default 1 and 10. */
  readonly scaleMin?: number;
  readonly scaleMax?: number;
  readonly scaleMinLabel?: string;
  readonly scaleMaxLabel?: string;
}

export interface FeedbackForm {
  readonly formType: FormType;
  /** Whether the form accepts answers. */
  readonly enabled: boolean;
  readonly feedbackQuestions: readonly FeedbackQuestion[];
}

/** The first question of every form (`docs/contract.md`, "Feedback"). */
export const overallRating: FeedbackQuestion = {
  questionId: "overall-rating",
  label: "How would you rate the event overall?",
  type: "LINEAR_SCALE",
  required: true,
  scaleMin: 1,
  scaleMax: 10,
  scaleMinLabel: "Poor",
  scaleMaxLabel: "Excellent",
};

const fieldsOf = {
  attendee: { enabled: "attendeeFeedbackEnabled", questions: "attendeeFeedbackQuestions" },
  partner: { enabled: "partnerFeedbackEnabled", questions: "partnerFeedbackQuestions" },
} as const satisfies Record<FormType, { enabled: string; questions: string }>;

/** The service's overall rating replaces a question of the event with the same id. */
export function formOf(event: EventRecord, formType: FormType): FeedbackForm {
  const fields = fieldsOf[formType];
  const asked = (event[fields.questions] ?? []) as readonly FeedbackQuestion[];
  const others = asked.filter(({ questionId }) => questionId !== overallRating.questionId);
  return { formType, enabled: event[fields.enabled] === true, feedbackQuestions: [overallRating, ...others] };
}

/** The form as it is at a time: it takes no answers before the event has begun. @param now epoch milliseconds */
export function formAt(event: EventRecord, formType: FormType, now: number): FeedbackForm {
  const form = formOf(event, formType);
  return { ...form, enabled: form.enabled && !(Date.parse(event.startDate ?? "") > now) };
}

/** The optional fields of the event that a form shows. */
const shownFields = [
  "description",
  "partnerDescription",
  "imageUrl",
  "elocation",
  "calledOff",
  "startDate",
  "endDate",
  "timeZone",
] as const;

/** The event as a form shows it. */
export const eventSummary = (event: EventRecord) => ({
  id: event.id,
  year: event.year,
  ename: event.ename,
  ...Object.fromEntries(shownFields.map((field) => [field, event[field]])),
  isCompleted: event.isCompleted,
});
