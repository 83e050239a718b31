/** The log line of a message that failed says why, and where in this repository. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import "./environment.ts";

const refusal = {
  __type: "com.amazon.coral.validate#ValidationException",
  message: "One or more parameter values are not valid: Value 'ada' at \"key\" of ada@unit.example is empty",
};
const server = createServer((_request, response) => {
  response.writeHead(400, { "content-type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify(refusal));
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.AWS_REGION = "us-west-2";
});
afterAll(() => void server.close());

test("a consumer's line about a failed call to AWS has its message, without values, and our own frames first", async () => {
  const { consumer } = await import("#consumers/consumer.ts");
  const { readPrize } = await import("#domain/prizes/store.ts");
  const { log } = await import("#kit/log.ts");
  const error = jest.spyOn(log, "error").mockImplementation(() => undefined);
  const handler = consumer(
    () => ({ id: "m", type: "t", requestId: "r" }),
    async () => void (await readPrize("hat")),
  );
  const record = { messageId: "1", body: "{}", attributes: {} };
  await handler({ Records: [record] } as never);
  const [message, { trace }] = error.mock.calls[0] as unknown as [string, { trace: { places: string[] } }];
  expect(message).toBe("message failed");
  expect(trace).toMatchObject({
    name: "ValidationException",
    message: "One or more parameter values are not valid: … at … of … is empty",
  });
  expect(trace.places[0]).toMatch(/lambda\/kit\/table\/table\.ts/);
  expect(trace.places.at(-1)).toMatch(/consumer-log\.test\.ts|lambda\/consumers\/consumer\.ts/);
});
