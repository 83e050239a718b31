/** Writes in a loop until it is killed, and prints the number of each transaction once it is acknowledged. */
import { startTableEngine } from "../../dynamodb/index.ts";
import { protocolClient } from "./protocol-client.ts";
import { givenDefinition, givenKey } from "./table.ts";

const [directory, first] = process.argv.slice(2);
const engine = await startTableEngine({ directory, conflictMilliseconds: 0 });
await engine.ensureTable(givenDefinition());
const client = protocolClient(engine.url);
const TableName = "Club";

/** A counter, an item of its own that is listed in an index, and a note of both. */
const members = (number: number) => [
  {
    Update: {
      TableName,
      Key: givenKey("COUNTER"),
      UpdateExpression: "ADD n :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
    },
  },
  {
    Put: { TableName, Item: { ...givenKey("ITEM", `${number}`), GSI1PK: { S: "ITEMS" }, GSI1SK: { S: `${number}` } } },
  },
  { Put: { TableName, Item: givenKey("NOTE", `${number}`) } },
];

let next = Number(first);
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (;;) {
      next += 1;
      const number = next;
      const { status, body } = await client.call("TransactWriteItems", { TransactItems: members(number) });
      if (status !== 200) throw new Error(JSON.stringify(body));
      process.stdout.write(`${number}\n`);
    }
  }),
);
