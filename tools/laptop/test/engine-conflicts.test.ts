/** Simultaneous writes, with the conflict model and without. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { startTableEngine, type TableEngine, type TableEngineOptions } from "../dynamodb/index.ts";
import { errorName, type Json, type ProtocolClient, protocolClient, type Reply } from "./engine/protocol-client.ts";
import { givenDefinition, givenKey } from "./engine/table.ts";

const TableName = "Club";
const open: { engine: TableEngine; client: ProtocolClient }[] = [];

/** Long enough that all requests sent in the meantime overlap. */
const longOccupation = 250;

async function givenEngine(options: TableEngineOptions): Promise<ProtocolClient & { arrivals(): number }> {
  let arrived = 0;
  const engine = await startTableEngine({
    ...options,
    authorize: () => {
      arrived += 1;
      return undefined;
    },
  });
  await engine.ensureTable(givenDefinition());
  const client = protocolClient(engine.url);
  open.push({ engine, client });
  return { ...client, arrivals: () => arrived };
}

afterEach(async () => {
  for (const { engine, client } of open.splice(0)) {
    client.close();
    await engine.close();
  }
});

const increment = (partition: string) => ({
  TableName,
  Key: givenKey(partition),
  UpdateExpression: "ADD n :one",
  ExpressionAttributeValues: { ":one": { N: "1" } },
});
const check = (partition: string) => ({
  ConditionCheck: { TableName, Key: givenKey(partition), ConditionExpression: "attribute_not_exists(nothing)" },
});
const transaction = (...TransactItems: Json[]) => ({ TransactItems });
const update = (partition: string) => ({ Update: increment(partition) });

/** Sends one request, and others once it has arrived. */
async function during(
  client: Awaited<ReturnType<typeof givenEngine>>,
  first: readonly [string, Json],
  others: readonly (readonly [string, Json])[],
): Promise<{ first: Reply; others: Reply[] }> {
  const before = client.arrivals();
  const running = client.call(...first);
  while (client.arrivals() === before) await new Promise(setImmediate);
  const answers = await Promise.all(others.map((other) => client.call(...other)));
  return { first: await running, others: answers };
}

const codes = ({ body }: Reply): string[] => (body.CancellationReasons as Json[]).map(({ Code }) => String(Code));

const numberOf = async (client: ProtocolClient, partition: string): Promise<number> => {
  const { body } = await client.call("GetItem", { TableName, Key: givenKey(partition), ConsistentRead: true });
  return Number(body.Item?.n?.N ?? 0);
};

describe("with the conflict model", () => {
  test("a transaction that meets another one is cancelled at once, with the reason where they meet", async () => {
    const client = await givenEngine({ conflictMilliseconds: longOccupation });
    const { first, others } = await during(
      client,
      ["TransactWriteItems", transaction(update("A"), check("B"))],
      [
        ["TransactWriteItems", transaction(update("C"), update("A"))],
        ["TransactWriteItems", transaction(check("B"), update("D"))],
        ["TransactWriteItems", transaction(check("A"))],
        ["TransactWriteItems", transaction(update("E"))],
      ],
    );
    expect(first.status).toBe(200);
    expect(others.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
    expect(others.slice(0, 3).map(errorName)).toEqual(Array(3).fill("TransactionCanceledException"));
    expect(others.slice(0, 3).map(codes)).toEqual([
      ["None", "TransactionConflict"],
      ["TransactionConflict", "None"],
      ["TransactionConflict"],
    ]);
    // The cancelled transactions wrote nothing.
    expect(await Promise.all(["A", "C", "D", "E"].map((one) => numberOf(client, one)))).toEqual([1, 0, 0, 1]);
  });

  test("a cancelled transaction occupies nothing", async () => {
    const client = await givenEngine({ conflictMilliseconds: longOccupation });
    const { others } = await during(
      client,
      ["TransactWriteItems", transaction(update("A"))],
      [["TransactWriteItems", transaction(update("A"), update("B"))]],
    );
    expect(others.map(errorName)).toEqual(["TransactionCanceledException"]);
    const { others: later } = await during(
      client,
      ["TransactWriteItems", transaction(update("A"))],
      [
        ["TransactWriteItems", transaction(update("A"), update("B"))],
        ["TransactWriteItems", transaction(update("B"))],
      ],
    );
    expect(later.map(({ status }) => status)).toEqual([400, 200]);
  });

  test("single writes are refused by a transaction, disturb one, and queue behind each other", async () => {
    const client = await givenEngine({ conflictMilliseconds: longOccupation });
    const { others } = await during(
      client,
      ["TransactWriteItems", transaction(update("A"))],
      [
        ["UpdateItem", increment("A")],
        ["BatchWriteItem", { RequestItems: { [TableName]: [{ PutRequest: { Item: givenKey("A") } }] } }],
      ],
    );
    expect(errorName(others[0] as Reply)).toBe("TransactionConflictException");
    expect(others[1]?.body.UnprocessedItems).toEqual({ [TableName]: [{ PutRequest: { Item: givenKey("A") } }] });
    const singles = await during(
      client,
      ["UpdateItem", increment("B")],
      [
        ["UpdateItem", increment("B")],
        ["UpdateItem", increment("B")],
        ["TransactWriteItems", transaction(update("B"))],
      ],
    );
    expect(singles.others.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(codes(singles.others[2] as Reply)).toEqual(["TransactionConflict"]);
    expect(await numberOf(client, "B")).toBe(3);
  });

  test("a transactional read is cancelled by a write, a plain one sees the item as it was", async () => {
    const client = await givenEngine({ conflictMilliseconds: longOccupation });
    const get = { TableName, Key: givenKey("A") };
    const { first, others } = await during(
      client,
      ["UpdateItem", increment("A")],
      [
        ["TransactGetItems", { TransactItems: [{ Get: { ...get, Key: givenKey("B") } }, { Get: get }] }],
        ["GetItem", { ...get, ConsistentRead: true }],
        ["Query", { TableName, KeyConditionExpression: "PK = :p", ExpressionAttributeValues: { ":p": { S: "A" } } }],
      ],
    );
    expect(first.status).toBe(200);
    expect(codes(others[0] as Reply)).toEqual(["None", "TransactionConflict"]);
    expect(others.slice(1).map(({ status, body }) => [status, body.Item, body.Count])).toEqual([
      [200, undefined, undefined],
      [200, undefined, 0],
    ]);
  });

  test("a repeated transaction, while the first is under way, gets an error", async () => {
    const client = await givenEngine({ conflictMilliseconds: longOccupation });
    const request = { ...transaction(update("A")), ClientRequestToken: "once" };
    const { first, others } = await during(client, ["TransactWriteItems", request], [["TransactWriteItems", request]]);
    expect(first.status).toBe(200);
    expect(others.map(errorName)).toEqual(["TransactionInProgressException"]);
    expect((await client.call("TransactWriteItems", request)).status).toBe(200);
    expect(await numberOf(client, "A")).toBe(1);
  });

  test("conditions are evaluated when a write is committed, not when it arrives", async () => {
    const client = await givenEngine({ conflictMilliseconds: 40 });
    const claim = { ...increment("A"), ConditionExpression: "attribute_not_exists(n)" };
    const { first, others } = await during(client, ["UpdateItem", claim], [["UpdateItem", claim]]);
    expect([first, ...others].map(({ status }) => status)).toEqual([200, 400]);
  });

  test("of a crowd on one item most are cancelled, and all others count", async () => {
    const client = await givenEngine({});
    const crowd = Array.from({ length: 60 }, () => client.call("TransactWriteItems", transaction(update("A"))));
    const answers = await Promise.all(crowd);
    const committed = answers.filter(({ status }) => status === 200).length;
    expect(committed).toBeGreaterThanOrEqual(1);
    expect(committed).toBeLessThan(60);
    expect(await numberOf(client, "A")).toBe(committed);
  });
});

describe("without it", () => {
  test("no transaction of the same crowd is cancelled, and no write is lost", async () => {
    const client = await givenEngine({ conflictMilliseconds: 0 });
    const crowd = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0
        ? client.call("UpdateItem", increment("A"))
        : client.call("TransactWriteItems", transaction(update("A"), check("B"))),
    );
    expect(new Set((await Promise.all(crowd)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await numberOf(client, "A")).toBe(60);
  });
});
