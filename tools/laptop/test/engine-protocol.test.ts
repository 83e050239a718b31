/** The answer to any request is JSON as DynamoDB would send it, and the engine keeps running. */
import { request } from "node:http";
import { DynamoDBClient, TransactionCanceledException, TransactionConflictException } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { startTableEngine, type TableEngine } from "../dynamodb/index.ts";
import { errorName, type Json, type ProtocolClient, protocolClient } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
let engine: TableEngine;
let client: ProtocolClient;

beforeAll(async () => {
  engine = await startTableEngine({ conflictMilliseconds: 0 });
  await engine.ensureTable(givenDefinition());
  client = protocolClient(engine.url);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  client.close();
  await engine.close();
});

test("a request that is not DynamoDB's gets DynamoDB's error", async () => {
  const answers = await Promise.all([
    client.send("DynamoDB_20120810.GetItem", "{not json"),
    client.send("DynamoDB_20120810.GetItem", "[]"),
    client.send("DynamoDB_20120810.GetItem", ""),
    client.send("DynamoDB_20120810.DropTable", "{}"),
    client.send("nothing", "{}"),
    client.send("DynamoDB_20120810.toString", "{}"),
  ]);
  expect(answers.map(errorName)).toEqual([
    "SerializationException",
    "SerializationException",
    "SerializationException",
    "UnknownOperationException",
    "UnknownOperationException",
    "UnknownOperationException",
  ]);
  for (const { status, contentType } of answers) {
    expect({ status, contentType }).toEqual({ status: 400, contentType: "application/x-amz-json-1.0" });
  }
});

const operations = [
  "GetItem",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "Query",
  "Scan",
  "BatchGetItem",
  "BatchWriteItem",
  "TransactWriteItems",
  "TransactGetItems",
  "CreateTable",
  "DescribeTable",
  "ListTables",
  "UpdateTimeToLive",
  "DescribeTimeToLive",
];

/** Known fields with meaningless values. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    7,
    "",
    "Club",
    ":x",
    "PK = :x",
    [],
    {},
    [null],
    { S: "x" },
    { N: "x" },
    { toString: false, valueOf: null },
    [{ toString: false }],
    { length: 2, hasOwnProperty: 1 },
    JSON.parse('{ "__proto__": { "S": "x" }, "constructor": null }'),
    givenKey("A"),
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const expressionsOdd = fc.constantFrom(
  "PK = :x",
  "SET a = :x",
  "a[9999] = :x",
  "begins_with(a, :x)",
  "size(a) > :x",
  "((",
  "",
);
const member = fc.record(
  {
    TableName: fc.oneof({ weight: 3, arbitrary: fc.constant(TableName) }, oddValue),
    Key: fc.oneof(fc.constant(givenKey("A")), oddValue),
    Item: fc.oneof(fc.constant(givenKey("A")), oddValue),
    ConditionExpression: fc.oneof(expressionsOdd, oddValue),
    UpdateExpression: fc.oneof(expressionsOdd, oddValue),
    ProjectionExpression: oddValue,
    ExpressionAttributeValues: fc.oneof(
      oddValue.map((value) => ({ ":x": value })),
      oddValue,
    ),
    ExpressionAttributeNames: oddValue,
    ReturnValues: oddValue,
    ReturnValuesOnConditionCheckFailure: oddValue,
  },
  { requiredKeys: ["TableName"] },
);
const oddRequest = fc
  .tuple(
    member,
    fc.record(
      {
        KeyConditionExpression: fc.oneof(expressionsOdd, oddValue),
        FilterExpression: fc.oneof(expressionsOdd, oddValue),
        IndexName: oddValue,
        Limit: oddValue,
        ExclusiveStartKey: oddValue,
        ReturnConsumedCapacity: oddValue,
        ClientRequestToken: oddValue,
        TimeToLiveSpecification: oddValue,
        AttributeDefinitions: oddValue,
        KeySchema: oddValue,
        TransactItems: fc.oneof(
          fc.array(
            fc.dictionary(fc.constantFrom("Put", "Get", "Update", "ConditionCheck"), fc.oneof(member, oddValue)),
          ),
          oddValue,
        ),
        RequestItems: fc.oneof(
          fc.record({ [TableName]: fc.oneof(fc.array(fc.record({ PutRequest: member })), oddValue) }),
          oddValue,
        ),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([one, more]) => ({ ...one, ...more }));

/** Requests that the property below once found, and their siblings. */
const found: [string, Json][] = [
  ["GetItem", { TableName: [{ toString: false }] }],
  ["DescribeTimeToLive", { TableName: [{ toString: false }] }],
  ["UpdateTimeToLive", { TableName: { toString: 1 } }],
  ["DescribeTable", { TableName: { toString: null } }],
  ["TransactWriteItems", { TransactItems: [{ Put: { TableName: { toString: false } } }] }],
  ["TransactGetItems", { TransactItems: [{ Get: { TableName: [{ toString: false }] } }] }],
];

test.each(found)("%s of %j is refused", async (operation, body) => {
  const reply = await client.call(operation, body);
  expect({ status: reply.status, error: errorName(reply) }).toEqual({
    status: 400,
    error: expect.stringMatching(/^(Serialization|Validation)Exception$/),
  });
});

test("no request makes the engine fail", async () => {
  const complaints = jest.spyOn(console, "error").mockImplementation(() => undefined);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations), oddRequest, async (operation, body) => {
      const { status, body: answer } = await client.call(operation, body);
      expect({ operation, body, ok: status === 200 || status === 400, answer }).toMatchObject({ ok: true });
    }),
    { numRuns: 1_500, examples: found },
  );
  expect(complaints).not.toHaveBeenCalled();
  expect((await client.call("GetItem", { TableName, Key: givenKey("A") })).status).toBe(200);
});

test("a caller who hangs up does no harm", async () => {
  const complaints = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const { port } = new URL(engine.url);
  const half = request({ host: "127.0.0.1", port, method: "POST", headers: { "content-length": 100 } });
  half.on("error", () => undefined);
  half.write("{");
  await new Promise((resolve) => half.once("socket", (socket) => socket.once("connect", resolve)));
  half.destroy();
  expect((await client.call("ListTables", {})).status).toBe(200);
  // By now the engine has noticed.
  for (let call = 0; call < 5; call += 1) await client.call("ListTables", {});
  expect(complaints).not.toHaveBeenCalled();
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test("the SDK understands answers and errors", async () => {
  const { promise: arrival, resolve: arrived } = deferred();
  const occupied = await startTableEngine({
    conflictMilliseconds: 250,
    authorize: (accessKeyId, action) => {
      arrived();
      return accessKeyId === "LOCALReader" && action !== "dynamodb:Query" ? `No ${action}.` : undefined;
    },
  });
  await occupied.ensureTable(givenDefinition());
  const sdk = (accessKeyId: string) =>
    DynamoDBDocumentClient.from(
      new DynamoDBClient({
        endpoint: occupied.url,
        region: "us-west-2",
        maxAttempts: 1,
        credentials: { accessKeyId, secretAccessKey: "local" },
      }),
    );
  const [admin, reader] = [sdk("LOCALAdmin"), sdk("LOCALReader")];
  const Item = { PK: "A", SK: "META", tags: new Set(["x"]), deep: { list: [1, null, "ü"] } };
  const put = new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] });
  const failed = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (error: Error) => error,
    );
  const running = admin.send(put);
  await arrival;
  const [cancelled, refused] = await Promise.all([
    failed(admin.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] }))),
    failed(admin.send(new PutCommand({ TableName, Item }))),
  ]);
  await running;
  expect(cancelled).toBeInstanceOf(TransactionCanceledException);
  expect((cancelled as TransactionCanceledException).CancellationReasons?.[0]?.Code).toBe("TransactionConflict");
  expect(refused).toBeInstanceOf(TransactionConflictException);
  const query = { KeyConditionExpression: "PK = :p", ExpressionAttributeValues: { ":p": "A" } };
  expect((await reader.send(new QueryCommand({ TableName, ...query }))).Items).toEqual([Item]);
  expect(await failed(reader.send(new PutCommand({ TableName, Item })))).toMatchObject({
    name: "AccessDeniedException",
    message: "No dynamodb:PutItem.",
  });
  admin.destroy();
  reader.destroy();
  await occupied.close();
});
