/*
 * npx tsx bin/bench-engine.ts [seconds]
 * Measures the requests per second of the local table engine: 100 clients over HTTP, with the conflict model and
 * without. The clients run in another process, so that the last column, the time per request, is the engine's alone.
 */
import { fork } from "node:child_process";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { startTableEngine } from "../tools/laptop/dynamodb/index.ts";

const clients = 100;
/** The first argument of the process that runs the clients. */
const asClients = "clients";
const TableName = "Club";
const keyOf = (partition: string) => ({ PK: { S: partition }, SK: { S: "META" } });
const one = { ":one": { N: "1" } };

/** A transaction like a registration's: a counter with a condition, a new item, an outbox row, and a check. */
const transaction = (counter: string, own: string, condition = "seats < #capacity AND gate = :gate") => ({
  TransactItems: [
    {
      Update: {
        TableName,
        Key: keyOf(counter),
        UpdateExpression: "SET seats = seats + :one, registered = registered + :one",
        ConditionExpression: condition,
        ExpressionAttributeNames: { "#capacity": "capacity" },
        ExpressionAttributeValues: { ...one, ":gate": { S: "direct" } },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    },
    {
      Put: {
        TableName,
        Item: { ...keyOf(own), GSI1PK: { S: counter }, GSI1SK: { S: own }, status: { S: "registered" } },
        ConditionExpression: "attribute_not_exists(PK)",
      },
    },
    { Put: { TableName, Item: { ...keyOf(`OUT#${own}`), type: { S: "registered" }, person: { S: own } } } },
    { ConditionCheck: { TableName, Key: keyOf(`${counter}#EVENT`), ConditionExpression: "attribute_exists(PK)" } },
  ],
});

const ownOf = (client: number, n: number) => `${process.pid}-${client}-${n}`;

type Load = (client: number, n: number) => readonly [operation: string, body: object];

const loads: Readonly<Record<string, Load>> = {
  "reads of one item": () => ["GetItem", { TableName, Key: keyOf("SEATS"), ConsistentRead: true }],
  "transactions apart": (client, n) => ["TransactWriteItems", transaction(`SEATS${client}`, ownOf(client, n))],
  "transactions on one item": (client, n) => ["TransactWriteItems", transaction("SEATS", ownOf(client, n))],
  "refused transactions": (client, n) => [
    "TransactWriteItems",
    transaction(`SEATS${client}`, ownOf(client, n), "seats > #capacity AND gate = :gate"),
  ],
};

interface Result {
  readonly answered: number;
  readonly committed: number;
}

/** Sends the load, in the process of the clients. @throws Error when the engine answers a 5xx */
async function press(url: string, load: Load, milliseconds: number): Promise<Result> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const send = (operation: string, body: object) =>
    new Promise<number>((resolve, reject) => {
      const headers = { "x-amz-target": `DynamoDB_20120810.${operation}` };
      request({ hostname, port, method: "POST", agent, headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      })
        .on("error", reject)
        .end(JSON.stringify(body));
    });
  const end = performance.now() + milliseconds;
  let answered = 0;
  let committed = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let n = 0; performance.now() < end; n++) {
        const status = await send(...load(client, n));
        if (status >= 500) throw new Error(`the engine answered ${status}`);
        answered += 1;
        if (status === 200) committed += 1;
      }
    }),
  );
  agent.destroy();
  return { answered, committed };
}

function pressed(url: string, name: string, milliseconds: number): Promise<Result> {
  const child = fork(fileURLToPath(import.meta.url), [asClients, url, name, `${milliseconds}`]);
  return new Promise((resolve, reject) => {
    child.once("message", (result) => resolve(result as Result));
    child.once("exit", (code) => reject(new Error(`the clients ended with ${code}`)));
  });
}

async function givenEngine(conflictMilliseconds: number) {
  const engine = await startTableEngine({ conflictMilliseconds });
  const key = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: "HASH" as const },
    { AttributeName: range, KeyType: "RANGE" as const },
  ];
  await engine.ensureTable({
    TableName,
    AttributeDefinitions: ["PK", "SK", "GSI1PK", "GSI1SK"].map((AttributeName) => ({
      AttributeName,
      AttributeType: "S",
    })),
    KeySchema: key("PK", "SK"),
    GlobalSecondaryIndexes: [
      { IndexName: "GSI1", KeySchema: key("GSI1PK", "GSI1SK"), Projection: { ProjectionType: "ALL" } },
    ],
    StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  const seats = { capacity: { N: "9e15" }, seats: { N: "0" }, registered: { N: "0" }, gate: { S: "direct" } };
  const counters = ["SEATS", ...Array.from({ length: clients }, (_, client) => `SEATS${client}`)];
  const items = counters.flatMap((counter) => [counter, `${counter}#EVENT`]);
  for (const partition of items) {
    await fetch(engine.url, {
      method: "POST",
      headers: { "x-amz-target": "DynamoDB_20120810.PutItem" },
      body: JSON.stringify({ TableName, Item: { ...keyOf(partition), ...seats } }),
    });
  }
  return engine;
}

async function measure(name: string, conflictMilliseconds: number, milliseconds: number): Promise<void> {
  const engine = await givenEngine(conflictMilliseconds);
  await pressed(engine.url, name, milliseconds / 4);
  const [busy, started] = [performance.eventLoopUtilization(), performance.now()];
  const { answered, committed } = await pressed(engine.url, name, milliseconds);
  const seconds = (performance.now() - started) / 1000;
  const { active } = performance.eventLoopUtilization(busy);
  console.log(
    [
      name.padEnd(26),
      `conflicts ${conflictMilliseconds} ms`,
      `${Math.round(answered / seconds)}/s answered`.padStart(18),
      `${Math.round(committed / seconds)}/s done`.padStart(13),
      `${((active / answered) * 1000).toFixed(0)} us of the engine's thread each`,
    ].join("  "),
  );
  await engine.close();
}

const [first, url = "", name = "", pressFor] = process.argv.slice(2);
if (first === asClients) {
  process.send?.(await press(url, loads[name] as Load, Number(pressFor)));
} else {
  const milliseconds = Number(first ?? 2) * 1000;
  for (const load of Object.keys(loads)) {
    for (const conflictMilliseconds of [0, 6]) await measure(load, conflictMilliseconds, milliseconds);
  }
}
