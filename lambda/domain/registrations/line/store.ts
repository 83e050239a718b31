/** Keys, items and transaction members of the line of people who wait. Joining it touches no shared item. */

import type { EventKey } from "#domain/events/event.ts";
import { countItems, type Key, queryOnce, type TransactItem, tableName } from "#kit/table.ts";
import type { Place } from "../seats/seats.ts";

const linePartition = ({ id, year }: EventKey): string => `WAIT#${id}#${year}`;
const placeKey = (event: EventKey, waitKey: string): Key => ({ PK: linePartition(event), SK: waitKey });

export const joinLine = (event: EventKey, place: Place): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...placeKey(event, place.waitKey), ...place },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/** Somebody who waits has changed, and keeps their place. */
export const replacePlace = (event: EventKey, place: Place, known: number): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...placeKey(event, place.waitKey), ...place },
    ConditionExpression: "version = :known",
    ExpressionAttributeValues: { ":known": known },
  },
});

/** Takes somebody out of the line who is in it exactly as it was read. */
export const leaveLine = (event: EventKey, { waitKey, version }: Pick<Place, "waitKey" | "version">): TransactItem => ({
  Delete: {
    TableName: tableName,
    Key: placeKey(event, waitKey),
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: { ":version": version },
  },
});

/**
 * Places of this incarnation of the event only: those of an earlier one are being cleared away. Not a range of the sort
 * key, because a request may have arrived before the event that it finds.
 */
const ofIncarnation = (incarnation: string) => ({
  FilterExpression: "incarnation = :incarnation",
  values: { ":incarnation": incarnation },
});

/** The first page is small, because the head of the line mostly fits; a long line is read in few round trips. */
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
    const page = await queryOnce<Place>({
      KeyConditionExpression: "PK = :line",
      FilterExpression,
      ExpressionAttributeValues: { ":line": linePartition(event), ...values },
      ConsistentRead: true,
      Limit: last ? pageSizes.next : first,
      ExclusiveStartKey: last,
    });
    yield page.items;
    last = page.last;
  } while (last);
}

const mostPages = 4;

/** The beginning of the line: at most four pages of fifty. */
export interface LineStart {
  readonly places: readonly Place[];
  /** Nobody else waits. */
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

/** The first place in line, of whichever incarnation; strongly consistent. */
export async function readHead(event: EventKey): Promise<Place | undefined> {
  const { items } = await queryOnce<Place>({
    KeyConditionExpression: "PK = :line",
    ExpressionAttributeValues: { ":line": linePartition(event) },
    ConsistentRead: true,
    Limit: 1,
  });
  return items[0];
}

/** Whether somebody waits for a seat of this incarnation; strongly consistent. */
export async function isAnybodyWaiting(event: EventKey, incarnation: string): Promise<boolean> {
  for await (const places of readLine(event, incarnation)) if (places.length > 0) return true;
  return false;
}

/** How many people stand in line up to and including this arrival: 1 is the head. */
export function positionInLine(event: EventKey, waitKey: string, incarnation: string): Promise<number> {
  const { FilterExpression, values } = ofIncarnation(incarnation);
  return countItems({
    KeyConditionExpression: "PK = :line AND SK <= :me",
    FilterExpression,
    ExpressionAttributeValues: { ":line": linePartition(event), ":me": waitKey, ...values },
    ConsistentRead: true,
  });
}

/** How many people wait. Without an incarnation, also those of an earlier one who have not been cleared away yet. */
export function lineLength(event: EventKey, incarnation?: string): Promise<number> {
  const { FilterExpression, values } = ofIncarnation(incarnation ?? "");
  return countItems({
    KeyConditionExpression: "PK = :line",
    ...(incarnation !== undefined && { FilterExpression }),
    ExpressionAttributeValues: { ":line": linePartition(event), ...(incarnation !== undefined && values) },
  });
}
