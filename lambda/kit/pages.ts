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

/** The header that carries the cursor of the next page. */
export const nextHeader = ({ next }: Page<unknown>): Record<string, string> => (next ? { "x-next-cursor": next } : {});
