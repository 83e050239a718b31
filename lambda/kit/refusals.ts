/** The codes of the refusals that a route may answer. Read by the reference and by tests; no function contains it. */
import type { Contract } from "./contract.ts";
import type { ProblemCode } from "./errors.ts";

/** Codes that every route may answer. */
const everywhere: readonly ProblemCode[] = ["TOO_LARGE", "INTERNAL", "CONTENDED", "UNAVAILABLE", "OUTCOME_UNKNOWN"];

/** All codes that a route may answer: its own, and those of every route of its kind. Each code once. */
export function refusalsOf(contract: Contract): ProblemCode[] {
  const { access, params, query, body, signedBody, ifMatch, refusals = [], idempotent } = contract;
  return [
    ...(params || query || body || signedBody || ifMatch ? ["VALIDATION" as const] : []),
    // A token without a usable email is no admin, and gets 403 there.
    ...(access === "caller" ? ["UNAUTHENTICATED" as const] : []),
    ...(access === "admin" && !refusals.includes("FORBIDDEN") ? ["FORBIDDEN" as const] : []),
    ...refusals,
    ...(idempotent ? (["REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const) : []),
    ...(ifMatch ? ["PRECONDITION_FAILED" as const] : []),
    ...everywhere,
  ];
}
