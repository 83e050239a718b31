/**
 * The codes of the refusals: their kinds, and which of them a route may answer. For the reference and the tests; not
 * bundled into functions.
 */
import type { TProperties } from "typebox";
import type * as capacity from "#domain/capacity/refusals.ts";
import type * as events from "#domain/events/refusals.ts";
import type * as feedback from "#domain/feedback/refusals.ts";
import type * as game from "#domain/game/refusals.ts";
import type * as payments from "#domain/payments/refusals.ts";
import type * as registrations from "#domain/registrations/refusals.ts";
import type * as kit from "#kit/errors.ts";
import type { Contract } from "#kit/request/contract.ts";
import { statusOf } from "#kit/request/problem.ts";

type Classes = typeof kit &
  typeof capacity &
  typeof events &
  typeof feedback &
  typeof game &
  typeof payments &
  typeof registrations;

/** Each leaf class of these files. */
type Refusals = {
  [Name in keyof Classes]: Classes[Name] extends (new (...all: never[]) => infer R extends kit.Refusal) ? R : never;
}[keyof Classes];

/** The kind of each code, equal to that of its class. */
const kinds: { readonly [R in Refusals as R["code"]]: R["kind"] } & { readonly INTERNAL: "broken" } = {
  VALIDATION: "invalid",
  UNAUTHENTICATED: "unauthenticated",
  FORBIDDEN: "forbidden",
  MEMBERS_ONLY: "forbidden",
  FEEDBACK_DISABLED: "forbidden",
  DOOR_CLOSED: "forbidden",
  NOT_FOUND: "missing",
  DUPLICATE: "conflict",
  ILLEGAL_TRANSITION: "conflict",
  STATUS_CHANGED: "conflict",
  WRONG_EVENT: "conflict",
  TOO_MANY_DEVICES: "conflict",
  EVENT_FULL: "conflict",
  CHOICE_FULL: "conflict",
  EVENT_CLOSED: "conflict",
  NOT_OPEN_YET: "conflict",
  EVENT_HAS_REGISTRATIONS: "conflict",
  NOTHING_TO_PAY: "conflict",
  NOTHING_TO_DECIDE: "conflict",
  NOT_REFUNDABLE: "conflict",
  NOT_REVERSIBLE: "conflict",
  AMOUNT_DIFFERS: "conflict",
  MONTH_CLOSED: "conflict",
  NOT_RECONCILED: "conflict",
  INSUFFICIENT_CASH: "conflict",
  INSUFFICIENT_SHARES: "conflict",
  PROJECT_INACTIVE: "conflict",
  REQUEST_IN_PROGRESS: "conflict",
  PRECONDITION_FAILED: "changed",
  TOO_LARGE: "too large",
  IDEMPOTENCY_KEY_REUSED: "key reused",
  TOO_OFTEN: "too often",
  INTERNAL: "broken",
  UNAVAILABLE: "unavailable",
  CONTENDED: "unavailable",
  OUTCOME_UNKNOWN: "unavailable",
};

export type ProblemCode = keyof typeof kinds;

export const problemCodes = Object.keys(kinds) as ProblemCode[];

export const statusOfCode = (code: ProblemCode): number => statusOf[kinds[code]];

/** The contract of a route of this service, with the codes of its refusals. */
export interface ClubContract extends Contract {
  readonly refusals?: readonly ProblemCode[];
  readonly details?: Readonly<Partial<Record<ProblemCode, TProperties>>>;
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
