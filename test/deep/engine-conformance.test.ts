/** The table engine against AWS's own DynamoDB Local, where Java is present: the documented cases, and random sequences. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startTableEngine, type TableEngine } from "../../tools/laptop/dynamodb/index.ts";
import { compareSequences, createTable, type Sides, saysTheSame } from "../../tools/laptop/test/engine/compare.ts";
import { startDynamoDbLocal } from "../../tools/laptop/test/engine/dynamodb-local.ts";
import { limits } from "../../tools/laptop/test/engine/limits.ts";
import { operations } from "../../tools/laptop/test/engine/operations.ts";
import { type Json, type ProtocolClient, protocolClient } from "../../tools/laptop/test/engine/protocol-client.ts";

// Before the tests are declared, so that tests without a partner are reported as skipped.
const reference = await startDynamoDbLocal().catch((error: Error) => {
  console.warn(`NOT compared with AWS's DynamoDB Local: ${error.message}`);
});
const compared = reference ? test : test.skip;

let engine: TableEngine;
let sides: Sides;
// Neither hook is called where all tests are skipped.
beforeAll(async () => {
  engine = await startTableEngine({ conflictMilliseconds: 0 });
  sides = [protocolClient(engine.url), protocolClient(String(reference?.url))];
});
afterAll(async () => {
  for (const side of sides) side.close();
  await Promise.all([engine.close(), reference?.stop()]);
});

compared("answers the documented cases as AWS does", async () => {
  const [ours, theirs] = sides;
  for (const side of sides) await createTable(side, "Club");
  for (const { name, request, only } of [...operations, ...limits]) {
    const answer = await ours.call(...request);
    const other = only ? answer : await theirs.call(...request);
    expect({ name, same: saysTheSame(request[0], answer, other), other }).toMatchObject({ name, same: true });
  }
});

compared(
  "4,000 random operations leave the same answers and the same items",
  async () => {
    const tally = await compareSequences(sides, { sequences: 100, steps: 40 });
    console.info("compared with DynamoDB Local:", Object.fromEntries(tally));
    expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(4_000);
    // The most important operations were both carried out and refused.
    expect([...tally.keys()]).toEqual(
      expect.arrayContaining([
        "TransactWriteItems fine",
        "TransactWriteItems TransactionCanceledException",
        "TransactWriteItems ValidationException",
        "UpdateItem fine",
        "UpdateItem ConditionalCheckFailedException",
        "UpdateItem ValidationException",
        "Query fine",
      ]),
    );
  },
  600_000,
);

const miscounting = (body: Json): Json =>
  JSON.parse(JSON.stringify(body).replaceAll('"ADD n :u', '"ADD n :u, lost :u'));

compared("control: an engine that counts wrongly is found", async () => {
  const [ours, theirs] = sides;
  const wrong: ProtocolClient = { ...ours, call: (operation, body) => ours.call(operation, miscounting(body)) };
  // It stops at the first difference; few sequences might have none by chance.
  const comparison = compareSequences([wrong, theirs], { sequences: 150, steps: 25, shrink: false });
  const error: Error = await comparison.then(
    () => new Error("nothing"),
    (failed) => failed,
  );
  expect(`${error.message} ${error.cause}`).toContain("otherwise than AWS");
});
