/**
 * Calls to the stage's HTTP API: with the typed client, like a web application, and raw ones for what that client cannot
 * send.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type ClubClient, clubClient, type Result, retryingFetch } from "../../../client/index.ts";
import { Failed, never, within } from "./waiting.ts";

/** Longer than the gateway waits for a function. */
const longestRequest = 31_000;
/** Maximum tries of a request that the service asks to repeat. */
const maxTries = 6;

export interface Call {
  /** An ID token. */
  readonly token?: string;
  /** An object is sent as JSON, a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Return the first response, even a 503 that asks the caller to retry. */
  readonly once?: boolean;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: steps look at answers field by field
  readonly body: any;
}

/** One measured response. */
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
  /** The client of a person. Its calls throw Failed when there is no response. */
  as(token: string | undefined): ClubClient;
  /** A raw request. @throws Failed there is no response */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** All responses so far. */
  readonly answers: readonly Measured[];
}

/** Parses a body. The gateway's own errors are JSON too; a proxy's may not be. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The code of the socket's error, if any. */
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
 * @throws Failed there is no response in time
 */
export function fetched(asked: string | Request, stop: AbortSignal, init: RequestInit = {}): Promise<Fetched> {
  const { origin, hostname } = new URL(typeof asked === "string" ? asked : asked.url);
  // The laptop's outputs file remains when its stage ends.
  const advice = hostname === "127.0.0.1" || hostname === "localhost" ? " Start the local stage with npm start." : "";
  return within(longestRequest, `an answer of ${origin}`, stop, async (signal) => {
    const response = await fetch(asked, { ...init, signal }).catch((error: unknown) => {
      throw signal.aborted ? error : new Failed(`nothing answers at ${origin} (${reasonOf(error)}).${advice}`);
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  });
}

/** @param stop aborts a read in progress, and prevents later requests */
export function apiAt(url: string, stop: AbortSignal): Api {
  const answers: Measured[] = [];

  /** One measured try. */
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
  /** Fails on a 503 without Retry-After, which the client would hide by a retry. */
  async function honestly(request: Request): Promise<Response> {
    const response = await send(request);
    if (response.status !== 503 || response.headers.has("retry-after")) return response;
    const what = `${request.method} ${request.url.slice(url.length)}`;
    throw new Failed(`${what} answered 503 without Retry-After: ${await response.text()}`);
  }
  const retryOptions = {
    maxTries,
    fetch: honestly,
    pause: (milliseconds: number) => pause(milliseconds, undefined, { signal: stop }),
  };
  const retrying = retryingFetch(retryOptions);

  return {
    url,
    answers,
    as: (token) => clubClient({ baseUrl: url, token: () => token, ...retryOptions }),
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
      const response = await (once ? send(request) : retrying(request));
      return { status: response.status, body: parsed(await response.text()) };
    },
  };
}

const shown = (...parts: readonly unknown[]): string => parts.filter(Boolean).join(" ");

/**
 * The body of a raw response with the expected status.
 * @param what the request, as the subject of a sentence
 * @throws Failed for another status
 */
export function expected(status: number, what: string, answer: Answer): Answer["body"] {
  if (answer.status === status) return answer.body;
  throw new Failed(`${what} answered ${shown(answer.status, answer.body?.code, answer.body?.message)}, not ${status}.`);
}

/**
 * The data of a client's result with the expected status.
 * @param what the request, as the subject of a sentence
 * @throws Failed for another status
 */
export function answered<Data>(status: number, what: string, { data, error, response }: Result<Data>): Data {
  if (!error && response.status === status) return data;
  const told = error ? shown(error.status, error.code, error.message) : response.status;
  throw new Failed(`${what} answered ${told}, not ${status}.`);
}
