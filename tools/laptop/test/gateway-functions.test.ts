import { afterEach, expect, test } from "@jest/globals";
import { patience } from "../../../test/patience.ts";
import { until } from "../../../test/unit/local-time.ts";
import type { FunctionProperties } from "../template/resources.ts";
import { givenGateway, type SmallGateway, type SmallGatewayOptions } from "./small-gateway.ts";

// Some functions here are stuck or too large on purpose.

let gateway: SmallGateway;
/** A gateway whose only route leads to the function `Own`. */
const given = async (
  code: string,
  properties: Partial<FunctionProperties> = {},
  more: Partial<SmallGatewayOptions> = {},
): Promise<void> => {
  gateway = await givenGateway({ functions: { Own: { code, properties } }, routes: { "GET /": "Own" }, ...more });
};
afterEach(() => gateway.close());

/** Status and body of the answer. */
const ask = async (query = ""): Promise<[number, unknown]> => {
  const answer = await gateway.fetch(`/?${query}`);
  return [answer.status, await answer.json()];
};
const failed = [500, { message: "Internal Server Error" }];
/** The lines of the log, which may come a moment later. */
const logged = async (count: number) => {
  await until(() => gateway.log.lines.length >= count);
  return gateway.log.lines.map(({ text }) => JSON.parse(text));
};

test("beyond the account's concurrency a call is throttled, and the gateway answers 500, as AWS does", async () => {
  const code = "export const handler = () => new Promise(() => undefined);";
  await given(code, {}, { concurrency: 10 });
  const full = Promise.all(Array.from({ length: 10 }, () => ask()));
  await until(() => gateway.functions.running() === 10);
  expect(await ask()).toEqual(failed);
  await gateway.functions.close();
  expect(await full).toEqual(Array(10).fill(failed));
});

test("a function sees its template's environment and Lambda's variables, and none of this machine", async () => {
  process.env.SECRET_OF_THE_HOST = "secret";
  const code = `export const handler = async (event, { functionName, memoryLimitInMB, getRemainingTimeInMillis }) =>
    ({ env: process.env, argv: process.execArgv, functionName, memoryLimitInMB, left: getRemainingTimeInMillis() });`;
  const Environment = { Variables: { TABLE_NAME: "table" } };
  await given(code, { Environment, Runtime: "nodejs24.x", MemorySize: 256, Timeout: 7 });
  // biome-ignore lint/suspicious/noExplicitAny: looked at field by field
  const [, seen] = (await ask()) as [number, any];
  delete process.env.SECRET_OF_THE_HOST;

  const { TABLE_NAME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_DYNAMODB, ...ofLambda } = seen.env;
  expect([TABLE_NAME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY]).toEqual(["table", "LOCALOwn", "local"]);
  expect(AWS_ENDPOINT_URL_DYNAMODB).toBe("http://127.0.0.1:1");
  expect(Object.keys(ofLambda).filter((name) => !/^(AWS_|LAMBDA_TASK_ROOT$|LANG$|TZ$|_HANDLER$)/.test(name))).toEqual(
    [],
  );
  expect(ofLambda).toMatchObject({
    AWS_REGION: "us-west-2",
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: "Small-Own",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
    TZ: ":UTC",
  });
  expect(seen).toMatchObject({ argv: [], functionName: "Small-Own", memoryLimitInMB: "256" });
  expect(seen.left).toBeGreaterThan(0);
  expect(seen.left).toBeLessThanOrEqual(7_000);
});

test("a function runs a hundred invocations at once, and the rest in order after them", async () => {
  await given(`let now = 0, most = 0, open; const order = [];
    const hundred = new Promise((done) => { open = done; });
    export const handler = async ({ number }) => {
      if (number === undefined) return { most, order };
      order.push(number); most = Math.max(most, ++now);
      if (now >= 100) open();
      await hundred; await new Promise((done) => setTimeout(done, 50));
      now -= 1; return {};
    };`);
  const numbers = Array.from({ length: 250 }, (_, number) => number);
  await Promise.all(numbers.map((number) => gateway.functions.invoke("Own", { number })));
  expect(await ask()).toEqual([200, { most: 100, order: numbers }]);
});

test("an invocation that takes too long fails alone", async () => {
  const code = `const started = Math.random(); export const handler = async ({ rawQueryString }) =>
    rawQueryString ? new Promise(() => undefined) : { started };`;
  await given(code, { Timeout: 1 });
  const first = await ask();
  expect(await ask("late")).toEqual(failed);
  expect(await ask()).toEqual(first);
  const metrics = { durationMs: 1_000, billedDurationMs: 1_000, memorySizeMB: 128 };
  const record = { requestId: expect.any(String), metrics, status: "timeout" };
  expect(await logged(1)).toEqual([{ time: expect.any(String), type: "platform.report", record }]);
});

test("a function that blocks for ever is stopped and started anew", async () => {
  const code = "export const handler = async ({ rawQueryString }) => { while (rawQueryString) {} return {}; };";
  await given(code, { Timeout: 1 });
  expect(await ask("stuck")).toEqual(failed);
  const deadline = Date.now() + patience;
  let status = 0;
  while (status !== 200 && Date.now() < deadline) [status] = await ask();
  expect(status).toBe(200);
});

test.each([
  ["ends its process", "process.exit(3)"],
  ["throws where nobody catches", 'setTimeout(() => { throw new Error("loose"); }); await new Promise(() => {})'],
  ["rejects where nobody catches", 'Promise.reject(new Error("loose")); await new Promise(() => {})'],
])("a function that %s fails its invocations, and works again", async (_, crash) => {
  const code = `export const handler = async ({ rawQueryString }) => { if (rawQueryString === "crash") { ${crash} }
    if (rawQueryString) await new Promise(() => undefined); return {}; };`;
  await given(code, { Timeout: 25, MemorySize: 64 });
  expect(await ask()).toEqual([200, {}]);
  const beside = ask("beside");
  expect(await ask("crash")).toEqual(failed);
  expect(await beside).toEqual(failed);
  expect(await ask()).toEqual([200, {}]);
});

test("a function that does not load fails every request, and starts once it is repaired", async () => {
  await given('throw new Error("no TABLE_NAME");');
  const answers = await Promise.all(Array.from({ length: 150 }, () => ask()));
  expect(answers).toEqual(Array(150).fill(failed));
  expect(gateway.log.lines[0]?.text).toContain("no TABLE_NAME");
  await gateway.rewrite("Own", "export const handler = async () => ({});");
  expect(await ask()).toEqual([200, {}]);
});

test("the gateway does not wait longer than the integration allows", async () => {
  await given("export const handler = () => new Promise(() => undefined);", {}, { integrationTimeout: 200 });
  expect(await ask()).toEqual([503, { message: "Service Unavailable" }]);
});
