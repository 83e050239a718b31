/** Pagination of lists (`docs/contract.md`, "Lists and pages"). */

import { type Key, type Query, queryPages } from "../table/table.ts";
import { encodeCursor } from "./cursor.ts";

/** Maximum bytes of the rows in a page. Lambda limits responses to 6 MB, with the body as a string in JSON. */
const maxBytes = 5_000_000;

/** How much of a query is read. */
export interface Portion {
  /** Items of the first call; each later call reads twice as many. Absent: as many as DynamoDB returns. */
  readonly first?: number | undefined;
  /** Where the reader is expected to stop: a call ends there, but the reader may continue. */
  readonly most?: number | undefined;
}

/**
 * Items of a query after its `ExclusiveStartKey`, read in calls of increasing size, so that a reader that stops early pays
 * for little.
 */
export async function* queryPortion<T extends object>(
  query: Query,
  { first = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Portion,
): AsyncGenerator<T & Key> {
  const limitOf = (page: number, read: number) => {
    const size = first * 2 ** page;
    const limit = read < most ? Math.min(size, most - read) : size;
    return Number.isFinite(limit) ? limit : undefined;
  };
  for await (const { items } of queryPages<T>(query, limitOf)) yield* items;
}

/** All items of a query, across DynamoDB's pages. */
export const queryItems = <T extends object>(query: Query): AsyncGenerator<T & Key> => queryPortion<T>(query, {});

/**
 * Merges sorted lists. Reads the beginnings of all lists in parallel, and then only what is needed.
 * @param sortKeyOf the key by which every list is sorted
 */
export async function* merged<T>(lists: readonly AsyncIterable<T>[], sortKeyOf: (row: T) => string): AsyncGenerator<T> {
  const nextOf = async (rows: AsyncIterator<T>) => {
    const { done, value } = await rows.next();
    return done ? undefined : { rows, row: value, key: sortKeyOf(value) };
  };
  const heads = await Promise.all(lists.map((list) => nextOf(list[Symbol.asyncIterator]())));
  for (;;) {
    let at = -1;
    for (const [index, head] of heads.entries()) {
      const least = heads[at];
      if (head && (!least || head.key < least.key)) at = index;
    }
    const head = heads[at];
    if (!head) return;
    yield head.row;
    heads[at] = await nextOf(head.rows);
  }
}

/** All rows of a list, in memory. */
export async function allOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** One page of a list: its rows, and the cursor of the next page, if there is one. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly next?: string;
}

/** Maximum rows that one request of a filtered list reads. */
const maxRowsRead = 2_000;

/** How a page is taken from a list. */
export interface PageOf<T> {
  readonly limit?: number | undefined;
  /** The sort key of a row; the next page begins after the last key that was read. */
  readonly sortKeyOf: (row: T) => string;
  /** Whether a row belongs to the page. Absent: every row does. */
  readonly isWanted?: ((row: T) => boolean) | undefined;
  /** Binds the cursor to the filter. */
  readonly filterHash?: string | undefined;
}

const jsonBytes = (row: unknown): number => Buffer.byteLength(JSON.stringify(row));
/** Bytes of a string within the function's JSON response: quotes and backslashes are escaped. */
const answeredBytes = (text: string): number => jsonBytes(text);

/** Takes the results of `shownOf`. @param shownOf converts each wanted row once, and returns its bytes */
async function take<T, Shown>(
  rows: AsyncIterable<T> | Iterable<T>,
  { limit = Number.POSITIVE_INFINITY, sortKeyOf, isWanted, filterHash }: PageOf<T>,
  shownOf: (row: T) => readonly [shown: Shown, bytes: number],
): Promise<Page<Shown>> {
  const taken: Shown[] = [];
  let [read, bytes] = [0, 0];
  let last: T | undefined;
  const pageUpTo = (row: T): Page<Shown> => ({ rows: taken, next: encodeCursor(sortKeyOf(row), filterHash) });
  for await (const row of rows) {
    const belongs = isWanted?.(row) ?? true;
    if (belongs && taken.length >= limit && last !== undefined) return pageUpTo(last);
    const shown = belongs ? shownOf(row) : undefined;
    bytes += shown?.[1] ?? jsonBytes(row);
    if (bytes > maxBytes && last !== undefined) return pageUpTo(last);
    if (shown) taken.push(shown[0]);
    last = row;
    read += 1;
    if (isWanted && read >= maxRowsRead) return pageUpTo(row);
  }
  return { rows: taken };
}

/**
 * Takes rows until the limit is reached or 5 MB were read. With `isWanted` it also ends after reading 2,000 rows, so the
 * page may have few rows, or none, and a cursor.
 */
export const takePage = <T>(rows: AsyncIterable<T> | Iterable<T>, page: PageOf<T>): Promise<Page<T>> =>
  take(rows, page, (row) => [row, answeredBytes(JSON.stringify(row))]);

/**
 * Like `takePage`, for rows that are returned as text: each row is serialized once, and the size of its text counts.
 * @param textOf serializes a wanted row
 */
export const takeTexts = <T>(
  rows: AsyncIterable<T> | Iterable<T>,
  page: PageOf<T>,
  textOf: (row: T) => string,
): Promise<Page<string>> =>
  take(rows, page, (row) => {
    const text = textOf(row);
    return [text, answeredBytes(text)];
  });

/** A request for a page, for the stores. */
export interface PageRequest {
  readonly limit?: number;
  /** The sort key of the last row of the previous page. */
  readonly after?: string;
}

/** Minimum rows of the first call of a filtered list, in which wanted rows may be rare. */
const firstRowsRead = 100;

/** How much of a query a page needs. */
export function portionOf({ limit, isWanted }: Pick<PageOf<never>, "limit" | "isWanted">): Portion {
  // One row more than the limit shows whether there is another page. DynamoDB reads, and charges, nothing after it.
  const first = limit === undefined ? undefined : limit + 1;
  if (!isWanted) return { first, most: first };
  return { first: first === undefined ? maxRowsRead : Math.max(first, firstRowsRead), most: maxRowsRead };
}

/** The items of a partition by sort key, strongly consistent. @param after the sort key after which they begin */
export const itemsOf = (partition: string, after?: string, isForward = true): Query => ({
  KeyConditionExpression: "PK = :partition",
  ExpressionAttributeValues: { ":partition": partition },
  ...(after !== undefined && { ExclusiveStartKey: { PK: partition, SK: after } }),
  ScanIndexForward: isForward,
  ConsistentRead: true,
});

/** The items of a partition whose sort keys begin with a text, strongly consistent. */
export const itemsBeginning = (partition: string, prefix: string): Query => ({
  KeyConditionExpression: "PK = :partition AND begins_with(SK, :prefix)",
  ExpressionAttributeValues: { ":partition": partition, ":prefix": prefix },
  ConsistentRead: true,
});

/** Takes a page of a query in which every item is a row of the list. */
export const queryPage = <T extends object>(query: Query, page: PageOf<T>): Promise<Page<T & Key>> =>
  takePage<T & Key>(queryPortion<T>(query, portionOf(page)), page);

/** The header with the cursor of the next page. */
export const nextHeader = ({ next }: Page<unknown>): Record<string, string> => (next ? { "x-next-cursor": next } : {});
