/**
 * Keys, items and transaction members of the line. Each waiting person has an item, so joining writes no shared item
 * (`docs/design.md`, "The capacity protocol").
 */

import { itemsOf } from "#kit/lists/pages.ts";
import { log } from "#kit/log.ts";
import { partsOf } from "#kit/request/context.ts";
import type { KeyTexts } from "#kit/table/item.ts";
import {
  type Consistency,
  countItems,
  deleteIf,
  type Item,
  isAsRead,
  type Key,
  putIf,
  putNew,
  queryOnce,
  queryPages,
  type TransactItem,
} from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import { isEnough, type Line, type LineClaim, maxToSeat } from "./allocate.ts";
import { maxCountedAhead, type PlaceInLine, placeBehind } from "./place-in-line.ts";
import { type EventKey, type Place, type Pool, pools, type Seats } from "./seats.ts";

const kindIn = (pool: Pool) => (pool === "partners" ? "place in the partners' line" : "place in line");
const linePartition = (event: EventKey, pool: Pool): string => partitionOf(kindIn(pool), event);
/** What identifies a place. */
type PlaceOf = Pick<Place, "queueKey" | "pool" | "behindOthers">;

/** Before the time in the key of a person who waits behind the others. It sorts after all digits. */
const behind = "~";

export function placeKey(event: EventKey, { queueKey, pool, behindOthers }: PlaceOf): Key {
  const { ms, ulid } = partsOf(queueKey);
  return keyOf(kindIn(pool), { ...event, ms: behindOthers ? `${behind}${ms}` : ms, ulid });
}

/** The people of a generation who wait for the seats of one pool. */
type OneLine = Pick<Place, "generation" | "pool">;

/**
 * The stored place. Reads of the line are charged by size, so it omits the queueKey, which is the sort key, and default
 * values.
 */
export function placeItem(event: EventKey, { queueKey, choices, isPartner, behindOthers, ...place }: Place): Item {
  return {
    ...placeKey(event, { queueKey, pool: place.pool, behindOthers }),
    ...place,
    ...(Object.keys(choices).length > 0 && { choices }),
    ...(isPartner && { isPartner }),
  };
}

export function placeIn({ PK: _PK, SK, ...stored }: KeyTexts): Place {
  const key = SK.startsWith(behind) ? { queueKey: SK.slice(behind.length), behindOthers: true } : { queueKey: SK };
  return { choices: {}, isPartner: false, ...stored, ...key } as unknown as Place;
}

export const joinLine = (event: EventKey, place: Place): TransactItem => putNew(placeItem(event, place));

/** Replaces a person's place after a change of the registration. Refused when the stored version is not `known`. */
export const replacePlace = (event: EventKey, place: Place, known: number): TransactItem =>
  putIf(placeItem(event, place), isAsRead({ version: known }));

/** Removes a person from the line. Refused when the place has changed since it was read. */
export const leaveLine = (event: EventKey, place: PlaceOf & Pick<Place, "version">): TransactItem =>
  deleteIf(placeKey(event, place), isAsRead(place));

/**
 * Selects places of this generation; places of an earlier one may remain. A range of the sort key cannot do this: the
 * time in a queueKey may precede the creation of the event that the request then read.
 */
function placesOf(event: EventKey, { generation, pool }: OneLine) {
  const { ExpressionAttributeValues, ...all } = itemsOf(linePartition(event, pool));
  return {
    ...all,
    FilterExpression: "generation = :generation",
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ":generation": generation },
  };
}

/** Places in a page. The first page is small, because the head of the line is usually enough. */
const pageSizes = { first: 10, next: 50 };
/** Maximum pages of the line read for a newcomer. If they do not decide, the newcomer waits. */
const pagesForNewcomer = 5;

/**
 * Reads the line from its head, strongly consistent.
 * @param isEnough whether the read can stop after these places
 */
export async function readLine(
  event: EventKey,
  of: OneLine,
  { isEnough = () => false, first = pageSizes.first, maxPages = Number.POSITIVE_INFINITY }: ReadOptions = {},
): Promise<Line> {
  const line = placesOf(event, of);
  const places: Place[] = [];
  let pages = 0;
  for await (const { items } of queryPages<Item>(line, (page) => (page === 0 ? first : pageSizes.next))) {
    if (pages === maxPages) return { places, isWhole: false };
    places.push(...items.map(placeIn));
    if (isEnough(places)) return { places, isWhole: false };
    pages += 1;
  }
  return { places, isWhole: true };
}

/** The first ten places of the attendees' line, of any generation, strongly consistent. */
export async function readLineStart(event: EventKey): Promise<Line> {
  const line = itemsOf(linePartition(event, undefined));
  const { items, last } = await queryOnce<Item>({ ...line, Limit: pageSizes.first });
  return { places: items.map(placeIn), isWhole: last === undefined };
}

interface ReadOptions {
  readonly isEnough?: (places: readonly Place[]) => boolean;
  /** Places in the first page. */
  readonly first?: number;
  readonly maxPages?: number;
}

/**
 * Reads as much of the line as a claim needs.
 * @param now epoch milliseconds
 * @returns undefined when the line does not matter
 */
export async function readLineFor(
  event: EventKey,
  seats: Seats,
  claim: LineClaim,
  now: number,
): Promise<Line | undefined> {
  const wanted = maxToSeat(seats, claim, now);
  if (wanted === 0) return undefined;
  return readLine(event, seats, {
    isEnough: (places) => isEnough(seats, claim, places, now),
    first: Math.max(pageSizes.first, wanted),
    ...(claim.kind === "newcomer" && { maxPages: pagesForNewcomer }),
  });
}

/** The first place in a pool's line, of any generation, strongly consistent. */
export async function readHead(event: EventKey, pool: Pool): Promise<Place | undefined> {
  const { items } = await queryOnce<Item>({ ...itemsOf(linePartition(event, pool)), Limit: 1 });
  return items[0] && placeIn(items[0]);
}

/** Whether a person waits in this line, strongly consistent. */
export const isWaitedIn = async (event: EventKey, line: OneLine): Promise<boolean> =>
  (await readLine(event, line, { isEnough: (places) => places.length > 0 })).places.length > 0;

/** Whether a person waits for a seat of this generation, in any line, strongly consistent. */
export const hasWaiters = async (event: EventKey, generation: string): Promise<boolean> =>
  (await Promise.all(pools.map((pool) => isWaitedIn(event, { generation, pool })))).includes(true);

const placeTimeoutMs = 2_000;

/**
 * The place of a person in line. One eventually consistent query reads at most 101 places of about 320 bytes, which costs
 * at most 4 read units. It may miss people who joined or left just now; a consistent read would not be final either,
 * because an earlier request may still join.
 * @returns undefined when the table does not respond within the timeout: the place is optional in a response
 */
export async function readPlaceInLine(
  event: EventKey,
  { generation, ...place }: PlaceOf & Pick<Place, "generation">,
): Promise<PlaceInLine | undefined> {
  const { KeyConditionExpression, ExpressionAttributeValues, ...all } = placesOf(event, {
    generation,
    pool: place.pool,
  });
  const query = {
    ...all,
    KeyConditionExpression: `${KeyConditionExpression} AND SK < :me`,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ":me": placeKey(event, place).SK },
    Select: "COUNT",
    ConsistentRead: false,
    ScanIndexForward: false,
    Limit: maxCountedAhead + 1,
  } as const;
  try {
    const { count, last } = await queryOnce(query, placeTimeoutMs);
    return placeBehind({ places: count, stoppedAt: last?.SK }, generation);
  } catch (error) {
    log.warn("no place in line", { cause: (error as Error).name });
    return undefined;
  }
}

/** Counts all people who wait in a line. Reads the whole line; requests use `recentCount`. */
export const countLine = (event: EventKey, line: OneLine, consistency: Consistency): Promise<number> =>
  countItems({ ...placesOf(event, line), ConsistentRead: consistency === "strong" });
