/** Waits for the indexes of a table. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { patience } from "../patience.ts";

/**
 * Waits until the indexes have all writes of before. The indexes of the laptop take the writes in their order, so they
 * have all of them as soon as they have a marker that is written now.
 */
export async function untilIndexed(table: DynamoDBDocumentClient, TableName: string, indexLag: number): Promise<void> {
  const Key = { PK: `MARKER#${randomUUID()}`, SK: "MARKER" };
  await table.send(new PutCommand({ TableName, Item: { ...Key, GSI1PK: Key.PK, GSI1SK: Key.SK } }));
  const marker = new QueryCommand({
    TableName,
    IndexName: "GSI1",
    KeyConditionExpression: "GSI1PK = :marker",
    ExpressionAttributeValues: { ":marker": Key.PK },
  });
  const end = Date.now() + indexLag + patience;
  while ((await table.send(marker)).Count === 0) {
    if (Date.now() > end) throw new Error("The indexes did not follow the table.");
    await pause(10);
  }
  await table.send(new DeleteCommand({ TableName, Key }));
}
