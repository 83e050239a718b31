/** Calls to the stage's HTTP API. */
import { setTimeout as pause } from "node:timers/promises";
import { Failed, never, within } from "./waiting.ts";

/** Longer than the gateway waits for a function. */
const longestRequest = 31_000;
/** How often a request is sent when the service asks to repeat it. */
const mostTries = 6;

export interface Call {
  /** An ID token. */
  readonly token?: string;
  /** An object is sent as JSON, a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Take the first answer, also a 503 that asks the caller to come again. */
  readonly once?: boolean;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: steps look at answers field by field
  readonly body: any;
}

/** One answer as it was measured. */
export interface Measured {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The service asked the caller to repeat the request. */
  readonly repeat: boolean;
}

export interface Api {
  readonly url: string;
  /** @throws Failed when there is no answer */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** All answers so far. */
  readonly answers: readonly Measured[];
}

/** Reads a body. The gateway's own errors are JSON too; a proxy's need not be. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The code of the socket's error, where there is one. */
const reasonOf = (error: unknown): string => {
  const { cause, message } = error as { cause?: { code?: unknown }; message: string };
  return String(cause?.code ?? message);
};

/** A response whose body is read. */
interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request.
 * @throws Failed when there is no answer in time
 */
export function fetched(url: string, stop: AbortSignal, init: RequestInit = {}): Promise<Fetched> {
  const { origin } = new URL(url);
  return within(longestRequest, `an answer of ${origin}`, stop, async (signal) => {
    const response = await fetch(url, { ...init, signal }).catch((error: unknown) => {
      throw signal.aborted ? error : new Failed(`nothing answers at ${origin} (${reasonOf(error)}).`);
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  });
}

/** @param stop ends a read that is under way, and lets no later request begin */
export function apiAt(url: string, stop: AbortSignal): Api {
  const answers: Measured[] = [];

  async function once(method: string, path: string, { token, body, headers }: Call) {
    stop.throwIfAborted();
    const begun = performance.now();
    const response = await fetched(url + path, method === "GET" ? stop : never, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const { status, text } = response;
    const seconds = status === 503 ? response.headers.get("retry-after") : null;
    answers.push({ method, path, status, milliseconds: performance.now() - begun, repeat: seconds !== null });
    return { answer: { status, body: parsed(text) }, seconds };
  }

  return {
    url,
    answers,
    async call(method, path, call = {}) {
      for (let tries = 1; ; tries += 1) {
        const { answer, seconds } = await once(method, path, call);
        if (call.once || seconds === null || tries === mostTries) return answer;
        await pause(Number(seconds) * 1_000, undefined, { signal: stop });
      }
    },
  };
}

const shown = ({ status, body }: Answer): string => [status, body?.code, body?.message].filter(Boolean).join(" ");

/**
 * The body of an answer that has the expected status.
 * @param what the request, as the subject of a sentence
 * @throws Failed for another status
 */
export function expected(status: number, what: string, answer: Answer): Answer["body"] {
  if (answer.status === status) return answer.body;
  throw new Failed(`${what} answered ${shown(answer)}, not ${status}.`);
}
