/** The only place where a domain error becomes an HTTP answer (`docs/contract.md`, "Errors"). */
import { Conflict, Unanswered, UnknownOutcome } from "./conflict.ts";
import { Contended, OutcomeUnknown, type Refusal, type RefusalKind, Unavailable } from "./errors.ts";

/** The body of every error that the service itself answers; the gateway's own errors have a message only. */
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

/** Headers of the answers of some refusals, by code. */
export const headersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
    statusCode: statusOf[refusal.kind],
    headers: { ...headersOf[refusal.code], ...refusal.headers },
    body: { ...refusal.details, ...problem },
  };
}

/** An answer that tells nothing about the inside. The log has the reason under the same request id. */
export function internalErrorAnswer(requestId: string) {
  const problem: Problem = { message: "Something went wrong on our side.", code: "INTERNAL", requestId };
  return { statusCode: statusOf.broken, headers: {}, body: { ...problem } };
}
