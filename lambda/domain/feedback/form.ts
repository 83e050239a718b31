/** What a feedback form asks. Pure. */

import type { EventRecord } from "#domain/events/event.ts";
import type { FeedbackType } from "#domain/events/event-input.ts";

/** The forms that every event has, as they are named in the path (`spec.md`, "Feedback question"). */
export const formTypes = ["attendee", "partner"] as const;
export type FormType = (typeof formTypes)[number];

export interface FeedbackQuestion {
  readonly questionId: string;
  readonly label: string;
  readonly type: FeedbackType;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** Ends of a LINEAR_SCALE, both of them included; 1 and 10 where they are absent. */
  readonly scaleMin?: number;
  readonly scaleMax?: number;
  readonly scaleMinLabel?: string;
  readonly scaleMaxLabel?: string;
}

/** The form of one kind that an event has. */
export interface FeedbackForm {
  readonly formType: FormType;
  /** Whether it takes answers. */
  readonly enabled: boolean;
  readonly feedbackQuestions: readonly FeedbackQuestion[];
}

/** Every form begins with it (`spec.md`, "Feedback question"). */
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

/** An event that brings an overall rating of its own does not ask for it twice: ours stands. */
export function formOf(event: EventRecord, formType: FormType): FeedbackForm {
  const fields = fieldsOf[formType];
  const asked = (event[fields.questions] ?? []) as readonly FeedbackQuestion[];
  const others = asked.filter(({ questionId }) => questionId !== overallRating.questionId);
  return { formType, enabled: event[fields.enabled] === true, feedbackQuestions: [overallRating, ...others] };
}

/** What a form shows of its event. */
export const eventSummary = (event: EventRecord) => ({
  id: event.id,
  year: event.year,
  ename: event.ename,
  description: event.description,
  partnerDescription: event.partnerDescription,
  imageUrl: event.imageUrl,
  endDate: event.endDate,
  isCompleted: event.isCompleted,
});
