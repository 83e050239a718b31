/** Keys, items and transaction members of the line of people who wait. Joining it touches no shared item. */
import { countItems, type Key, queryOnce, type TransactItem, tableName } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import { incarnationStart, type Place } from "../seats/seats.ts";

const linePartition = ({ id, year }: EventKey): string => `WAIT#${id}#${year}`;
const placeKey = (event: EventKey, waitKey: string): Key => ({ PK: linePartition(event), SK: waitKey });

export const joinLine = (event: EventKey, place: Place): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...placeKey(event, place.waitKey), ...place },
    ConditionExpression: "attribute_not_exists(PK)",
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

const sinceKey = (incarnation: string): string => String(incarnationStart(incarnation));

/** The line from its head, in pages, strongly consistent. Places of an earlier incarnation of the event are left out. */
export async function* readLine(event: EventKey, incarnation: string, pageSize: number): AsyncGenerator<Place[]> {
  let last: Key | undefined;
  do {
    const page = await queryOnce<Place>({
      KeyConditionExpression: "PK = :line AND SK >= :since",
      ExpressionAttributeValues: { ":line": linePartition(event), ":since": sinceKey(incarnation) },
      ConsistentRead: true,
      Limit: pageSize,
      ExclusiveStartKey: last,
    });
    yield page.items;
    last = page.last;
  } while (last);
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
  const { value: places } = await readLine(event, incarnation, 1).next();
  return places !== undefined && places.length > 0;
}

/** How many people stand in line up to and including this arrival: 1 is the head. */
export const positionInLine = (event: EventKey, waitKey: string, incarnation: string): Promise<number> =>
  countItems({
    KeyConditionExpression: "PK = :line AND SK BETWEEN :since AND :me",
    ExpressionAttributeValues: { ":line": linePartition(event), ":since": sinceKey(incarnation), ":me": waitKey },
    ConsistentRead: true,
  });

/** How many people wait. Without an incarnation, also those of an earlier one who have not been cleared away yet. */
export const lineLength = (event: EventKey, incarnation?: string): Promise<number> =>
  countItems({
    KeyConditionExpression: "PK = :line AND SK >= :since",
    ExpressionAttributeValues: { ":line": linePartition(event), ":since": incarnation ? sinceKey(incarnation) : "0" },
  });
