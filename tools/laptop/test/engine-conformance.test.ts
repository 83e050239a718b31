/**
 * The engine's words against AWS's documentation; its outcomes are compared in compared/table.test.ts. With the variable COMPARED=1, as in `test/deep/engine-conformance.test.ts`, also
 * against AWS's own DynamoDB Local where Java is present.
 */
import { afterAll, describe, expect, test } from "@jest/globals";
import { startTableEngine } from "../dynamodb/index.ts";
import { compareSequences, createTable, inTable, saysTheSame, type Tally } from "./engine/compare.ts";
import { startDynamoDbLocal } from "./engine/dynamodb-local.ts";
import { edges } from "./engine/edges.ts";
import { limitEdges } from "./engine/limit-edges.ts";
import { cases } from "./engine/operations.ts";
import { type Json, type ProtocolClient, protocolClient } from "./engine/protocol-client.ts";

// Before the tests are declared, so that tests without a partner are reported as skipped.
const isCompared = process.env.COMPARED === "1";
const reference = isCompared
  ? await startDynamoDbLocal().catch((error: Error) => {
      console.warn(`NOT compared with AWS's DynamoDB Local: ${error.message}`);
    })
  : undefined;
const engine = await startTableEngine({ conflictMilliseconds: 0 });
const ours = protocolClient(engine.url);
const theirs = reference && protocolClient(reference.url);
const compared = theirs ? test : test.skip;

afterAll(async () => {
  ours.close();
  theirs?.close();
  await Promise.all([engine.close(), reference?.stop()]);
});

test.each([
  ["every documented operation", cases],
  ["the corners of keys, expressions and indexes", edges],
  ["what is too much, and what is just not", limitEdges],
])("answers %s as AWS does", async (_, some) => {
  tables += 1;
  const TableName = `Cases${tables}`;
  await createTable(ours, TableName);
  if (theirs) await createTable(theirs, TableName);
  for (const { name, operation, body: given, message, only } of some) {
    const body = inTable(given, TableName);
    const answer = await ours.call(operation, body);
    if (message) expect({ name, message: answer.body.message }).toEqual({ name, message });
    const other = only ? undefined : await theirs?.call(operation, body);
    if (other) expect({ name, same: saysTheSame(operation, answer, other), other }).toMatchObject({ name, same: true });
  }
});

let tables = 0;

const sequences = () => {
  compared("leave the same answers and the same items", async () => {
    const tally = await compareSequences(ours, theirs as ProtocolClient, { sequences: 8, steps: 25 });
    expect([...tally.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(200);
    assertVaried(tally);
  });

  compared("would show an engine that counts wrongly", async () => {
    const wrong: ProtocolClient = { ...ours, call: (operation, body) => ours.call(operation, miscounting(body)) };
    // It stops at the first difference; few sequences might have none by chance.
    const many = { sequences: 150, steps: 25, shrink: false };
    const comparison = compareSequences(wrong, theirs as ProtocolClient, many);
    const error: Error = await comparison.then(
      () => new Error("nothing"),
      (failed) => failed,
    );
    expect(`${error.message} ${error.cause}`).toContain("otherwise than AWS");
  });
};
if (isCompared) describe("random sequences", sequences);

/** The most important operations must have been seen both succeeding and refused. */
function assertVaried(tally: Tally): void {
  for (const outcome of [
    "TransactWriteItems fine",
    "TransactWriteItems TransactionCanceledException",
    "UpdateItem fine",
    "UpdateItem ConditionalCheckFailedException",
    "Query fine",
  ]) {
    expect(tally.has(outcome) ? outcome : [...tally]).toBe(outcome);
  }
}

const miscounting = (body: Json): Json =>
  JSON.parse(JSON.stringify(body).replaceAll('"ADD n :u', '"ADD n :u, lost :u'));
