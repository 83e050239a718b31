/** A call to AWS that gets no answer ends, and says so. */
import { once } from "node:events";
import { Agent, createServer, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, test } from "@jest/globals";
import { callLimits } from "#kit/call-limits.ts";
import { neverConnected } from "#kit/unsent.ts";
import { sourcesIn } from "../../tools/upkeep/repository/imports.ts";

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A client of a server that answers like this. */
async function givenClient(answer: (response: ServerResponse) => void, requestHandler: object) {
  const server = createServer((_request, response) => answer(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const credentials = { accessKeyId: "K", secretAccessKey: "S" };
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ region: "us-west-2", endpoint, credentials, maxAttempts: 2, requestHandler });
  open.push(
    () => client.destroy(),
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return client;
}

const silent = () => undefined;
const stopping = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": "20" });
  response.write('{"Table');
};

test.each([
  ["never comes", silent],
  ["stops in its middle", stopping],
])("an answer that %s is a TimeoutError of the second try, and may have been sent", async (_, answer) => {
  const client = await givenClient(answer, callLimits(100));
  const error = await client.send(new ListTablesCommand()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "TimeoutError", $metadata: { attempts: 2 } });
  expect(neverConnected(error)).toBe(false);
});

/** Its connections are never made. */
class Nowhere extends Agent {
  override createConnection() {
    return Object.defineProperty(new Socket(), "connecting", { value: true }) as Socket;
  }
}

test("a connection that is not made in time is known for that: nothing was sent", async () => {
  const client = await givenClient(silent, { ...callLimits(5_000), connectionTimeout: 50, httpAgent: new Nowhere() });
  const error = await client.send(new ListTablesCommand()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "TimeoutError" });
  expect(neverConnected(error)).toBe(true);
});

test("every client of the functions has limits", () => {
  const made = Object.entries(sourcesIn("lambda")).flatMap(([path, text]) =>
    [...text.matchAll(/new (\w+(?:Client|Provider))\((?=[{)])/g)].map(({ 1: name, index = 0 }) => ({
      path,
      name,
      isLimited: text.slice(index, text.indexOf("\n}", index)).includes("callLimits("),
    })),
  );
  expect(made.length).toBeGreaterThan(4);
  expect(made.filter(({ isLimited }) => !isLimited)).toEqual([]);
});
