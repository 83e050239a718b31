/** The only place where domain errors are mapped to HTTP responses (`docs/contract.md`, "Errors"). */

import { Contended, OutcomeUnknown, type Refusal, type RefusalKind, Unavailable } from "../errors.ts";
import { Conflict, Unanswered, UnknownOutcome } from "../table/conflict.ts";

/** The body of every error of the service; the gateway's own errors have only a message. */
export interface Problem {
  /** A sentence that a person can read. */
  readonly message: string;
  readonly code: string;
  readonly requestId: string;
}

export const statusOf: Readonly<Record<RefusalKind | "broken", number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  changed: 412,
  "too large": 413,
  "key reused": 422,
  "too often": 429,
  broken: 500,
  unavailable: 503,
};

/** Response headers of some refusals, by code. */
export const headersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CONTENDED: { "retry-after": "1" },
  REQUEST_IN_PROGRESS: { "retry-after": "1" },
  UNAVAILABLE: { "retry-after": "5" },
};

/** Converts an error to the caller's refusal, if there is one. */
export function refusalOf(error: Error): Error {
  if (error instanceof UnknownOutcome) return new OutcomeUnknown({ cause: error });
  if (error instanceof Unanswered) return new Unavailable("The service does not answer right now. Please try again.");
  return error instanceof Conflict ? new Contended({ cause: error }) : error;
}

export function refusalAnswer(refusal: Refusal, requestId: string) {
  const problem: Problem = { message: refusal.message, code: refusal.code, requestId };
  return {
    statusCode: statusOf[refusal.kind],
    headers: { ...headersOf[refusal.code], ...refusal.headers },
    body: { ...refusal.details, ...problem },
  };
}

/** A response without internal details. The log has the reason under the same request id. */
export function internalErrorAnswer(requestId: string) {
  const problem: Problem = { message: "Something went wrong on our side.", code: "INTERNAL", requestId };
  return { statusCode: statusOf.broken, headers: {}, body: { ...problem } };
}
