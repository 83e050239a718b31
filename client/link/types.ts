/** What the API answers to a link (`docs/contract.md`, "Links"). */
import type { components } from "../paths.ts";

type Schemas = components["schemas"];

export type LinkedRegistration = Schemas["LinkedRegistration"];
export type Registration = LinkedRegistration["registration"];
export type Action = LinkedRegistration["may"][number];
export type ShownEvent = LinkedRegistration["event"];

export type GuestRequest = Schemas["GuestRequest"];
export type Registered = Schemas["Registered"];

export type FeedbackForm = Schemas["Form"];
/** A question of either form. */
export type Question = Omit<Schemas["FeedbackQuestion"], "type"> & {
  readonly type: Schemas["FeedbackQuestion" | "RegistrationQuestion"]["type"];
};

/** `null`: no answer. */
export type Answer = string | number | readonly string[] | null;
