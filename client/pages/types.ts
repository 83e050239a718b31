/** What the API takes and answers, as the pages use it. */
import type { components } from "../paths.ts";

type Schemas = components["schemas"];

export type Event = Schemas["Event"];
export type EventWithCounts = Schemas["EventWithPeople"];
export type Registration = Schemas["Registration"];
export type Registered = Schemas["Registered"] & { readonly link?: string };
export type GuestRequest = Schemas["GuestRequest"];
export type FeedbackForm = Schemas["Form"];
export type ErasurePlan = Schemas["ErasurePlan"];
export type ShownEvent = Schemas["LinkedRegistration"]["event"] & { readonly refundUntil?: string };

/** What can be done with a registration. */
export type Action = Schemas["LinkedRegistration"]["may"][number] | "pay" | "again";

/** A registration with its event, and what can be done with it. */
export type Place = Omit<Schemas["LinkedRegistration"], "event" | "may"> & {
  readonly event: ShownEvent;
  readonly may: readonly Action[];
  /** ISO 8601. */
  readonly holdExpiresAt?: string;
  /** Dollars, only while it is unpaid. */
  readonly price?: number;
};

/** A question of either form. */
export type Question = Omit<Schemas["FeedbackQuestion"], "type"> &
  Pick<Partial<Schemas["RegistrationQuestion"]>, "charLimit" | "questionImageUrl" | "participantCap"> & {
    readonly type: Schemas["FeedbackQuestion" | "RegistrationQuestion"]["type"];
  };

/** `null`: no answer. */
export type Answer = string | number | readonly string[] | null;
export type Answers = Readonly<Record<string, Answer>>;
