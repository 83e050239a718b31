/** Acknowledged writes survive the end of the process, even a kill. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { type StreamRecord, startTableEngine, type TableDefinition } from "../dynamodb/index.ts";
import { type Json, type ProtocolClient, protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "engine-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Processes that a failing test leaves running. */
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const TableName = "Club";

async function givenEngine(directory: string, definition: TableDefinition = givenDefinition()) {
  const engine = await startTableEngine({ directory, conflictMilliseconds: 0 });
  const client = protocolClient(engine.url);
  const close = async () => {
    client.close();
    await engine.close();
  };
  cleanups.push(close);
  await engine.ensureTable(definition);
  return { engine, client, close: () => cleanups.splice(cleanups.indexOf(close), 1)[0]?.() };
}

const writer = fileURLToPath(new URL("engine/writer.ts", import.meta.url));

/** Runs the writer from a number on, kills it after enough acknowledgements, and returns the acknowledged numbers. */
function killedAfter(directory: string, first: number, enough: number): Promise<number[]> {
  const child = spawn(process.execPath, ["--import", "tsx", writer, directory, `${first}`], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  cleanups.push(() => child.kill("SIGKILL"));
  const acknowledged: number[] = [];
  let complaint = "";
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  createInterface(child.stdout).on("line", (line) => {
    acknowledged.push(Number(line));
    if (acknowledged.length === enough) child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.on("close", (_code, signal) =>
      signal === "SIGKILL" ? resolve(acknowledged) : reject(new Error(`The writer ended by itself: ${complaint}`)),
    );
  });
}

const partition = async (client: ProtocolClient, name: string, index = false): Promise<Record<string, Json>[]> => {
  const items: Record<string, Json>[] = [];
  let ExclusiveStartKey: Json | undefined;
  do {
    const { body } = await client.call("Query", {
      TableName,
      ...(index && { IndexName: "GSI1" }),
      KeyConditionExpression: `${index ? "GSI1PK" : "PK"} = :p`,
      ExpressionAttributeValues: { ":p": { S: name } },
      ExclusiveStartKey,
    });
    items.push(...body.Items);
    ExclusiveStartKey = body.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
};

const sorts = (items: readonly Record<string, Json>[]) => items.map(({ SK }) => Number(SK?.S)).sort((a, b) => a - b);

test("killed while writing: everything acknowledged is there, and items, indexes and log agree", async () => {
  const directory = join(home, "killed");
  const acknowledged: number[] = [];
  let total = 0;
  for (const [first, enough] of [
    [0, 40],
    [1_000_000, 150],
  ] as const) {
    acknowledged.push(...(await killedAfter(directory, first, enough)));
    const { engine, client, close } = await givenEngine(directory);
    const items = sorts(await partition(client, "ITEM"));
    const [counter] = await partition(client, "COUNTER");
    expect(items).toEqual(expect.arrayContaining(acknowledged));
    expect(sorts(await partition(client, "ITEMS", true))).toEqual(items);
    expect(sorts(await partition(client, "NOTE"))).toEqual(items);
    const records = await engine.stream.read("", 100_000);
    total = Number(counter?.n?.N);
    // No addition overwrote another one.
    expect(total).toBe(items.length);
    expect(records.filter(({ dynamodb }) => dynamodb.Keys.PK?.S === "COUNTER")).toHaveLength(total);
    expect(replayed(records)).toEqual({ counter: total, items });
    await close();
  }
  expect(total).toBeGreaterThanOrEqual(190);
});

/** The items that the log describes. */
function replayed(records: readonly StreamRecord[]): { counter: number; items: number[] } {
  const items = new Map<string, StreamRecord["dynamodb"]["NewImage"]>();
  for (const { dynamodb } of records) items.set(JSON.stringify(dynamodb.Keys), dynamodb.NewImage);
  const present = [...items.values()].filter((item) => item !== undefined);
  return {
    counter: Number(items.get(JSON.stringify(givenKey("COUNTER")))?.n?.N),
    items: sorts(present.filter((item) => item.PK?.S === "ITEM") as Record<string, Json>[]),
  };
}

test("a stack with another index finds its items in it", async () => {
  const directory = join(home, "reindexed");
  const definition = givenDefinition();
  const [gsi1] = definition.GlobalSecondaryIndexes ?? [];
  const before = { ...definition, GlobalSecondaryIndexes: gsi1 && [gsi1] };
  const attributes = definition.AttributeDefinitions.filter(({ AttributeName }) => !/lb|points/.test(AttributeName));
  const { client, close } = await givenEngine(directory, { ...before, AttributeDefinitions: attributes });
  await client.call("PutItem", { TableName, Item: { ...givenKey("A"), lb: { S: "L" }, points: { N: "7" } } });
  await client.call("PutItem", { TableName, Item: { ...givenKey("B"), lb: { S: "L" }, points: { S: "none" } } });
  await close();

  const { client: again } = await givenEngine(directory, definition);
  const { body } = await again.call("Query", {
    TableName,
    IndexName: "Leaders",
    KeyConditionExpression: "lb = :l",
    ExpressionAttributeValues: { ":l": { S: "L" } },
  });
  expect(body.Items.map((item: Record<string, Json>) => item.PK?.S)).toEqual(["A"]);
});
