/** What the API takes and answers, as the pages use it. */
import type { components } from "../paths.ts";

type Schemas = components["schemas"];

export type Event = Schemas["Event"];
export type EventWithCounts = Schemas["EventWithPeople"];
export type Registration = Schemas["Registration"];
export type Registered = Schemas["Registered"];
export type RegisteredByLink = Schemas["RegisteredByLink"];
export type GuestRequest = Schemas["GuestRequest"];
export type FeedbackForm = Schemas["Form"];
export type ErasurePlan = Schemas["ErasurePlan"];
export type OwnAccount = Schemas["OwnUser"];

/** A registration with its event, and what can be done with it. */
export type Place = Schemas["LinkedRegistration"];
export type ShownEvent = Place["event"];
export type Action = Place["may"][number];

/** A question of either form. */
export type Question = Omit<Schemas["FeedbackQuestion"], "type"> &
  Pick<Partial<Schemas["RegistrationQuestion"]>, "charLimit" | "questionImageUrl" | "participantCap"> & {
    readonly type: Schemas["FeedbackQuestion" | "RegistrationQuestion"]["type"];
  };

/** `null`: no answer. */
export type Answer = string | number | readonly string[] | null;
export type Answers = Readonly<Record<string, Answer>>;

/** The settings of the stage, as the document brings them (`lambda/api/pages/document.ts`). */
export interface Settings {
  /** The base address of the API, without a slash at its end. */
  readonly api: string;
  readonly clubName: string;
  /** An email. */
  readonly contact: string;
  /** IANA name. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly colours: { readonly accent?: string };
  /** Where the pictures are that the pages' policy allows. */
  readonly images: string;
  readonly publicEvents: boolean;
  readonly guests: "nobody" | "partners" | "everyone";
  readonly userPoolId: string;
  readonly clientId: string;
  /** Where the user pool is, if not in AWS. */
  readonly identityUrl?: string;
  /** The domain of the hosted sign-in. */
  readonly signInDomain?: string;
  readonly hasGoogle?: boolean;
}
