/** Lists in pages (`contract.md`, section 0). */
import { encodeCursor } from "./cursor.ts";
import { type Key, type Query, queryOnce } from "./table.ts";

/** A function may answer 6 MB. Without a limit a list is complete up to this. */
const maxBytes = 5_000_000;

/** Every item that a query finds, page by page as DynamoDB cuts them. */
export async function* queryItems<T extends object>(query: Query): AsyncGenerator<T & Key> {
  let last: Key | undefined;
  do {
    const page = await queryOnce<T>({ ...query, ExclusiveStartKey: last });
    yield* page.items;
    last = page.last;
  } while (last);
}

/** One page of a list: its rows, and where the next one starts if there is one. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly next?: string;
}

/**
 * Takes rows until the limit or 5 MB are reached.
 * @param sortKeyOf what the next page continues behind
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

/** What a request wants of a list, as the stores understand it. */
export interface PageRequest {
  readonly limit?: number;
  /** The sort key with which the page before ended. */
  readonly after?: string;
}

/**
 * Takes a page of a query whose every item is a row.
 * @param sortKeyOf what the next page continues behind
 */
export const queryPage = <T extends object>(
  query: Query,
  { limit, sortKeyOf }: { readonly limit?: number; readonly sortKeyOf: (row: T) => string },
): Promise<Page<T & Key>> => {
  // One more than asked for tells whether there is another page; nothing behind it is read and paid for.
  const items = queryItems<T>({ ...query, ...(limit !== undefined && { Limit: limit + 1 }) });
  return takePage(items, { limit, sortKeyOf });
};

/** The header that carries the cursor of the next page. */
export const nextHeader = ({ next }: Page<unknown>): Record<string, string> => (next ? { "x-next-cursor": next } : {});
