import { afterEach, describe, expect, test } from "@jest/globals";
import { givenGateway, type SmallGateway, type SmallGatewayOptions } from "./small-gateway.ts";

// Some functions here are stuck or too large on purpose.

let gateway: SmallGateway;
const given = async (options: SmallGatewayOptions): Promise<void> => {
  gateway = await givenGateway(options);
};
afterEach(() => gateway.close());

/** Several requests at once; resolves to their statuses. */
const statuses = (count: number, path: string): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, async () => (await gateway.fetch(path)).status));

describe("the account's concurrency", () => {
  const slow = `let waiting = [];
    export const handler = async ({ rawPath }) => {
      if (rawPath === "/go") for (const go of waiting.splice(0)) go();
      else await new Promise((go) => waiting.push(go));
      return { statusCode: 200, body: "{}" };
    };`;
  const routes = { "GET /wait": "Slow", "GET /go": "Slow" };
  /** Eleven requests wait at the same time; the twelfth lets all of them go on. */
  async function answers(): Promise<number[]> {
    const waiting = statuses(11, "/wait");
    let isDone = false;
    void waiting.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await gateway.fetch("/go");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return (await waiting).sort();
  }

  test("throttles what has no room, and the gateway answers 500, as AWS does", async () => {
    await given({
      functions: { Slow: slow },
      routes,
      concurrency: 10,
      accessLogFormat: "$context.integrationErrorMessage",
    });
    const full = statuses(10, "/wait");
    while (gateway.functions.running() < 10) await new Promise(setImmediate);
    const late = await gateway.fetch("/wait");
    expect([late.status, await late.json()]).toEqual([500, { message: "Internal Server Error" }]);
    expect(gateway.accessLog).toEqual(["Rate Exceeded."]);
    await gateway.functions.close();
    expect(await full).toEqual(Array(10).fill(500));
  });

  test("control: without a limit all of them run", async () => {
    await given({ functions: { Slow: slow }, routes });
    expect(await answers()).toEqual(Array(11).fill(200));
  });
});

describe("a function", () => {
  test("sees its template's environment and Lambda's variables, and none of this machine", async () => {
    process.env.SECRET_OF_THE_HOST = "secret";
    await given({
      functions: {
        Env: {
          code: `export const handler = async (event, { functionName, memoryLimitInMB, getRemainingTimeInMillis }) =>
            ({ env: process.env, argv: process.execArgv, functionName, memoryLimitInMB, left: getRemainingTimeInMillis() });`,
          properties: {
            Environment: { Variables: { TABLE_NAME: "table", NODE_OPTIONS: "--enable-source-maps" } },
            Runtime: "nodejs24.x",
            MemorySize: 256,
            Timeout: 7,
          },
        },
      },
      routes: { "GET /env": "Env" },
    });
    // biome-ignore lint/suspicious/noExplicitAny: looked at field by field
    const seen = (await (await gateway.fetch("/env")).json()) as any;
    delete process.env.SECRET_OF_THE_HOST;

    expect(seen.env).toEqual({
      TABLE_NAME: "table",
      NODE_OPTIONS: "--enable-source-maps",
      AWS_ACCESS_KEY_ID: "LOCALEnv",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_REGION: "us-west-2",
      AWS_DEFAULT_REGION: "us-west-2",
      AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:1",
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
      AWS_LAMBDA_FUNCTION_NAME: "Small-Env",
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
      AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
      AWS_LAMBDA_LOG_FORMAT: "JSON",
      AWS_LAMBDA_LOG_GROUP_NAME: "/aws/lambda/Small-Env",
      AWS_LAMBDA_LOG_STREAM_NAME: "local/[$LATEST]",
      LAMBDA_TASK_ROOT: expect.stringContaining("Env"),
      LANG: "en_US.UTF-8",
      TZ: ":UTC",
      _HANDLER: "index.handler",
    });
    expect(seen).toMatchObject({ argv: [], functionName: "Small-Env", memoryLimitInMB: "256" });
    expect(seen.left).toBeGreaterThan(0);
    expect(seen.left).toBeLessThanOrEqual(7_000);
  });

  test("runs a hundred invocations at once, and the rest in order after them", async () => {
    await given({
      functions: {
        Count: `let now = 0, most = 0, open; const order = [];
          const hundred = new Promise((done) => { open = done; });
          export const handler = async ({ rawQueryString, routeKey }) => {
            if (routeKey === "GET /seen") return { most, order };
            order.push(Number(rawQueryString)); most = Math.max(most, ++now);
            if (now >= 100) open();
            await hundred; await new Promise((done) => setTimeout(done, 50));
            now -= 1; return {};
          };`,
      },
      routes: { "GET /": "Count", "GET /seen": "Count" },
    });
    const calls = Array.from({ length: 250 }, (_, index) =>
      gateway.functions.invoke("Count", { rawQueryString: index }),
    );
    await Promise.all(calls);

    const { most, order } = (await (await gateway.fetch("/seen")).json()) as { most: number; order: number[] };
    expect(most).toBe(100);
    expect(order).toEqual(Array.from({ length: 250 }, (_, index) => index));
  });

  test("answers six hundred requests that come at once", async () => {
    await given({ functions: { Quick: "export const handler = async () => ({});" }, routes: { "GET /": "Quick" } });
    expect(new Set(await statuses(600, "/"))).toEqual(new Set([200]));
  });

  test("that throws is a 500 without details, and logs the reason", async () => {
    await given({
      functions: { Throws: 'export const handler = async () => { throw new RangeError("inner secret"); };' },
      routes: { "GET /": "Throws" },
    });
    const response = await gateway.fetch("/");

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: "Internal Server Error" });
    const [line] = gateway.log.lines;
    expect(line?.functionName).toBe("Throws");
    expect(JSON.parse(line?.text ?? "")).toMatchObject({
      level: "ERROR",
      errorType: "RangeError",
      message: "inner secret",
      requestId: expect.any(String),
      stackTrace: expect.any(Array),
    });
  });

  test("that takes too long fails alone", async () => {
    await given({
      functions: {
        Slow: {
          code: `export const handler = async ({ rawQueryString }) =>
            rawQueryString ? new Promise((done) => setTimeout(done, 60_000)) : { started };
            const started = Math.random();`,
          properties: { Timeout: 1 },
        },
      },
      routes: { "GET /": "Slow" },
    });
    const first = await (await gateway.fetch("/")).json();
    const late = await gateway.fetch("/?late");
    const after = await (await gateway.fetch("/")).json();

    expect(late.status).toBe(500);
    expect(await late.json()).toEqual({ message: "Internal Server Error" });
    expect(after).toEqual(first);
    expect(gateway.log.lines.map(({ text }) => JSON.parse(text))).toEqual([
      {
        time: expect.any(String),
        type: "platform.report",
        record: {
          requestId: expect.any(String),
          metrics: { durationMs: 1_000, billedDurationMs: 1_000, memorySizeMB: 128 },
          status: "timeout",
        },
      },
    ]);
  });

  test("that blocks for ever is stopped and started anew", async () => {
    await given({
      functions: {
        Stuck: {
          code: "export const handler = async ({ rawQueryString }) => { while (rawQueryString) {} return {}; };",
          properties: { Timeout: 1 },
        },
      },
      routes: { "GET /": "Stuck" },
    });
    expect((await gateway.fetch("/?stuck")).status).toBe(500);
    const deadline = Date.now() + 8_000;
    let status = 0;
    while (status !== 200 && Date.now() < deadline) status = (await gateway.fetch("/")).status;
    expect(status).toBe(200);
  });

  test.each([
    ["ends its process", "process.exit(3)"],
    ["throws where nobody catches", 'setTimeout(() => { throw new Error("loose"); }); await new Promise(() => {})'],
    ["rejects where nobody catches", 'Promise.reject(new Error("loose")); await new Promise(() => {})'],
    ["uses more memory than it has", "const all = []; while (true) all.push(new Array(1e5).fill(Math.random()))"],
  ])("that %s fails its invocations, and works again", async (_, code) => {
    await given({
      functions: {
        Crash: {
          code: `export const handler = async ({ rawQueryString }) => { if (rawQueryString === "crash") { ${code} }
            if (rawQueryString) await new Promise((done) => setTimeout(done, 20_000)); return {}; };`,
          properties: { Timeout: 25, MemorySize: 64 },
        },
      },
      routes: { "GET /": "Crash" },
    });
    expect((await gateway.fetch("/")).status).toBe(200);
    const beside = gateway.fetch("/?beside");
    const crashed = await gateway.fetch("/?crash");

    expect(crashed.status).toBe(500);
    expect(await crashed.json()).toEqual({ message: "Internal Server Error" });
    expect((await beside).status).toBe(500);
    expect((await gateway.fetch("/")).status).toBe(200);
  });

  test("that does not load fails every request, and starts once it is repaired", async () => {
    await given({ functions: { Broken: 'throw new Error("no TABLE_NAME");' }, routes: { "GET /": "Broken" } });
    expect(await statuses(150, "/")).toEqual(new Array(150).fill(500));
    expect(gateway.log.lines[0]?.text).toContain("no TABLE_NAME");

    await gateway.rewrite("Broken", "export const handler = async () => ({});");
    expect((await gateway.fetch("/")).status).toBe(200);
  });

  test("is loaded again after a restart, while running invocations end", async () => {
    const slow = (version: number) =>
      `export const handler = async ({ rawQueryString }) => {
        console.log("started"); await new Promise((done) => setTimeout(done, rawQueryString ? 300 : 0));
        return { version: ${version} }; };`;
    await given({ functions: { Again: slow(1) }, routes: { "GET /": "Again" } });
    const running = gateway.fetch("/?slow");
    const deadline = Date.now() + 5_000;
    while (gateway.log.lines.length === 0 && Date.now() < deadline) await new Promise((done) => setTimeout(done, 5));

    await gateway.rewrite("Again", slow(2));
    expect(await (await gateway.fetch("/")).json()).toEqual({ version: 1 });
    gateway.functions.restart("Again");
    expect(await (await gateway.fetch("/")).json()).toEqual({ version: 2 });
    expect(await (await running).json()).toEqual({ version: 1 });
  });

  test("prints JSON lines that carry the request", async () => {
    await given({
      functions: { Print: 'export const handler = async () => { console.warn("careful", { a: 1 }); return {}; };' },
      routes: { "GET /": "Print" },
    });
    await gateway.fetch("/");
    const deadline = Date.now() + 5_000;
    while (gateway.log.lines.length === 0 && Date.now() < deadline) await new Promise((done) => setTimeout(done, 5));

    expect(JSON.parse(gateway.log.lines[0]?.text ?? "")).toEqual({
      timestamp: expect.any(String),
      level: "WARN",
      requestId: expect.any(String),
      message: "careful { a: 1 }",
    });
  });

  test("may not answer more than 6 MB", async () => {
    await given({
      functions: { Large: 'export const handler = async () => ({ statusCode: 200, body: "x".repeat(7e6) });' },
      routes: { "GET /": "Large" },
    });
    expect((await gateway.fetch("/")).status).toBe(500);
  });
});

test("the gateway does not wait longer than the integration allows", async () => {
  await given({
    functions: {
      Slow: {
        code: "export const handler = () => new Promise((done) => setTimeout(done, 5_000));",
        properties: { Timeout: 10 },
      },
    },
    routes: { "GET /": "Slow" },
    integrationTimeout: 200,
  });
  const response = await gateway.fetch("/");
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ message: "Service Unavailable" });
});
