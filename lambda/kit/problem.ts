/** The only place where a domain error becomes an HTTP answer (`docs/contract.md`, "Errors"). */
import { Conflict, Unanswered, UnknownOutcome } from "./conflict.ts";
import { Contended, OutcomeUnknown, type ProblemCode, type Refusal, Unavailable } from "./errors.ts";

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
  REQUEST_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  TOO_OFTEN: 429,
  UNAVAILABLE: 503,
  CONTENDED: 503,
  OUTCOME_UNKNOWN: 503,
  INTERNAL: 500,
};

/** Headers of the answers of some refusals. */
export const headersOf: Partial<Record<ProblemCode, Record<string, string>>> = {
  CONTENDED: { "retry-after": "1" },
  REQUEST_IN_PROGRESS: { "retry-after": "1" },
  UNAVAILABLE: { "retry-after": "5" },
};

/** The refusal that the caller gets for an error; other errors stay as they are. */
export function refusalOf(error: Error): Error {
  if (error instanceof UnknownOutcome) return new OutcomeUnknown({ cause: error });
  if (error instanceof Unanswered) return new Unavailable("The service does not answer right now. Please try again.");
  return error instanceof Conflict ? new Contended({ cause: error }) : error;
}

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
