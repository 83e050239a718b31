/** Lists in pages (`docs/contract.md`, "Lists and pages"). */
import { encodeCursor } from "./cursor.ts";
import { type Key, type Query, queryOnce } from "./table.ts";

/** Bytes of the rows in a page, at most. A Lambda function may answer 6 MB. */
const maxBytes = 5_000_000;

/** All items that a query finds, whatever pages DynamoDB cuts them into. */
export async function* queryItems<T extends object>(query: Query): AsyncGenerator<T & Key> {
  let last: Key | undefined;
  do {
    const page = await queryOnce<T>({ ...query, ExclusiveStartKey: last });
    yield* page.items;
    last = page.last;
  } while (last);
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

/**
 * Takes rows until the limit or 5 MB are reached.
 * @param sortKeyOf the sort key of a row; the next page begins after the last row's key
 */
export async function takePage<T>(
  rows: AsyncIterable<T> | Iterable<T>,
  { limit = Number.POSITIVE_INFINITY, sortKeyOf }: { limit?: number; sortKeyOf: (row: T) => string },
): Promise<Page<T>> {
  const taken: T[] = [];
  let bytes = 0;
  for await (const row of rows) {
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (taken.length >= limit || (bytes > maxBytes && taken.length > 0)) {
      return { rows: taken, next: encodeCursor(sortKeyOf(taken.at(-1) as T)) };
    }
    taken.push(row);
  }
  return { rows: taken };
}

/** The page that a request asks for, as the stores understand it. */
export interface PageRequest {
  readonly limit?: number;
  /** The sort key of the last row of the page before. */
  readonly after?: string;
}

/**
 * Takes a page of a query in which every item is a row.
 * @param sortKeyOf the sort key of a row; the next page begins after the last row's key
 */
export const queryPage = <T extends object>(
  query: Query,
  { limit, sortKeyOf }: { readonly limit?: number; readonly sortKeyOf: (row: T) => string },
): Promise<Page<T & Key>> => {
  // One row more than the limit tells whether there is another page. DynamoDB reads, and charges, nothing after it.
  const items = queryItems<T>({ ...query, ...(limit !== undefined && { Limit: limit + 1 }) });
  return takePage(items, { limit, sortKeyOf });
};

/** The header that carries the cursor of the next page. */
export const nextHeader = ({ next }: Page<unknown>): Record<string, string> => (next ? { "x-next-cursor": next } : {});
