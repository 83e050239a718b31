/**
 * Keys, items and transaction members of the line. Each waiting person has an item, so a person who joins touches no
 * shared item (`docs/design.md`, "The capacity protocol").
 */

import type { EventKey } from "#domain/events/event.ts";
import { countItems, type Item, type Key, queryOnce, type TransactItem, tableName } from "#kit/table.ts";
import type { Place } from "../seats/seats.ts";

const linePartition = ({ id, year }: EventKey): string => `WAIT#${id}#${year}`;
export const placeKey = (event: EventKey, waitKey: string): Key => ({ PK: linePartition(event), SK: waitKey });

/**
 * The item of a place. The queueKey is its sort key only: an attribute `waitKey` would put it into the index of
 * registrations, and joining would cost a write unit more.
 */
export const placeItem = (event: EventKey, { waitKey, ...place }: Place): Item => ({
  ...placeKey(event, waitKey),
  ...place,
});

/** The place of an item. One of an earlier build has its queueKey as an attribute, too. */
export const placeIn = (item: Item): Place => ({ ...(item as unknown as Place), waitKey: item.SK });

export const joinLine = (event: EventKey, place: Place): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: placeItem(event, place),
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/**
 * Replaces a person's place after a change of the registration. The queueKey stays. Refused when the version differs.
 */
export const replacePlace = (event: EventKey, place: Place, known: number): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: placeItem(event, place),
    ConditionExpression: "version = :known",
    ExpressionAttributeValues: { ":known": known },
  },
});

/** Takes a person out of the line. Refused when the place has changed since it was read. */
export const leaveLine = (event: EventKey, { waitKey, version }: Pick<Place, "waitKey" | "version">): TransactItem => ({
  Delete: {
    TableName: tableName,
    Key: placeKey(event, waitKey),
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: { ":version": version },
  },
});

/**
 * Reads only places of this generation, because places of an earlier one may still be there. A range of the sort key
 * would not do: the time in a queueKey may be earlier than the creation of the event that the request then found.
 */
const ofIncarnation = (incarnation: string) => ({
  FilterExpression: "incarnation = :incarnation",
  values: { ":incarnation": incarnation },
});

/** Places in a page. The first page is small, because the head of the line is mostly enough. */
const pageSizes = { first: 10, next: 50 };

/** The line from its head, in pages, strongly consistent. */
export async function* readLine(
  event: EventKey,
  incarnation: string,
  first = pageSizes.first,
): AsyncGenerator<Place[]> {
  const { FilterExpression, values } = ofIncarnation(incarnation);
  let last: Key | undefined;
  do {
    const page = await queryOnce<Item>({
      KeyConditionExpression: "PK = :line",
      FilterExpression,
      ExpressionAttributeValues: { ":line": linePartition(event), ...values },
      ConsistentRead: true,
      Limit: last ? pageSizes.next : first,
      ExclusiveStartKey: last,
    });
    yield page.items.map(placeIn);
    last = page.last;
  } while (last);
}

const mostPages = 4;

/** The beginning of the line: at most four pages of fifty. */
export interface LineStart {
  readonly places: readonly Place[];
  /** These are all the people who wait. */
  readonly isWhole: boolean;
}

/** Reads the beginning of the line, strongly consistent. */
export async function readLineStart(event: EventKey, incarnation: string): Promise<LineStart> {
  const places: Place[] = [];
  let pages = 0;
  for await (const page of readLine(event, incarnation, pageSizes.next)) {
    if (pages === mostPages) return { places, isWhole: false };
    places.push(...page);
    pages += 1;
  }
  return { places, isWhole: true };
}

/** The first place in line, of any generation. The read is strongly consistent. */
export async function readHead(event: EventKey): Promise<Place | undefined> {
  const { items } = await queryOnce<Item>({
    KeyConditionExpression: "PK = :line",
    ExpressionAttributeValues: { ":line": linePartition(event) },
    ConsistentRead: true,
    Limit: 1,
  });
  return items[0] && placeIn(items[0]);
}

/** Whether a person waits for a seat of this generation. The read is strongly consistent. */
export async function hasWaiters(event: EventKey, incarnation: string): Promise<boolean> {
  for await (const places of readLine(event, incarnation)) if (places.length > 0) return true;
  return false;
}

/**
 * The position of a place in line, from 1. The read is strongly consistent. It counts the people ahead: the person's own
 * place may go to a seat while this reads.
 */
export async function positionInLine(event: EventKey, waitKey: string, incarnation: string): Promise<number> {
  const { FilterExpression, values } = ofIncarnation(incarnation);
  const ahead = await countItems({
    KeyConditionExpression: "PK = :line AND SK < :me",
    FilterExpression,
    ExpressionAttributeValues: { ":line": linePartition(event), ":me": waitKey, ...values },
    ConsistentRead: true,
  });
  return ahead + 1;
}

/** The number of people who wait. Without a generation it also counts places of an earlier one that still exist. */
export function lineLength(event: EventKey, incarnation?: string): Promise<number> {
  const { FilterExpression, values } = ofIncarnation(incarnation ?? "");
  return countItems({
    KeyConditionExpression: "PK = :line",
    ...(incarnation !== undefined && { FilterExpression }),
    ExpressionAttributeValues: { ":line": linePartition(event), ...(incarnation !== undefined && values) },
  });
}
