/** The last requests to the API with the log lines that belong to them. In memory only: paths may name people. */

/** A request as the start page shows it. */
export interface SeenRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Epoch milliseconds of the arrival. */
  readonly at: number;
  /** Email of the token; absent for a request without a valid token. */
  readonly who?: string | undefined;
  /** Lambda's own id of the invocation. */
  readonly invocationId?: string;
  /** Absent while the request is under way. */
  readonly status?: number;
  /** Milliseconds. */
  readonly latency?: number;
  /** The origin of the page that sent it, when CORS withholds the answer from that page. */
  readonly refusedOrigin?: string | undefined;
}

/** A request with its log lines, oldest first. */
export interface LoggedRequest extends SeenRequest {
  readonly lines: readonly string[];
}

/** Requests that are kept. The oldest is dropped first. */
export const maxRequests = 200;
/** Lines that are kept for a request. */
const maxLines = 40;
/** Characters that are kept of a line. */
const longestLine = 4_000;
/** Characters that are kept of a path: a caller may send ten thousand. */
const longestPath = 500;

const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

interface KeptRequest {
  seen: SeenRequest;
  readonly lines: string[];
  /** The ids of its messages. */
  readonly messages: string[];
}

/** The ids in a line of a function that is not called by a request: relay and consumers. */
interface LineIds {
  readonly request: string;
  readonly message: string | undefined;
}

function idsIn(line: string): LineIds | undefined {
  try {
    const { correlationId, outboxId, id = outboxId } = JSON.parse(line) ?? {};
    return { request: `${correlationId}`, message: typeof id === "string" ? id : undefined };
  } catch {
    return undefined;
  }
}

/**
 * Keeps the last requests. A request has the lines of its own invocation, and those of relay and consumers that name it
 * or one of its messages.
 */
export class RecentRequests {
  readonly #requests = new Map<string, KeptRequest>();
  /** Request ids by the ids of the invocations. */
  readonly #invocations = new Map<string, string>();
  /** Request ids by the ids of the messages. */
  readonly #messages = new Map<string, string>();

  /** Notes a request that arrives. */
  arrived(request: Pick<SeenRequest, "requestId" | "method" | "path" | "at">): void {
    const path = cut(request.path, longestPath);
    this.#requests.set(request.requestId, { seen: { ...request, path }, lines: [], messages: [] });
    if (this.#requests.size > maxRequests) this.#forgetOldest();
  }

  /** Adds what is known by now. Ignores forgotten requests. */
  learned(
    requestId: string,
    more: Pick<SeenRequest, "who" | "invocationId" | "status" | "latency" | "refusedOrigin">,
  ): void {
    const kept = this.#requests.get(requestId);
    if (!kept) return;
    kept.seen = { ...kept.seen, ...more };
    if (more.invocationId !== undefined) this.#invocations.set(more.invocationId, requestId);
  }

  /** Takes the lines that a function printed during an invocation. */
  logged(functionName: string, invocationId: string, text: string): void {
    const own = this.#requests.get(this.#invocations.get(invocationId) ?? "");
    for (const line of text.trimEnd().split("\n", maxLines)) {
      const request = own ?? this.#namedIn(line);
      if (request && request.lines.length < maxLines) request.lines.push(cut(`${functionName}: ${line}`, longestLine));
    }
  }

  /** The request that a line of another function names. */
  #namedIn(line: string): KeptRequest | undefined {
    const ids = idsIn(line);
    if (!ids) return undefined;
    const { request: requestId, message } = ids;
    const named = this.#requests.get(requestId);
    if (message === undefined) return named;
    if (named && named.messages.length < maxLines && !this.#messages.has(message)) {
      this.#messages.set(message, requestId);
      named.messages.push(message);
    }
    return named ?? this.#requests.get(this.#messages.get(message) ?? "");
  }

  /** Forgets all requests. */
  clear(): void {
    this.#requests.clear();
    this.#invocations.clear();
    this.#messages.clear();
  }

  /** Newest first. */
  list(): LoggedRequest[] {
    return [...this.#requests.values()].reverse().map(({ seen, lines }) => ({ ...seen, lines }));
  }

  #forgetOldest(): void {
    const [oldest] = this.#requests.entries();
    if (!oldest) return;
    const [requestId, { seen, messages }] = oldest;
    for (const message of messages) this.#messages.delete(message);
    this.#requests.delete(requestId);
    if (seen.invocationId !== undefined) this.#invocations.delete(seen.invocationId);
  }
}
