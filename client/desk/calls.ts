/** Calls of the API as an executive. */
import { ask, askOnce, fetched } from "../shared/api.ts";
import { Refused } from "../shared/call.ts";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with a query. Parameters without a value are left out. */
export function pathOf(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** @throws as `fetched` */
export const read = <T>(path: string, query: Query = {}): Promise<T> => ask<T>(pathOf(path, query), { signed: true });

/** A record with the tag of its version, for `change`. */
export interface Tagged<T> {
  readonly value: T;
  readonly tag: string | undefined;
}

/** @throws as `fetched` */
export async function readTagged<T>(path: string, query: Query = {}): Promise<Tagged<T>> {
  const response = await fetched(pathOf(path, query), { signed: true });
  return { value: (await response.json()) as T, tag: response.headers.get("etag") ?? undefined };
}

/** The rows of an answer: itself, or the list in it. */
const listIn = <T>(answer: object): readonly T[] => [answer, ...Object.values(answer)].find(Array.isArray) ?? [];

/** One page of a list, and where the next begins. */
interface Page<T> {
  readonly rows: readonly T[];
  readonly cursor: string | undefined;
}

/** @param rowsOf absent: the list in an answer @throws as `fetched` */
export async function readPage<T, A = object>(
  path: string,
  query: Query,
  rowsOf: (answer: A) => readonly T[] = listIn as (answer: A) => readonly T[],
): Promise<Page<T>> {
  const response = await fetched(pathOf(path, query), { signed: true });
  const rows = rowsOf((await response.json()) as A);
  return { rows, cursor: response.headers.get("x-next-cursor") ?? undefined };
}

/** All rows of a list. @param progress is told how many there are so far @throws as `fetched` */
export async function readAll<T>(
  path: string,
  query: Query = {},
  progress?: (rows: number) => unknown,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readPage<T>(path, { ...query, cursor });
    rows.push(...page.rows);
    progress?.(rows.length);
    cursor = page.cursor;
    if (cursor === undefined) return rows;
  }
}

/** Changes a record. @param tag of what was read: another one's change since then is a 412 @throws as `fetched` */
export const change = <T>(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: object,
  tag?: string,
): Promise<T> => ask<T>(path, { method, signed: true, ...(body && { body }), ifMatch: tag });

/** A record as it was read: its version, and how it is read again. */
export interface AsRead {
  readonly tag: string | undefined;
  reload(): Promise<unknown>;
}

/** Changes a record if it is as it was read, and reads it again otherwise. @throws as `fetched` */
export async function changeAsRead<T>(
  { tag, reload }: AsRead,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
): Promise<T> {
  try {
    return await change<T>(method, path, body, tag);
  } catch (problem) {
    if (!(problem instanceof Refused && problem.status === 412)) throw problem;
    await reload();
    const message = "Another executive has changed this meanwhile. Look at it as it is now, and try again.";
    throw new Refused(problem.status, { message });
  }
}

/**
 * The answer to a write, also one that refuses it. Never throws: without an answer the status is 0.
 * @param key makes a write that may be repeated
 */
export async function answerTo(method: "POST" | "PATCH", path: string, body: object, key?: string) {
  try {
    const response = await fetched(path, { method, body, signed: true, ...(key !== undefined && { key }) });
    return { status: response.status, body: (await response.json()) as unknown };
  } catch (problem) {
    if (!(problem instanceof Refused)) return { status: 0 };
    const { status, message, code, issues, retryAfter } = problem;
    return { status, body: { message, code, issues }, retryAfter: retryAfter || undefined };
  }
}

/** As `change`. @returns the API's sentence about it */
export const changeSaying = async (...of: Parameters<typeof change>): Promise<string> =>
  (await change<{ readonly message: string }>(...of)).message;

/** A POST that costs or mails: the same body, sent again after no answer, is carried out once. @throws as `fetched` */
export const changeOnce = <T>(path: string, body: object): Promise<T> => askOnce<T>(path, path, body, { signed: true });

/** Saves a file on the device. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves an answer as a file on the device. @throws as `fetched` */
export async function download(path: string, query: Query, fileName: string): Promise<void> {
  const response = await fetched(pathOf(path, query), { signed: true });
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  save(await response.blob(), named ?? fileName);
}
