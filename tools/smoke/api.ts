/**
 * Calls to the stage's HTTP API: by the typed client, as a web application makes them, and raw ones for what that client
 * cannot ask.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type ClubClient, clubClient, patientFetch, type Result } from "../../client/index.ts";
import { Failed, never, within } from "./waiting.ts";

/** Longer than the gateway waits for a function. */
const longestRequest = 31_000;
/** How often a request is sent when the service asks to repeat it. */
const maxTries = 6;

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
  /** The client of a person. Its calls throw Failed when there is no answer. */
  as(token: string | undefined): ClubClient;
  /** A raw request. @throws Failed when there is no answer */
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
export function fetched(asked: string | Request, stop: AbortSignal, init: RequestInit = {}): Promise<Fetched> {
  const { origin, hostname } = new URL(typeof asked === "string" ? asked : asked.url);
  // The laptop's file of outputs stays when its stage ends.
  const advice = hostname === "127.0.0.1" || hostname === "localhost" ? " Start the local stage with npm start." : "";
  return within(longestRequest, `an answer of ${origin}`, stop, async (signal) => {
    const response = await fetch(asked, { ...init, signal }).catch((error: unknown) => {
      throw signal.aborted ? error : new Failed(`nothing answers at ${origin} (${reasonOf(error)}).${advice}`);
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  });
}

/** @param stop ends a read that is under way, and lets no later request begin */
export function apiAt(url: string, stop: AbortSignal): Api {
  const answers: Measured[] = [];

  /** One try, as it was measured. */
  async function send(request: Request): Promise<Response> {
    stop.throwIfAborted();
    const begun = performance.now();
    const { method } = request;
    const { status, headers, text } = await fetched(request, method === "GET" ? stop : never);
    const path = request.url.slice(url.length);
    const repeat = status === 503 && headers.has("retry-after");
    answers.push({ method, path, status, milliseconds: performance.now() - begun, repeat });
    return new Response(text === "" ? null : text, { status, headers });
  }
  /** The client would ask again after a 503 that does not ask for it. The run has to tell of it. */
  async function honestly(request: Request): Promise<Response> {
    const response = await send(request);
    if (response.status !== 503 || response.headers.has("retry-after")) return response;
    const what = `${request.method} ${request.url.slice(url.length)}`;
    throw new Failed(`${what} answered 503 without Retry-After: ${await response.text()}`);
  }
  const patience = {
    maxTries,
    fetch: honestly,
    pause: (milliseconds: number) => pause(milliseconds, undefined, { signal: stop }),
  };
  const patiently = patientFetch(patience);

  return {
    url,
    answers,
    as: (token) => clubClient({ baseUrl: url, token: () => token, ...patience }),
    async call(method, path, { token, body, headers, once = false } = {}) {
      const request = new Request(url + path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const response = await (once ? send(request) : patiently(request));
      return { status: response.status, body: parsed(await response.text()) };
    },
  };
}

const shown = (...parts: readonly unknown[]): string => parts.filter(Boolean).join(" ");

/**
 * The body of a raw answer that has the expected status.
 * @param what the request, as the subject of a sentence
 * @throws Failed for another status
 */
export function expected(status: number, what: string, answer: Answer): Answer["body"] {
  if (answer.status === status) return answer.body;
  throw new Failed(`${what} answered ${shown(answer.status, answer.body?.code, answer.body?.message)}, not ${status}.`);
}

/**
 * The data of an answer of the client that has the expected status.
 * @param what the request, as the subject of a sentence
 * @throws Failed for another status
 */
export function answered<Data>(status: number, what: string, { data, error, response }: Result<Data>): Data {
  if (!error && response.status === status) return data;
  const told = error ? shown(error.status, error.code, error.message) : response.status;
  throw new Failed(`${what} answered ${told}, not ${status}.`);
}
