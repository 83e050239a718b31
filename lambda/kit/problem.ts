/** The only place where a domain error becomes an HTTP answer (`docs/contract.md`, "Errors"). */
import type { ProblemCode, Refusal } from "./errors.ts";

/** The body of every error that the service itself answers; the gateway's own errors have a message only. */
export interface Problem {
  /** A sentence that a person can read. */
  readonly message: string;
  readonly code: ProblemCode;
  readonly requestId: string;
}

export const statusOf: Readonly<Record<ProblemCode, number>> = {
  VALIDATION: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  MEMBERS_ONLY: 403,
  NOT_FOUND: 404,
  DUPLICATE: 409,
  ILLEGAL_TRANSITION: 409,
  WRONG_EVENT: 409,
  FEEDBACK_DISABLED: 403,
  EVENT_FULL: 409,
  CHOICE_FULL: 409,
  EVENT_CLOSED: 409,
  EVENT_HAS_REGISTRATIONS: 409,
  NOTHING_TO_PAY: 409,
  INSUFFICIENT_CASH: 409,
  INSUFFICIENT_SHARES: 409,
  PROJECT_INACTIVE: 409,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  UNAVAILABLE: 503,
  CONTENDED: 503,
  OUTCOME_UNKNOWN: 503,
  INTERNAL: 500,
};

/** Headers of the answers of some refusals. */
export const headersOf: Partial<Record<ProblemCode, Record<string, string>>> = {
  CONTENDED: { "retry-after": "1" },
  UNAVAILABLE: { "retry-after": "5" },
};

export function refusalAnswer(refusal: Refusal, requestId: string) {
  const problem: Problem = { message: refusal.message, code: refusal.code, requestId };
  return {
    statusCode: statusOf[refusal.code],
    headers: { ...headersOf[refusal.code], ...refusal.headers },
    body: { ...refusal.details, ...problem },
  };
}

/** An answer that tells nothing about the inside. The log has the reason under the same request id. */
export function internalErrorAnswer(requestId: string) {
  const problem: Problem = { message: "Something went wrong on our side.", code: "INTERNAL", requestId };
  return { statusCode: statusOf.INTERNAL, headers: {}, body: { ...problem } };
}
