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
}

/** The id of the request that a line of relay or a consumer names. */
function correlationIn(line: string): string {
  try {
    return String(JSON.parse(line)?.correlationId);
  } catch {
    return "";
  }
}

/** Keeps the last requests. A request has the lines of its own invocation, and those of relay and consumers that name it. */
export class RecentRequests {
  readonly #requests = new Map<string, KeptRequest>();
  /** Request ids by the ids of the invocations. */
  readonly #invocations = new Map<string, string>();

  /** Notes a request that arrives. */
  arrived(request: Pick<SeenRequest, "requestId" | "method" | "path" | "at">): void {
    const path = cut(request.path, longestPath);
    this.#requests.set(request.requestId, { seen: { ...request, path }, lines: [] });
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
      const request = own ?? this.#requests.get(correlationIn(line));
      if (request && request.lines.length < maxLines) request.lines.push(cut(`${functionName}: ${line}`, longestLine));
    }
  }

  /** Forgets all requests. */
  clear(): void {
    this.#requests.clear();
    this.#invocations.clear();
  }

  /** Newest first. */
  list(): LoggedRequest[] {
    return [...this.#requests.values()].reverse().map(({ seen, lines }) => ({ ...seen, lines }));
  }

  #forgetOldest(): void {
    const [oldest] = this.#requests.entries();
    if (!oldest) return;
    const [requestId, { seen }] = oldest;
    this.#requests.delete(requestId);
    if (seen.invocationId !== undefined) this.#invocations.delete(seen.invocationId);
  }
}
