/** The answer to any request is JSON as DynamoDB would send it, and the engine keeps running. */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { givenTable, type Table, TableName } from "./engine/given.ts";
import { errorName, type Json, outcomeOf } from "./engine/protocol-client.ts";
import { givenKey } from "./engine/table.ts";

let table: Table;
let complaints: jest.Spied<typeof console.error>;
beforeEach(async () => {
  table = await givenTable();
  complaints = jest.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  ["DynamoDB_20120810.GetItem", "{not json", "SerializationException"],
  ["DynamoDB_20120810.GetItem", "[]", "SerializationException"],
  ["DynamoDB_20120810.GetItem", "", "SerializationException"],
  ["DynamoDB_20120810.DropTable", "{}", "UnknownOperationException"],
  ["nothing", "{}", "UnknownOperationException"],
  ["DynamoDB_20120810.toString", "{}", "UnknownOperationException"],
])("%s of %j gets DynamoDB's error", async (target, text, error) => {
  const reply = await table.send(target, text);
  expect([reply.status, reply.contentType, errorName(reply)]).toEqual([400, "application/x-amz-json-1.0", error]);
});

const reads = ["GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems"];
const writes = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems"];
const ofTables = ["CreateTable", "DescribeTable"];

/** Known fields with meaningless values. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, 7, "", "Club", ":x", "PK = :x", [], {}, [null], { S: "x" }, { N: "x" }],
    ...[{ toString: false, valueOf: null }, [{ toString: false }], { length: 2, hasOwnProperty: 1 }, givenKey("A")],
    JSON.parse('{ "__proto__": { "S": "x" }, "constructor": null }'),
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const oddExpression = fc.oneof(
  fc.constantFrom("PK = :x", "SET a = :x", "a[9999] = :x", "begins_with(a, :x)", "size(a) > :x", "((", ""),
  odd,
);
const fields = (names: readonly string[], value: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(names.map((name) => [name, value]));
const oddMember = fc.record(
  {
    TableName: fc.oneof({ weight: 3, arbitrary: fc.constant(TableName) }, odd),
    ...fields(["Key", "Item"], fc.oneof(fc.constant(givenKey("A")), odd)),
    ...fields(["ConditionExpression", "UpdateExpression"], oddExpression),
    ExpressionAttributeValues: fc.oneof(
      odd.map((value) => ({ ":x": value })),
      odd,
    ),
    ...fields(["ProjectionExpression", "ExpressionAttributeNames", "ReturnValues"], odd),
    ReturnValuesOnConditionCheckFailure: odd,
  },
  { requiredKeys: ["TableName"] },
);
const oddMembers = fc.array(fc.dictionary(fc.constantFrom("Put", "Get", "Update", "ConditionCheck"), oddMember));
const oddMore = fc.record(
  {
    ...fields(["KeyConditionExpression", "FilterExpression"], oddExpression),
    ...fields(["IndexName", "Limit", "ExclusiveStartKey", "ReturnConsumedCapacity", "ClientRequestToken"], odd),
    ...fields(["AttributeDefinitions", "KeySchema"], odd),
    TransactItems: fc.oneof(oddMembers, odd),
    RequestItems: fc.oneof(fc.record({ [TableName]: fc.oneof(fc.record({ Keys: fc.array(odd) }), odd) }), odd),
  },
  { requiredKeys: [] },
);

/** Requests that this property once found, and their siblings. */
const examples: [string, Json, Json][] = [
  ["GetItem", { TableName: [{ toString: false }] }, {}],
  ["DescribeTable", { TableName: { toString: null } }, {}],
  ["TransactWriteItems", {}, { TransactItems: [{ Put: { TableName: { toString: false } } }] }],
  ["TransactGetItems", {}, { TransactItems: [{ Get: { TableName: [{ toString: false }] } }] }],
];

test("no request makes the engine fail", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...reads, ...writes, ...ofTables),
      oddMember,
      oddMore,
      async (operation, one, more) => {
        const { status, body: answer } = await table.send(
          `DynamoDB_20120810.${operation}`,
          JSON.stringify({ ...one, ...more }),
        );
        expect({ operation, one, more, ok: status === 200 || status === 400, answer }).toMatchObject({ ok: true });
      },
    ),
    { numRuns: 1_000, examples },
  );
  expect(complaints).not.toHaveBeenCalled();
  expect(outcomeOf(await table.get("A"))).toBe("fine");
});

test("a caller who hangs up does no harm", async () => {
  const { port } = new URL(table.engine.url);
  const half = connect(Number(port), "127.0.0.1");
  await once(half, "connect");
  half.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
  // The engine reads the half request before it answers another one.
  await table.call("DescribeTable");
  half.destroy();
  for (let call = 0; call < 5; call += 1) expect(outcomeOf(await table.call("DescribeTable"))).toBe("fine");
  expect(complaints).not.toHaveBeenCalled();
});

test("a request without its right is refused", async () => {
  const authorize = (_: string, action: string) => (action === "dynamodb:PutItem" ? `No ${action}.` : undefined);
  const guarded = await givenTable({ authorize });
  const refused = await guarded.put("A");
  expect([outcomeOf(refused), refused.body.Message]).toEqual(["AccessDeniedException", "No dynamodb:PutItem."]);
  expect((await guarded.get("A")).body).toEqual({});
});
