/** Calls of the API. */

/** Milliseconds. */
const longestCall = 10_000;

/** What is wrong with a part of a request. `path` is a JSON pointer into its body. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

interface Problem {
  readonly message?: string;
  readonly code?: string;
  readonly issues?: readonly Issue[];
  /** What is there already, or instead. */
  readonly registration?: unknown;
  /** When registration opens, ISO 8601. */
  readonly opensAt?: string;
}

/** An answer of the server that is no success. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly issues: readonly Issue[];
  readonly registration: unknown;
  readonly opensAt: string | undefined;
  /** Seconds to wait; 0 when the server names none. */
  readonly retryAfter: number;

  constructor(status: number, { message, code, issues = [], registration, opensAt }: Problem, retryAfter = 0) {
    super(message ?? `The server answered ${status}.`);
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.registration = registration;
    this.opensAt = opensAt;
    this.retryAfter = retryAfter;
  }
}

/**
 * Calls the API.
 * @throws Refused for an answer that is no success; another error when there is no answer in time
 */
export async function call(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(longestCall), ...init });
  if (response.ok || response.status === 304) return response;
  const retryAfter = Number(response.headers.get("retry-after")) || 0;
  throw new Refused(response.status, (await response.json().catch(() => ({}))) as Problem, retryAfter);
}
