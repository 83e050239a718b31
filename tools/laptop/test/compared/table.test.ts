/**
 * DynamoDB: what the engine adds to dynalite, and the limits. AWS's own DynamoDB Local, where Java is present, answers the same
 * cases in `test/deep/engine-conformance.test.ts`.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startTableEngine, type TableEngine } from "../../dynamodb/index.ts";
import { createTable } from "../engine/compare.ts";
import { limits } from "../engine/limits.ts";
import { operations } from "../engine/operations.ts";
import { type Json, outcomeOf, type ProtocolClient, protocolClient, reasonsOf } from "../engine/protocol-client.ts";

let engine: TableEngine;
let client: ProtocolClient;
beforeAll(async () => {
  engine = await startTableEngine({ conflictMilliseconds: 0 });
  client = protocolClient(engine.url);
  await createTable(client, "Club");
});
afterAll(async () => {
  client.close();
  await engine.close();
});

test.each([...operations, ...limits])("$name", async ({ request, outcome, reasons, message, shows = {} }) => {
  const reply = await client.call(...request);
  const { Item, Attributes } = reply.body;
  const seen: Json = { ...reply.body, ...reply.body.CancellationReasons?.at(-1).Item, ...Item, ...Attributes };
  expect({
    outcome: outcomeOf(reply),
    reasons: reasonsOf(reply)?.map(({ Code }) => Code),
    message: message && reply.body.message,
    shows: Object.fromEntries(
      Object.keys(shows).map((name) => [name, Object.hasOwn(seen, name) ? seen[name] : undefined]),
    ),
  }).toEqual({ outcome, reasons, message, shows });
});
