/** The items of a table with the types of their attributes, for a copy of its stage. */
import { createHash } from "node:crypto";
import { type AttributeValue, PutItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import { classified, client, tableName } from "#kit/table/table.ts";
import { chunk } from "#kit/text/chunk.ts";
import { isOfKind, storedKindOf } from "#outbox/stored-kinds.ts";
import type { WholeCopy } from "../kit/copy/whole-copy.ts";
import { patiently } from "./invariants/patiently.ts";

/** As DynamoDB's own interface has it, in a copy with bytes in base64. */
export type RawItem = Readonly<Record<string, AttributeValue>>;

/** All items, in pages of up to 1 MB, each with all that was written before. */
export async function* rawPages(): AsyncGenerator<RawItem[]> {
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await patiently(async () => {
      try {
        return await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey }));
      } catch (error) {
        throw classified(error);
      }
    });
    yield Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

const keyOf = ({ PK, SK }: RawItem) => ({ PK: PK?.S ?? "", SK: SK?.S ?? "" });
const nameOf = (item: RawItem): string => JSON.stringify(Object.values(keyOf(item)));

/** The kind of an item, in words. */
const kindOf = (item: RawItem): string => storedKindOf(keyOf(item)) ?? "no kind";

const isRow = (item: RawItem): boolean => isOfKind("outbox row", keyOf(item));

/** The item with nothing but its key. */
const emptied = ({ PK, SK }: RawItem): RawItem => ({ PK, SK }) as RawItem;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A value whose fields and sets are in one order, with bytes in base64. */
function ordered(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (isList(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, part]): [string, unknown] => [
    name,
    /^[SNB]S$/.test(name) && isList(part) ? part.map(ordered).sort() : ordered(part),
  ]);
  return Object.fromEntries(fields.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The same for the same item, in a copy and in a table. */
const digestOf = (item: RawItem): string => sha256(JSON.stringify(ordered(item)));

/** The bytes of a copy are in base64. */
function withBytes(value: AttributeValue): AttributeValue {
  const bytes = (text: unknown) => Buffer.from(String(text), "base64");
  if (value.B !== undefined) return { B: bytes(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(bytes) };
  if (value.L !== undefined) return { L: value.L.map(withBytes) };
  if (value.M !== undefined) return { M: bytesIn(value.M) };
  return value;
}

const bytesIn = (fields: RawItem): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withBytes(value)]));

/** Whether DynamoDB deletes the item one of these days. @param now epoch milliseconds */
const isOver = ({ ttl }: { readonly ttl: number }, now: number): boolean => ttl * 1_000 <= now;

const ttlOf = ({ ttl }: RawItem): number => Number(ttl?.N ?? Number.POSITIVE_INFINITY);

/**
 * The items of a copy as a stage is to have them, page by page: without those whose time is over, and with the address of the
 * stage's own images.
 */
export async function* itemsFor(copy: WholeCopy, imagesUrl: string): AsyncGenerator<RawItem[]> {
  const from = copy.index.imagesUrl;
  for await (const page of copy.items()) {
    const moved =
      from === undefined || from === imagesUrl
        ? page
        : JSON.parse(JSON.stringify(page).replaceAll(`${from}/`, `${imagesUrl}/`));
    yield (moved as RawItem[]).filter((item) => !isOver({ ttl: ttlOf(item) }, Date.now()));
  }
}

/** What a table is to have: of each item, by its key, the digest and when it ends. */
export type Expected = ReadonlyMap<string, { readonly digest: string; readonly ttl: number; readonly kind: string }>;

/** Some hundred bytes for each item. */
export async function expectedOf(pages: AsyncIterable<RawItem[]>): Promise<Expected> {
  const expected = new Map<string, { digest: string; ttl: number; kind: string }>();
  for await (const page of pages) {
    for (const item of page) {
      expected.set(nameOf(item), { digest: digestOf(item), ttl: ttlOf(item), kind: kindOf(item) });
    }
  }
  return expected;
}

const counted = (counts: Map<string, number>, kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);

/** A table compared with what it is to have. */
export interface Compared {
  /** The keys of the items that are as they are to be. */
  readonly same: ReadonlySet<string>;
  /** How many items are other than they are to be, or too many, by kind. */
  readonly wrong: ReadonlyMap<string, number>;
  /** How many are missing, or have only their key, by kind. */
  readonly missing: ReadonlyMap<string, number>;
  /** One digest of all that are the same, in the order of their keys. */
  readonly digest: string;
}

/** Compares the whole table. Counts of requests end within hours, and each sign-in by a mailed code adds one: those are no data. */
export async function compared(expected: Expected): Promise<Compared> {
  const same = new Map<string, string>();
  const [wrong, missing] = [new Map<string, number>(), new Map<string, number>()];
  for await (const page of rawPages()) {
    for (const item of page) {
      const name = nameOf(item);
      const [digest, wanted] = [digestOf(item), expected.get(name)];
      if (digest === wanted?.digest) same.set(name, digest);
      else if (wanted && isRow(item) && digest === digestOf(emptied(item))) continue;
      else if (!kindOf(item).startsWith("count of")) counted(wrong, kindOf(item));
    }
  }
  for (const [name, { kind, ttl }] of expected) {
    if (!same.has(name) && !isOver({ ttl }, Date.now()) && !kind.startsWith("count of")) counted(missing, kind);
  }
  const digests = [...same].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, digest]) => digest);
  return { same: new Set(same.keys()), wrong, missing, digest: sha256(digests.join("")) };
}

/** Puts at once. A batch would cost as many units, and DynamoDB puts each of its items by itself, too. */
const putsAtOnce = 16;

const putItem = (item: RawItem): Promise<unknown> =>
  patiently(async () => {
    try {
      return await client.send(new PutItemCommand({ TableName: tableName, Item: bytesIn(item) }));
    } catch (error) {
      throw classified(error);
    }
  });

/** Items between two looks at whether the command is interrupted. */
const partSize = 250;

/** How items get into the table: lists of puts, one after the other. */
export type Putting = (items: readonly RawItem[]) => (readonly RawItem[])[];

/**
 * A row of the outbox is inserted with its key alone and filled afterwards. The relay sends what is inserted, so nothing that
 * happened before is mailed, promoted or refunded again. Switching the relay off would only delay it: its mapping goes on where
 * it stopped (https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html).
 */
export const emptiedFirst: Putting = (items) => [items.filter(isRow).map(emptied), items];

/** Puts items that the table does not have, in the order of the pages. @returns whether all are in it now */
export async function putItems(
  pages: AsyncIterable<RawItem[]>,
  there: ReadonlySet<string>,
  {
    putting,
    put,
    stop,
  }: {
    readonly putting: Putting;
    readonly put: (count: number) => void;
    readonly stop: AbortSignal | undefined;
  },
): Promise<boolean> {
  let count = 0;
  for await (const page of pages) {
    for (const part of chunk(page, partSize)) {
      if (stop?.aborted) return false;
      const left = part.filter((item) => !there.has(nameOf(item)));
      for (const items of putting(left)) await pMap(items, putItem, { concurrency: putsAtOnce });
      count += part.length;
      put(count);
    }
  }
  return true;
}
