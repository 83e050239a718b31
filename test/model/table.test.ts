/** The model's table answers every call of the product as the local stage's engine does. */

import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Engine } from "../../tools/laptop/dynamodb/engine.ts";
import { RequestFailed } from "../../tools/laptop/dynamodb/protocol.ts";
import { draw } from "../seeds.ts";
import { chance, diceOf } from "./chance.ts";
import { InvalidExpression, type Item } from "./expression.ts";
import { openProduct, type Product, runOnce } from "./protocol.ts";
import { large, situations } from "./situations.ts";
import { MemoryTable } from "./table.ts";

type Data = Record<string, unknown>;

/** The comparable part of an answer: items without their order, and refused members. */
interface Answered {
  readonly items?: readonly Item[];
  readonly count?: unknown;
  readonly refused?: readonly (readonly [string, Item | undefined])[] | string;
}

const byKey = (a: Item, b: Item): number => (`${a.PK} ${a.SK}` < `${b.PK} ${b.SK}` ? -1 : 1);
const marshalled = (value: unknown): unknown =>
  value === undefined ? undefined : marshall(value, { removeUndefinedValues: true });
const withoutUndefined = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
const wire = (input: Data): Data =>
  withoutUndefined({
    ...input,
    Key: marshalled(input.Key),
    Item: marshalled(input.Item),
    ExclusiveStartKey: marshalled(input.ExclusiveStartKey),
    ExpressionAttributeValues: marshalled(input.ExpressionAttributeValues),
  });

/** The request as it is sent. Every read becomes strongly consistent. */
function requestOf(command: unknown): [string, Data] {
  const input = structuredClone((command as { input: Data }).input);
  if (command instanceof GetCommand) return ["GetItem", { ...wire(input), ConsistentRead: true }];
  if (command instanceof QueryCommand) return ["Query", wire(input)];
  if (command instanceof UpdateCommand) return ["UpdateItem", wire(input)];
  if (command instanceof BatchGetCommand) {
    const [[name, { Keys = [] }]] = Object.entries(command.input.RequestItems ?? {}) as [[string, { Keys?: Item[] }]];
    return [
      "BatchGetItem",
      { RequestItems: { [name]: { Keys: Keys.map((key) => marshall(key)), ConsistentRead: true } } },
    ];
  }
  const { TransactItems = [], ClientRequestToken } = input as TransactWriteCommandInput;
  const items = TransactItems.map((item) => {
    const [[kind, write]] = Object.entries(item) as unknown as [[string, Data]];
    return { [kind]: wire(write) };
  });
  return ["TransactWriteItems", withoutUndefined({ TransactItems: items, ClientRequestToken })];
}

function answered({ Item, Items, Count, Responses }: Data): Answered {
  const found = [...(Item ? [Item] : []), ...((Items ?? []) as Item[]), ...Object.values(Responses ?? {}).flat()];
  return { items: (found as Item[]).toSorted(byKey), count: Count };
}

function plain({ Item, Items, Responses, ...rest }: Data): Data {
  const read = (item: unknown) => unmarshall(item as Parameters<typeof unmarshall>[0]);
  const lists = Object.entries((Responses ?? {}) as Record<string, unknown[]>);
  return {
    ...rest,
    ...(Item !== undefined && { Item: read(Item) }),
    ...(Items !== undefined && { Items: (Items as unknown[]).map(read) }),
    Responses: Object.fromEntries(lists.map(([name, items]) => [name, items.map(read)])),
  };
}

function refusal(name: string, reasons: unknown): Answered {
  if (!reasons) return { refused: name };
  const all = reasons as { Code?: string; Item?: Parameters<typeof unmarshall>[0] }[];
  return { refused: all.map(({ Code = "None", Item }) => [Code, Item && unmarshall(Item)] as const) };
}

/** Records every call with the answer that a strongly consistent reader would get. */
class Recorder extends MemoryTable {
  readonly calls: { readonly request: [string, Data]; readonly answer: Answered }[] = [];

  override execute(command: unknown, age: () => number): object {
    const isRead = !(command instanceof UpdateCommand || command instanceof TransactWriteCommand);
    const request = requestOf(command);
    try {
      const answer = super.execute(command, () => 0);
      this.calls.push({ request, answer: answered(answer as Data) });
      return isRead ? super.execute(command, age) : answer;
    } catch (error) {
      const { name, CancellationReasons } = error as { name: string; CancellationReasons?: unknown };
      this.calls.push({ request, answer: refusal(name, CancellationReasons) });
      throw error;
    }
  }
}

const tableOf = () => ({
  TableName: "Model",
  AttributeDefinitions: ["PK", "SK", "queueKey"].map((AttributeName) => ({
    AttributeName,
    AttributeType: "S" as const,
  })),
  KeySchema: [
    { AttributeName: "PK", KeyType: "HASH" as const },
    { AttributeName: "SK", KeyType: "RANGE" as const },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: "REGISTRATIONS",
      KeySchema: [
        { AttributeName: "SK", KeyType: "HASH" as const },
        { AttributeName: "queueKey", KeyType: "RANGE" as const },
      ],
      Projection: { ProjectionType: "ALL" as const },
    },
  ],
});

async function replayed(engine: Engine, [operation, request]: [string, Data]): Promise<Answered> {
  try {
    const { body } = await engine.execute(operation, request);
    return answered(plain(body));
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    const { __type = "", CancellationReasons } = error.body as { __type?: string; CancellationReasons?: unknown };
    return refusal(__type.split("#")[1] ?? "", CancellationReasons);
  }
}

let product: Product;
const engines: Engine[] = [];

beforeAll(async () => {
  product = await openProduct();
});
afterAll(() => Promise.all(engines.map((engine) => engine.close())));

// A seeded item is no call, so the other engine does not have it.
const told = [...situations, ...large].filter(
  ({ name, noShows }) => noShows === undefined && /rush|workshops: a swap|again|unlimited/.test(name),
);

test.each(told.map((situation) => [situation.name, situation] as const))("%s", async (_name, situation) => {
  const drawn = draw(chance);
  const table = new Recorder();
  await runOnce(product, situation, {}, { order: drawn.order, dice: diceOf(drawn) }, table);
  const engine = await Engine.open({
    conflictMilliseconds: 0,
    region: "us-west-2",
    accountId: "000000000000",
    clock: Date.now,
  });
  engines.push(engine);
  await engine.ensureTable(tableOf());
  expect(table.calls.length).toBeGreaterThan(4);
  for (const { request, answer } of table.calls) {
    expect({ request, answer: await replayed(engine, request) }).toEqual({ request, answer });
  }
});

describe("what AWS refuses fails the run", () => {
  const put = (n: number, more: object = {}) => ({
    Put: { TableName: "Model", Item: { PK: "p", SK: `${n}`, ...more } },
  });
  const transaction = (members: number, more?: object) =>
    new TransactWriteCommand({ TransactItems: Array.from({ length: members }, (_, n) => put(n, more)) });
  const between = (low: string, high: string) =>
    new QueryCommand({
      TableName: "Model",
      KeyConditionExpression: "PK = :p AND SK BETWEEN :low AND :high",
      ExpressionAttributeValues: { ":p": "p", ":low": low, ":high": high },
    });
  const read = (SK: string) => new GetCommand({ TableName: "Model", Key: { PK: "a", SK } });
  const update = (more: string) =>
    new UpdateCommand({
      TableName: "Model",
      Key: { PK: "a", SK: "a" },
      UpdateExpression: "SET a = :a",
      ExpressionAttributeValues: { ":a": 1, [more]: 1 },
    });

  test.each<[string, unknown, unknown]>([
    ["a placeholder that is not used", update(":a"), update(":b")],
    ["members", transaction(100), transaction(101)],
    ["bytes of an item", transaction(1, { text: "x".repeat(400_000) }), transaction(1, { text: "x".repeat(410_000) })],
    ["bounds", between("a", "a"), between("b", "a")],
    ["a key of an index", transaction(1, { GSI1PK: "a" }), transaction(1, { GSI1PK: "" })],
    ["a key that is read", read("a"), read("")],
  ])("%s", (_, fine, tooMuch) => {
    const table = new MemoryTable();
    table.hasStrays = true;
    table.seed({ PK: "a", SK: "a", a: 1 });
    expect(() => table.execute(fine, () => 0)).not.toThrow();
    expect(() => new MemoryTable().execute(tooMuch, () => 0)).toThrow(InvalidExpression);
  });
});
