/** Calls of the API, made for a bad network: repeated where that is safe, with the time of the server's clock. */
import { ApiError, retryingFetch } from "../index.ts";
import { call, Refused } from "./call.ts";
import { now, readClock } from "./clock.ts";
import { account, token } from "./session.ts";
import { settings } from "./settings.ts";
import { keep, readKept, type Seen } from "./store.ts";
import type { Registration } from "./types.ts";

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
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: object;
  /** The secret of a link. */
  readonly link?: string | undefined;
  /** Sends the token of the person, if one is signed in. */
  readonly signed?: boolean;
  /** Makes a write that may be repeated. */
  readonly key?: string;
  /** The tag of what was read: a later change by another person is not overwritten. */
  readonly ifMatch?: string | undefined;
}

const isSecret = (text: string): boolean => /^[\w.~-]+$/.test(text);

/** @throws Refused an answer that is no success; another error when there is no answer */
export async function fetched(
  path: string,
  { method = "GET", body, link, signed, key, ifMatch }: Asked = {},
): Promise<Response> {
  // Such a secret is in no mail, and cannot be in a header.
  if (link !== undefined && !isSecret(link)) throw new Refused(401, {});
  const idToken = signed ? await token() : undefined;
  const headers = new Headers();
  if (link !== undefined) headers.set("authorization", `Link ${link}`);
  else if (idToken) headers.set("authorization", `Bearer ${idToken}`);
  if (key) headers.set("idempotency-key", key);
  if (ifMatch) headers.set("if-match", ifMatch);
  if (body) headers.set("content-type", "application/json");
  const init: RequestInit = { method, headers, credentials: "omit", cache: "no-store", signal: null };
  if (body) init.body = JSON.stringify(body);
  const url = new URL(settings.api + path, location.origin).href;
  try {
    return await call((url, given) => send(new Request(url as string, given)), url, init);
  } catch (problem) {
    const hasEnded = signed && problem instanceof Refused && problem.status === 401;
    throw hasEnded ? new Refused(401, { code: "SESSION_ENDED" }) : problem;
  }
}

/** @throws as `fetched` */
export const ask = async <T>(path: string, asked?: Asked): Promise<T> =>
  (await fetched(path, asked)).json() as Promise<T>;

/** Registrations of who is signed in. @throws Refused */
export async function readOwn(which: Readonly<Record<string, string>>): Promise<readonly Registration[]> {
  const path = `/registrations?${new URLSearchParams(which)}`;
  return (await ask<{ readonly data: readonly Registration[] }>(path, { signed: true })).data;
}

/** The idempotency key of a body: a request that is sent again, also after the page was loaded again, has the same. */
function keyOf(name: string, body: object): string {
  const text = JSON.stringify(body);
  const kept = readKept<{ readonly key: string; readonly text: string }>(name);
  if (kept?.text === text) return kept.key;
  const key = crypto.randomUUID();
  keep(name, { key, text });
  return key;
}

/** Sends a write that may be repeated until it has its answer; the next one is another one. @throws as `fetched` */
export async function askOnce<T>(name: string, path: string, body: object, who: Asked): Promise<T> {
  const kept = `key/${name}`;
  try {
    const answer = await ask<T>(path, { method: "POST", body, ...who, key: keyOf(kept, body) });
    keep(kept, undefined);
    return answer;
  } catch (problem) {
    if (problem instanceof Refused && problem.status < 500) keep(kept, undefined);
    throw problem;
  }
}

/** What a page shows, and whether it is what this device has kept. */
export interface Shown<T> extends Seen<T> {
  readonly isOld: boolean;
}

/** Asks, and keeps the answer on this device. Without an answer, it is the kept one. @throws as `fetched` */
export async function askKeeping<T>(key: string, get: () => Promise<T>): Promise<Shown<T>> {
  const who = account.peek();
  try {
    const seen = { at: now(), value: await get() };
    // What was asked for before a sign-out does not stay.
    if (account.peek() === who) keep(key, seen);
    return { ...seen, isOld: false };
  } catch (problem) {
    const kept = readKept<Seen<T>>(key);
    if (!kept || !(problem instanceof ApiError || problem instanceof TypeError)) throw problem;
    return { ...kept, isOld: true };
  }
}
