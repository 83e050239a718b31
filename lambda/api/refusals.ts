/**
 * The codes of the refusals: their kinds, and which of them a route may answer. For the reference and the tests; not
 * bundled into functions.
 */
import type { TProperties } from "typebox";
import type * as capacity from "#domain/capacity/refusals.ts";
import type * as codesOfEvents from "#domain/codes/refusals.ts";
import type * as events from "#domain/events/refusals.ts";
import type * as feedback from "#domain/feedback/refusals.ts";
import type * as game from "#domain/game/refusals.ts";
import type * as mail from "#domain/mail/refusals.ts";
import type * as payments from "#domain/payments/refusals.ts";
import type * as people from "#domain/people/refusals.ts";
import type * as registrations from "#domain/registrations/refusals.ts";
import type * as kit from "#kit/errors.ts";
import type { Contract } from "#kit/request/contract.ts";
import { statusOf } from "#kit/request/problem.ts";

/** The files of all areas. */
type Classes = typeof kit &
  typeof capacity &
  typeof codesOfEvents &
  typeof events &
  typeof feedback &
  typeof game &
  typeof mail &
  typeof payments &
  typeof people &
  typeof registrations;

/** Each leaf class of these files. */
type Refusals = {
  [Name in keyof Classes]: Classes[Name] extends (new (...all: never[]) => infer R extends kit.Refusal) ? R : never;
}[keyof Classes];

/** A kind, and the message or an example of it. Without one the routes say it (`ClubContract`): it depends on them. */
type Code<K> = readonly [kind: K, message?: string];

/** What is said of each code. The kind is that of its class. */
const codes: { readonly [R in Refusals as R["code"]]: Code<R["kind"]> } & { readonly INTERNAL: Code<"broken"> } = {
  VALIDATION: ["invalid", "capac must be a whole number from 1 to 1,000,000, or null."],
  UNAUTHENTICATED: ["unauthenticated", "Sign in to use this: an ID token with an email is needed."],
  FORBIDDEN: ["forbidden"],
  MEMBERS_ONLY: ["forbidden", "This event is for members only."],
  FEEDBACK_DISABLED: ["forbidden", "This event takes no feedback of this kind."],
  DOOR_CLOSED: ["forbidden", "This event is over: its door is closed."],
  NOT_FOUND: ["missing"],
  CODE_REQUIRED: ["forbidden", "Partners register for this event with a code. Please enter yours."],
  CODE_NOT_VALID: ["conflict", "This code is used up."],
  DUPLICATE: ["conflict"],
  ILLEGAL_TRANSITION: ["conflict"],
  STATUS_CHANGED: [
    "conflict",
    "This registration has changed since you saw it: it is registered now. Please look again.",
  ],
  WRONG_EVENT: ["conflict", "This ticket is for another event: gala 2030."],
  TOO_MANY_DEVICES: ["conflict", "This link has 10 devices. Ask for a new one."],
  EVENT_FULL: ["conflict", "The event is full."],
  CHOICE_FULL: ["conflict", '"Strategy" is full. Please choose another one.'],
  EVENT_CLOSED: ["conflict", "Registration for this event is closed."],
  NOT_OPEN_YET: ["conflict", "Registration opens on Friday, February 1, 2030 at 1:00 PM GMT-7."],
  EVENT_HAS_REGISTRATIONS: [
    "conflict",
    "People are registered for this event. Delete it with force=true to cancel them all.",
  ],
  EMAIL_NOT_CHANGEABLE: [
    "conflict",
    "A payment is open. Please pay, or cancel what it is for, and wait until its page has ended.",
  ],
  NOTHING_TO_PAY: ["conflict", "There is nothing left to pay: your seat is confirmed."],
  NOTHING_TO_DECIDE: ["conflict", "Nothing of this payment waits for a decision."],
  NOT_REFUNDABLE: ["conflict", "Only 5.00 CAD of this payment is left."],
  NOT_REVERSIBLE: ["conflict", "This entry is reversed already."],
  AMOUNT_DIFFERS: [
    "conflict",
    "20.00 CAD is asked for, not 2.00 CAD. `confirm: true` records it all the same; the rest stays owed, unless `waive` says why not.",
  ],
  MONTH_CLOSED: ["conflict", "This month is closed: record it with a date since then."],
  NOT_RECONCILED: [
    "conflict",
    "The provider's books have not been read to the end of this month: close it after the next night.",
  ],
  CAMPAIGN_BEGUN: ["conflict", "This campaign has begun. It can only be stopped."],
  INSUFFICIENT_CASH: ["conflict", "You do not have enough cash for this."],
  INSUFFICIENT_SHARES: ["conflict", "You do not have as many shares of this project."],
  PROJECT_INACTIVE: ["conflict", "This project is not traded any more."],
  REQUEST_IN_PROGRESS: [
    "conflict",
    "This request is being carried out already. Send it again in a moment to get its answer.",
  ],
  PRECONDITION_FAILED: ["changed", "This has changed since you read it. Please read it again."],
  TOO_LARGE: ["too large", "The body is larger than 256 KB."],
  IDEMPOTENCY_KEY_REUSED: [
    "key reused",
    "This Idempotency-Key was used for another request. Use a new key for each new request.",
  ],
  TOO_OFTEN: ["too often", "You have registered for this event too often. Please try again later."],
  INTERNAL: ["broken", "Something went wrong on our side."],
  UNAVAILABLE: ["unavailable", "The service does not answer right now. Please try again."],
  CONTENDED: [
    "unavailable",
    "Too many people are doing this at the same moment. Nothing was changed; please try again.",
  ],
  OUTCOME_UNKNOWN: ["unavailable", "We did not hear in time whether this was done. Please look before you try again."],
};

export type ProblemCode = keyof typeof codes;

export const problemCodes = Object.keys(codes) as ProblemCode[];

export const statusOfCode = (code: ProblemCode): number => statusOf[codes[code][0]];

/** The message of a refusal that says the same everywhere. */
export const generalMessage = (code: ProblemCode): string | undefined => codes[code][1];

/** The contract of a route of this service, with the codes of its refusals. */
export interface ClubContract extends Contract {
  readonly refusals?: readonly ProblemCode[];
  readonly details?: Readonly<Partial<Record<ProblemCode, TProperties>>>;
  readonly says?: Readonly<Partial<Record<ProblemCode | number, string | readonly string[]>>>;
}

/** Codes that every route may answer. */
const everywhere: readonly ProblemCode[] = ["TOO_LARGE", "INTERNAL", "CONTENDED", "UNAVAILABLE", "OUTCOME_UNKNOWN"];

/** All codes that a route may answer: its own, and those of every route of its kind. Each code once. */
export function refusalsOf(contract: ClubContract): ProblemCode[] {
  const { access, owner, params, query, body, signedBody, ifMatch, refusals = [], idempotent } = contract;
  const refusesForeign = owner?.who === "self or admin" && typeof owner.foreign === "string";
  return [
    ...(params || query || body || signedBody || ifMatch ? ["VALIDATION" as const] : []),
    // A token without a usable email is not an admin's, and gets 403 there.
    ...(access === "caller" || access === "door" || access === "link" ? ["UNAUTHENTICATED" as const] : []),
    ...((access === "admin" || refusesForeign) && !refusals.includes("FORBIDDEN") ? ["FORBIDDEN" as const] : []),
    ...refusals,
    ...(idempotent ? (["REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const) : []),
    ...(ifMatch ? ["PRECONDITION_FAILED" as const] : []),
    ...everywhere,
  ];
}
