/** The client repeats a call up to three times by itself. Its last answer must not hide what the first try did. */
import "./environment.ts";
import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, expect, test } from "@jest/globals";

type Reply = readonly [status: number, type: string];
const tokens: string[] = [];
let replies: Reply[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  tokens.push(JSON.parse(Buffer.concat(chunks).toString()).ClientRequestToken);
  const [status, type] = replies.shift() ?? [200, ""];
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(status === 200 ? "{}" : JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` }));
});
server.listen(0);
await once(server, "listening");
const { port } = server.address() as { port: number };
process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
const { execute, write } = await import("#kit/table/execute.ts");
const { client } = await import("#kit/table/table.ts");
afterAll(() => {
  client.destroy();
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  server.close();
});

const members = { one: { Put: { TableName: "Unit", Item: { PK: "a", SK: "b" } } } };

async function committed(first: Reply[]): Promise<{ sent: number; tokens: number; reads: number }> {
  tokens.length = 0;
  replies = first;
  let reads = 0;
  const read = async () => {
    reads += 1;
  };
  await execute({ read, decide: () => write(members, "done") }, { deadline: performance.now() + 9_000 });
  return { sent: tokens.length, tokens: new Set(tokens).size, reads };
}

const broken: Reply = [500, "InternalServerError"];
const throttled: Reply = [400, "ThrottlingException"];

test("a 500 and then throttling leave the outcome unknown: the same transaction is sent again under its token", async () => {
  expect(await committed([broken, throttled, throttled])).toEqual({ sent: 4, tokens: 1, reads: 1 });
});

test("a conflict at the first try wrote nothing: the operation reads and decides again", async () => {
  expect(await committed([[400, "TransactionConflictException"]])).toEqual({ sent: 2, tokens: 2, reads: 2 });
});
