/** Calls of the API, made for a bad network: repeated where that is safe, with the time of the server's clock. */
import { ApiError, retryingFetch } from "../index.ts";
import { call } from "../page/call.ts";
import { now, readClock } from "./clock.ts";
import { token } from "./session.ts";
import { settings } from "./settings.ts";
import { keep, readKept, type Seen } from "./store.ts";

/** Milliseconds for one try; a contended write takes up to fifteen seconds. */
const longest = { read: 10_000, write: 30_000 };

async function timed(request: Request): Promise<Response> {
  const sent = Date.now();
  const wait = request.method === "GET" ? longest.read : longest.write;
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(wait) });
    readClock(response, sent);
    return response;
  } catch (problem) {
    // For `retryingFetch` a `TypeError` is no answer.
    throw new TypeError("no answer", { cause: problem });
  }
}

const send = retryingFetch({ fetch: timed, maxTries: 3 });

interface Asked {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: object;
  /** The secret of a link. */
  readonly link?: string | undefined;
  /** Sends the token of the person, if one is signed in. */
  readonly signed?: boolean;
  /** Makes a write that may be repeated. */
  readonly key?: string;
}

/** @throws Refused an answer that is no success; another error when there is no answer */
export async function fetched(
  path: string,
  { method = "GET", body, link, signed, key }: Asked = {},
): Promise<Response> {
  const idToken = signed ? await token() : undefined;
  const headers = new Headers();
  if (link !== undefined) headers.set("authorization", `Link ${link}`);
  else if (idToken) headers.set("authorization", `Bearer ${idToken}`);
  if (key) headers.set("idempotency-key", key);
  if (body) headers.set("content-type", "application/json");
  const init: RequestInit = { method, headers, credentials: "omit", cache: "no-store", signal: null };
  if (body) init.body = JSON.stringify(body);
  return call(
    (url, given) => send(new Request(url as string, given)),
    new URL(settings.api + path, location.origin).href,
    init,
  );
}

/** @throws as `fetched` */
export const ask = async <T>(path: string, asked?: Asked): Promise<T> =>
  (await fetched(path, asked)).json() as Promise<T>;

/** Whether there was no answer at all. */
const isUnanswered = (problem: unknown): boolean => problem instanceof ApiError || problem instanceof TypeError;

export const isSecret = (text: string): boolean => /^[\w.~-]+$/.test(text);

/** Asks, and keeps the answer on this device. Without an answer, it is the kept one. @throws as `fetched` */
export async function askKeeping<T>(
  key: string,
  get: () => Promise<T>,
): Promise<Seen<T> & { readonly isOld: boolean }> {
  try {
    const seen = { at: now(), value: await get() };
    keep(key, seen);
    return { ...seen, isOld: false };
  } catch (problem) {
    const kept = readKept<Seen<T>>(key);
    if (!kept || !isUnanswered(problem)) throw problem;
    return { ...kept, isOld: true };
  }
}
