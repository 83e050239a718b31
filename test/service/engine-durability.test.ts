/** What was acknowledged survives the end of the process, whatever ends it. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type StreamRecord, startTableEngine } from "../../lib/local/dynamodb/index.ts";
import { type Json, type ProtocolClient, protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "engine-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const TableName = "Club";
const writer = fileURLToPath(new URL("engine/writer.ts", import.meta.url));

/** Runs the writer until it has acknowledged so many transactions, kills it, and returns what it acknowledged. */
function killedAfter(directory: string, enough: number): Promise<number[]> {
  const child = spawn(process.execPath, ["--import", "tsx", writer, directory], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
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
  for (const enough of [40, 150]) {
    acknowledged.push(...(await killedAfter(directory, enough)));
    const engine = await startTableEngine({ directory, conflictMilliseconds: 0 });
    await engine.ensureTable(givenDefinition());
    const client = protocolClient(engine.url);
    const items = sorts(await partition(client, "ITEM"));
    const [counter] = await partition(client, "COUNTER");
    expect(items).toEqual(expect.arrayContaining([...new Set(acknowledged)]));
    expect(sorts(await partition(client, "ITEMS", true))).toEqual(items);
    expect(sorts(await partition(client, "NOTE"))).toEqual(items);
    const records = await engine.stream.read("", 100_000);
    total = Number(counter?.n?.N);
    expect(total).toBeGreaterThanOrEqual(acknowledged.length);
    expect(records.filter(({ dynamodb }) => dynamodb.Keys.PK?.S === "COUNTER")).toHaveLength(total);
    expect(replayed(records)).toEqual({ counter: total, items });
    client.close();
    await engine.close();
  }
  expect(total).toBeGreaterThanOrEqual(190);
}, 60_000);

/** What the log says that there is. */
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
  const engine = await startTableEngine({ directory, conflictMilliseconds: 0 });
  await engine.ensureTable({ ...before, AttributeDefinitions: attributes });
  const client = protocolClient(engine.url);
  await client.call("PutItem", { TableName, Item: { ...givenKey("A"), lb: { S: "L" }, points: { N: "7" } } });
  await client.call("PutItem", { TableName, Item: { ...givenKey("B"), lb: { S: "L" }, points: { S: "none" } } });
  client.close();
  await engine.close();

  const later = await startTableEngine({ directory, conflictMilliseconds: 0 });
  await later.ensureTable(definition);
  const again = protocolClient(later.url);
  const { body } = await again.call("Query", {
    TableName,
    IndexName: "Leaders",
    KeyConditionExpression: "lb = :l",
    ExpressionAttributeValues: { ":l": { S: "L" } },
  });
  expect(body.Items.map((item: Record<string, Json>) => item.PK?.S)).toEqual(["A"]);
  again.close();
  await later.close();
});
