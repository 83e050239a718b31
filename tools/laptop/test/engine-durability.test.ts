/** Acknowledged writes survive the end of the process, even a kill. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import type { StreamRecord } from "../dynamodb/index.ts";
import { givenTable, open, type Table } from "./engine/given.ts";
import type { Json } from "./engine/protocol-client.ts";

const writer = fileURLToPath(new URL("engine/writer.ts", import.meta.url));

/** Runs the writer from a number on, kills it after enough acknowledgements, and returns the acknowledged numbers. */
async function killedAfter(directory: string, first: number, enough: number): Promise<number[]> {
  const child = spawn(process.execPath, ["--import", "tsx", writer, directory, `${first}`], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  open.push(() => child.kill("SIGKILL"));
  const acknowledged: number[] = [];
  createInterface(child.stdout).on("line", (line) => {
    acknowledged.push(Number(line));
    if (acknowledged.length === enough) child.kill("SIGKILL");
  });
  const [, signal] = await once(child, "close");
  // It does not end by itself.
  expect(signal).toBe("SIGKILL");
  return acknowledged;
}

type Item = Record<string, Record<string, unknown>>;

async function query(table: Table, request: Json): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Json | undefined;
  do {
    const { body } = await table.call("Query", { ...request, ExclusiveStartKey });
    items.push(...body.Items);
    ExclusiveStartKey = body.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

const partition = (table: Table, name: string, at: Json = { KeyConditionExpression: "PK = :p" }) =>
  query(table, { ...at, ExpressionAttributeValues: { ":p": { S: name } } });

const sorts = (items: readonly Item[]) => items.map(({ SK }) => Number(SK?.S)).sort((a, b) => a - b);

test("killed while writing: everything acknowledged is there, and items, indexes and log agree", async () => {
  const directory = await givenFolder(open);
  const acknowledged: number[] = [];
  for (const [first, enough] of [
    [0, 40],
    [1_000_000, 150],
  ] as const) {
    acknowledged.push(...(await killedAfter(directory, first, enough)));
    const table = await givenTable({ directory });
    const items = sorts(await partition(table, "ITEM"));
    expect(items).toEqual(expect.arrayContaining(acknowledged));
    const inIndex = { IndexName: "GSI1", KeyConditionExpression: "GSI1PK = :p" };
    expect(sorts(await partition(table, "ITEMS", inIndex))).toEqual(items);
    expect(sorts(await partition(table, "NOTE"))).toEqual(items);
    // No addition overwrote another one.
    expect(await table.numberOf("COUNTER")).toBe(items.length);
    expect(replayed(await table.engine.stream.read("", 100_000))).toEqual({ counter: items.length, items });
    await table.close();
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(190);
});

/** The counter and the items that the log describes. */
function replayed(records: readonly StreamRecord[]): { counter: number; items: number[] } {
  const images = records.map(({ dynamodb }) => dynamodb.NewImage as Item);
  const counted = images.filter(({ PK }) => PK?.S === "COUNTER");
  expect(counted.map(({ n }) => Number(n?.N))).toEqual(counted.map((_, index) => index + 1));
  return { counter: counted.length, items: sorts(images.filter(({ PK }) => PK?.S === "ITEM")) };
}
