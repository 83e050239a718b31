/** A commit to the table reaches the function of a stream mapping, also after a restart of table and mapping. */
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { startTableEngine } from "../dynamodb/index.ts";
import { startStreamMapping } from "../stream/index.ts";
import { type Json, protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const Pattern = JSON.stringify({ eventName: ["INSERT"], dynamodb: { Keys: { PK: { S: [{ prefix: "OUT#" }] } } } });

/** Table and mapping over the same folder, and the partitions that the function got. */
async function givenTableAndMapping(directory: string, answer: () => unknown = () => null) {
  const engine = await startTableEngine({ conflictMilliseconds: 0, directory: join(directory, "table") });
  await engine.ensureTable(givenDefinition());
  const client = protocolClient(engine.url);
  const got: unknown[] = [];
  const mapping = await startStreamMapping({
    name: "Relay",
    properties: {
      EventSourceArn: "arn:aws:dynamodb:us-west-2:000000000000:table/Club/stream/local",
      FilterCriteria: { Filters: [{ Pattern }] },
    },
    stream: engine.stream,
    functionArn: "arn:aws:lambda:us-west-2:000000000000:function:Relay",
    invoke: async ({ Records }) => {
      got.push(...Records.map(({ dynamodb }) => dynamodb.Keys.PK?.S));
      return answer();
    },
    onDiscarded: async () => undefined,
    directory: join(directory, "stream"),
  });
  const close = async () => {
    client.close();
    await mapping.close();
    await engine.close();
  };
  open.push(close);
  const write = (...partitions: string[]) =>
    client.call("TransactWriteItems", {
      TransactItems: partitions.map((partition): Json => ({ Put: { TableName, Item: givenKey(partition) } })),
    });
  return { mapping, got, write, close };
}

test("an outbox row that commits with a change reaches the relay, once", async () => {
  const directory = await givenFolder(open);
  const first = await givenTableAndMapping(directory);
  await first.write("REG#1", "OUT#1");
  await first.mapping.settled();
  await first.write("REG#2", "OUT#2");
  await first.mapping.settled();
  await first.close();
  const second = await givenTableAndMapping(directory);
  await second.mapping.settled();
  expect([first.got, second.got]).toEqual([["OUT#1", "OUT#2"], []]);
});

test("a row that the relay failed at comes again after a restart", async () => {
  const directory = await givenFolder(open);
  const first = await givenTableAndMapping(directory, () => {
    throw new Error("no bus");
  });
  await first.write("OUT#1");
  await first.mapping.settled();
  await first.close();
  const second = await givenTableAndMapping(directory);
  await second.mapping.settled();
  expect([first.got, second.got]).toEqual([["OUT#1"], ["OUT#1"]]);
});
