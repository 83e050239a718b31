/** Checks access to the table of a stage, before a command begins. */
import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { client } from "#kit/table/table.ts";
import type { Target } from "./target.ts";

/**
 * @returns the approximate number of items, which AWS updates every six hours
 * @throws the error of the call
 */
export async function reached({ environment }: Target): Promise<number | undefined> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: String(environment.TABLE_NAME) }));
  return Table?.ItemCount || undefined;
}
