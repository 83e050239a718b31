/**
 * The general refusals; those of the club are in the `refusals.ts` of their areas. They are independent of HTTP:
 * `problem.ts` maps each kind to its status (`docs/contract.md`, "Errors").
 */

/** One error in the input: its path (a JSON pointer into the body, or `/name` of a parameter) and its message. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** A readable name for the message, when the path is not readable. Not in the response. */
  readonly name?: string;
}

/**
 * A JSON pointer in words: `/questions/0/label` is `label of entry 1 of questions`.
 * @param body to distinguish list entries from numeric field names; without it, numbers are entries
 */
export function placeInWords(path: string, body?: unknown): string {
  const words: string[] = [];
  let value = body;
  for (const key of path.slice(1).split("/")) {
    const isEntry = /^\d+$/.test(key) && (body === undefined || Array.isArray(value));
    words.unshift(isEntry ? `entry ${Number(key) + 1}` : key.replaceAll("~1", "/").replaceAll("~0", "~"));
    value = (value as Record<string, unknown> | null | undefined)?.[key];
  }
  return words.join(" of ") || "The body";
}

/** The kind of a refusal; `problem.ts` has the status of each. */
export type RefusalKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "missing"
  | "conflict"
  | "changed"
  | "too large"
  | "key reused"
  | "too often"
  | "unavailable";

/** An error that rejects a request with a reason for the person. */
export abstract class Refusal extends Error {
  abstract readonly kind: RefusalKind;
  /** The reason for programs. `lambda/api/refusals.ts` has all codes. */
  abstract readonly code: string;
  /** Additional fields of the response body. */
  readonly details: Record<string, unknown> = {};
  /** Additional headers of the response. */
  readonly headers: Readonly<Record<string, string>> = {};
}

/** The caller may not do this. */
export abstract class Forbidding extends Refusal {
  readonly kind = "forbidden";
}

/** The request conflicts with the current state. */
export abstract class Conflicting extends Refusal {
  readonly kind = "conflict";
}

/** A response has at most as many. */
export const mostIssues = 20;

export class ValidationFailed extends Refusal {
  readonly kind = "invalid";
  readonly code = "VALIDATION";
  override readonly details: { issues: readonly Issue[] };
  constructor(all: readonly Issue[]) {
    const issues = all.slice(0, mostIssues);
    const sentences = issues.map(({ path, message, name = placeInWords(path) }) => `${name} ${message}`);
    super(sentences.length > 0 ? `${sentences.join("; ")}.` : "The request is not valid.");
    this.details = { issues: issues.map(({ path, message }) => ({ path, message })) };
  }
}

export class Unauthenticated extends Refusal {
  readonly kind = "unauthenticated";
  readonly code = "UNAUTHENTICATED";
  constructor(sentence = "Sign in to use this: an ID token with an email is needed.") {
    super(sentence);
  }
}

/** The refusal of an admin's route. Its message is exactly `Unauthorized` (`docs/contract.md`, "Errors"). */
export class AdminsOnly extends Forbidding {
  readonly code = "FORBIDDEN";
  constructor() {
    super("Unauthorized");
  }
}

/**
 * Only an admin, or only the person concerned, may do this. The message does not depend on whether another person exists.
 */
export class NotAllowed extends Forbidding {
  readonly code = "FORBIDDEN";
}

export class NotFound extends Refusal {
  readonly kind = "missing";
  readonly code = "NOT_FOUND";
  constructor(what: string) {
    super(`${what} not found.`);
  }
}

export class Duplicate extends Conflicting {
  readonly code = "DUPLICATE";
  override readonly details: Record<string, unknown>;
  constructor(sentence: string, existing: Record<string, unknown> = {}) {
    super(sentence);
    this.details = existing;
  }
}

/** The same request, with the same `Idempotency-Key`, is being processed. */
export class RequestInProgress extends Conflicting {
  readonly code = "REQUEST_IN_PROGRESS";
  constructor() {
    super("This request is being carried out already. Send it again in a moment to get its answer.");
  }
}

/** The `Idempotency-Key` belongs to a request with another body. */
export class KeyReused extends Refusal {
  readonly kind = "key reused";
  readonly code = "IDEMPOTENCY_KEY_REUSED";
  constructor() {
    super("This Idempotency-Key was used for another request. Use a new key for each new request.");
  }
}

/** The record does not match the caller's `If-Match`. */
export class PreconditionFailed extends Refusal {
  readonly kind = "changed";
  readonly code = "PRECONDITION_FAILED";
  override readonly headers: Readonly<Record<string, string>>;
  /** @param etag the current entity tag; absent when there is no record */
  constructor(etag?: string) {
    super(etag ? "This has changed since you read it. Please read it again." : "There is nothing here to change.");
    this.headers = etag ? { etag } : {};
  }
}

export class TooLarge extends Refusal {
  readonly kind = "too large";
  readonly code = "TOO_LARGE";
  constructor(maxKilobytes: number) {
    super(`The body is larger than ${maxKilobytes} KB.`);
  }
}

/** The caller has done this too often. Nothing was changed. */
export class TooOften extends Refusal {
  readonly kind = "too often";
  readonly code = "TOO_OFTEN";
  override readonly headers: Readonly<Record<string, string>>;
  /** @param milliseconds until it is allowed again */
  constructor(sentence: string, milliseconds: number) {
    super(sentence);
    this.headers = { "retry-after": String(Math.max(1, Math.ceil(milliseconds / 1_000))) };
  }
}

/** A dependency does not respond. The request can be retried. */
export class Unavailable extends Refusal {
  readonly kind = "unavailable";
  readonly code = "UNAVAILABLE";
}

/** Too many concurrent writes of the same items. Nothing was written. */
export class Contended extends Refusal {
  readonly kind = "unavailable";
  readonly code = "CONTENDED";
  constructor(options?: ErrorOptions) {
    super("Too many people are doing this at the same moment. Nothing was changed; please try again.", options);
  }
}

/** The deadline passed before the outcome of the write was known. */
export class OutcomeUnknown extends Refusal {
  readonly kind = "unavailable";
  readonly code = "OUTCOME_UNKNOWN";
  constructor(options?: ErrorOptions) {
    super("We did not hear in time whether this was done. Please look before you try again.", options);
  }
}
