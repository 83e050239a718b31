/** The fields that an admin sends to create or change an event (`docs/contract.md`, "Events"). */
import type { PricingInput } from "./pricing.ts";

export const questionTypes = ["TEXT", "SELECT", "CHECKBOX", "UPLOAD", "WORKSHOP_SELECTION", "SKILLS"] as const;
export const feedbackTypes = ["SHORT_TEXT", "LONG_TEXT", "MULTIPLE_CHOICE", "CHECKBOXES", "LINEAR_SCALE"] as const;

/** Who may register without an account (`docs/contract.md`, "Guests"). */
export const guestsAllowed = ["nobody", "partners", "everyone"] as const;
export type GuestsAllowed = (typeof guestsAllowed)[number];

export type QuestionType = (typeof questionTypes)[number];
export type FeedbackType = (typeof feedbackTypes)[number];

/** Who gets the mail of a rule: all with a confirmed seat, or who was checked in. */
export const mailAudiences = ["seats", "came"] as const;
export const mailMoments = ["beforeStart", "afterEnd"] as const;

/** A template that goes by itself before or after an event. */
export interface MailRule {
  readonly templateName: string;
  readonly to: (typeof mailAudiences)[number];
  readonly when: (typeof mailMoments)[number];
  /** Days on the calendar of the event's zone. */
  readonly days?: number;
  /** More hours, instead of `time`. */
  readonly hours?: number;
  /** `hh:mm` of that day. Absent: the time of the event's start or end. */
  readonly time?: string;
}

export interface MailRuleInput extends Pick<MailRule, "templateName" | "to" | "when"> {
  readonly days?: number | null;
  readonly hours?: number | null;
  readonly time?: string | null;
}

interface AskedQuestion {
  /** The service generates a missing id. */
  readonly questionId?: string | null;
  readonly label: string;
  readonly required: boolean;
  /** The web application's form sends all choices as one comma-separated string. */
  readonly choices?: readonly string[] | string | null;
}

export interface RegistrationQuestionInput extends AskedQuestion {
  readonly type: QuestionType;
  /** Characters. */
  readonly charLimit?: number | null;
  readonly questionImageUrl?: string | null;
  /** Seats of each choice of a WORKSHOP_SELECTION. */
  readonly participantCap?: number | null;
  readonly isSkillsQuestion?: boolean;
}

export interface FeedbackQuestionInput extends AskedQuestion {
  readonly type: FeedbackType;
  readonly scaleMin?: number | null;
  readonly scaleMax?: number | null;
  readonly scaleMinLabel?: string | null;
  readonly scaleMaxLabel?: string | null;
}

/** The fields that a PATCH may change. `null` removes a field. */
export interface EventChanges {
  readonly ename?: string;
  readonly description?: string | null;
  readonly partnerDescription?: string | null;
  /** Seats; absent or null: unlimited. */
  readonly capac?: number | null;
  /** How many of the seats are for people with a code for access; absent or null: none. */
  readonly allotment?: number | null;
  /** Seats of the partners; absent or null: unlimited. */
  readonly partnerCapac?: number | null;
  /** How many people each attendee may bring; absent or null: none. */
  readonly plusOnes?: number | null;
  /** The club's word about an event that does not take place. */
  readonly calledOff?: string | null;
  /** IANA name. */
  readonly timeZone?: string | null;
  /** Dates are ISO 8601; without an offset they are in the event's time zone. */
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  readonly deadline?: string | null;
  readonly opensAt?: string | null;
  readonly publishAt?: string | null;
  readonly refundUntil?: string | null;
  /** Hours before the start. */
  readonly reminders?: readonly number[] | null;
  readonly guests?: GuestsAllowed | null;
  readonly mails?: readonly MailRuleInput[] | null;
  /** The address for answers to mails about the event. */
  readonly replyTo?: string | null;
  readonly noShowsWait?: boolean;
  /** The price is a deposit. */
  readonly refundAtCheckIn?: boolean;
  /** How often one seat may be handed on; absent or null: never. */
  readonly transfers?: number | null;
  readonly elocation?: string | null;
  /** Degrees. */
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly facebookUrl?: string | null;
  readonly imageUrl?: string | null;
  readonly isPublished?: boolean;
  readonly isCompleted?: boolean;
  readonly isApplicationBased?: boolean;
  readonly nonBizTechAllowed?: boolean;
  readonly pricing?: PricingInput | null;
  readonly registrationQuestions?: readonly RegistrationQuestionInput[] | null;
  readonly partnerRegistrationQuestions?: readonly RegistrationQuestionInput[] | null;
  readonly attendeeFeedbackEnabled?: boolean;
  readonly partnerFeedbackEnabled?: boolean;
  readonly attendeeFeedbackQuestions?: readonly FeedbackQuestionInput[] | null;
  readonly partnerFeedbackQuestions?: readonly FeedbackQuestionInput[] | null;
  /** What the web application shows on the event's page. The service only keeps it. */
  readonly eventPage?: Readonly<Record<string, unknown>> | null;
  readonly registrationFormKey?: string | null;
}

export interface NewEvent extends Omit<EventChanges, "calledOff"> {
  readonly id: string;
  readonly year: number;
  readonly ename: string;
}
