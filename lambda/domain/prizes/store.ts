/** Keys and writes of prizes: one small collection. */
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import { getItem, type Key, type Query, type TransactItem, tableName } from "#kit/table.ts";
import type { PrizeRecord } from "./prize.ts";

const collection = "PRIZE";
const prizeKey = (id: string): Key => ({ PK: collection, SK: id });

function prizeOf({ PK, SK, ...prize }: PrizeRecord & Key): PrizeRecord {
  return prize;
}

export async function readPrize(id: string): Promise<PrizeRecord | undefined> {
  const item = await getItem<PrizeRecord>(prizeKey(id), "strong");
  return item && prizeOf(item);
}

const prizes = (after?: string): Query => ({
  KeyConditionExpression: after === undefined ? "PK = :prizes" : "PK = :prizes AND SK > :after",
  ExpressionAttributeValues: { ":prizes": collection, ...(after !== undefined && { ":after": after }) },
  ConsistentRead: true,
});

/** By id. */
export async function pageOfPrizes({ limit, after }: PageRequest): Promise<Page<PrizeRecord>> {
  const page = await queryPage<PrizeRecord>(prizes(after), { limit, sortKeyOf: ({ id }) => id });
  return { ...page, rows: page.rows.map(prizeOf) };
}

/** Refused when the id is taken. */
export const putNewPrize = (prize: PrizeRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...prizeKey(prize.id), ...prize },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/** Replaces a prize that is still as it was read. */
export const replacePrize = (prize: PrizeRecord, read: PrizeRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...prizeKey(prize.id), ...prize },
    ConditionExpression: "version = :read AND createdAt = :createdAt",
    ExpressionAttributeValues: { ":read": read.version, ":createdAt": read.createdAt },
  },
});

/** Removes this very prize; also when it is gone already, but not another one that has taken its id since. */
export const removePrize = ({ id, createdAt }: PrizeRecord): TransactItem => ({
  Delete: {
    TableName: tableName,
    Key: prizeKey(id),
    ConditionExpression: "attribute_not_exists(PK) OR createdAt = :createdAt",
    ExpressionAttributeValues: { ":createdAt": createdAt },
  },
});
