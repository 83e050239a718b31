import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createRouter } from "../http-api/routing.ts";
import { givenGateway, type SmallGateway } from "./small-gateway.ts";

// biome-ignore lint/suspicious/noExplicitAny: an event is looked at field by field
type Event = any;

let gateway: SmallGateway;
beforeAll(async () => {
  gateway = await givenGateway({
    functions: {
      Echo: "export const handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });",
      Answer: "export const handler = async (event) => JSON.parse(event.body);",
    },
    routes: {
      "GET /events": "Echo",
      "POST /events": "Echo",
      "GET /events/getActiveEvent": "Echo",
      "GET /events/{eventId}/{year}": "Echo",
      "GET /profiles/user/{proxy+}": "Echo",
      "PATCH /profiles/user": "Echo",
      "GET /users/{email}": "Echo",
      "ANY /files/{proxy+}": "Echo",
      "POST /answer": "Answer",
    },
  });
});
afterAll(() => gateway.close());

const eventOf = async (path: string, init?: RequestInit): Promise<Event> => (await gateway.fetch(path, init)).json();

const answering = (result: unknown): Promise<Response> =>
  gateway.fetch("/answer", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(result),
  });

/** A GET whose path and headers are sent exactly as given. */
const rawGet = (path: string, headers: Record<string, string | string[]>): Promise<Event> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url);
    request({ host: "127.0.0.1", port, path, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve(JSON.parse(Buffer.concat(chunks).toString()));
    })
      .on("error", reject)
      .end();
  });

describe("the event of payload format 2.0", () => {
  test("has every field that AWS documents, and no other", async () => {
    const before = Date.now();
    const event = await eventOf("/events/gala/2026?a=1", { headers: { "user-agent": "test" } });

    expect(event).toEqual({
      version: "2.0",
      routeKey: "GET /events/{eventId}/{year}",
      rawPath: "/events/gala/2026",
      rawQueryString: "a=1",
      headers: expect.objectContaining({ "user-agent": "test", "x-forwarded-for": "127.0.0.1", "content-length": "0" }),
      queryStringParameters: { a: "1" },
      pathParameters: { eventId: "gala", year: "2026" },
      requestContext: {
        accountId: "000000000000",
        apiId: "clublocal0",
        domainName: "clublocal0.execute-api.us-west-2.amazonaws.com",
        domainPrefix: "clublocal0",
        http: {
          method: "GET",
          path: "/events/gala/2026",
          protocol: "HTTP/1.1",
          sourceIp: "127.0.0.1",
          userAgent: "test",
        },
        requestId: expect.stringMatching(/^[A-Za-z0-9]{15}=$/),
        routeKey: "GET /events/{eventId}/{year}",
        stage: "$default",
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
    expect(event.requestContext.timeEpoch).toBeGreaterThanOrEqual(before);
  });

  test("joins repeated headers and parameters with commas, and keeps cookies apart", async () => {
    const headers = { "X-Twice": ["a", "b"], Cookie: "one=1; two=2", "Content-Type": "text/plain" };
    const event = await rawGet("/events?tag=a&tag=b&plus=a+b&enc=%2B", headers);

    expect(event.headers["x-twice"]).toBe("a,b");
    expect(event.headers).not.toHaveProperty("cookie");
    expect(event.headers).not.toHaveProperty("connection");
    expect(event.cookies).toEqual(["one=1", "two=2"]);
    expect(event.queryStringParameters).toEqual({ tag: "a,b", plus: "a b", enc: "+" });
    expect(event.rawQueryString).toBe("tag=a&tag=b&plus=a+b&enc=%2B");
  });

  test.each([
    ["application/json", '{"a":"é"}', false],
    ["application/json; charset=utf-8", "{}", false],
    ["text/csv", "a,b", false],
    ["image/png", "\u0001", true],
    ["application/x-www-form-urlencoded", "a=b", true],
    [undefined, "{}", true],
  ])("a body of type %s is text or base64", async (type, body, encoded) => {
    const headers = new Headers(type ? { "content-type": type } : {});
    const init = { method: "POST", body: Buffer.from(body), headers };
    const event = await eventOf("/events", init);

    expect(event.isBase64Encoded).toBe(encoded);
    expect(Buffer.from(event.body, encoded ? "base64" : "utf8").toString()).toBe(body);
  });

  test("a body that comes in chunks has a length", async () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from('{"a":'));
        controller.enqueue(Buffer.from("1}"));
        controller.close();
      },
    });
    const init = { method: "POST", body, duplex: "half", headers: { "content-type": "application/json" } };
    const event = await eventOf("/events", init as RequestInit);

    expect(event.body).toBe('{"a":1}');
    expect(event.headers["content-length"]).toBe("7");
    expect(event.headers).not.toHaveProperty("transfer-encoding");
  });
});

describe("routes", () => {
  test("a fixed path beats a parameter", async () => {
    expect((await eventOf("/events/getActiveEvent")).routeKey).toBe("GET /events/getActiveEvent");
    expect((await eventOf("/events/getActiveEvent/2026")).routeKey).toBe("GET /events/{eventId}/{year}");
  });

  test("a slash at the end makes another path, and a parameter is never empty", async () => {
    expect((await gateway.fetch("/profiles/user/")).status).toBe(200);
    expect((await gateway.fetch("/profiles/user")).status).toBe(404);
    expect((await gateway.fetch("/profiles/user", { method: "PATCH" })).status).toBe(200);
    expect((await gateway.fetch("/users/")).status).toBe(404);
    expect((await gateway.fetch("/users")).status).toBe(404);
    expect((await gateway.fetch("/events//2026")).status).toBe(404);
  });

  test("parameters are decoded once, before routing", async () => {
    const parameters = async (path: string) => (await eventOf(path)).pathParameters;
    expect(await parameters("/users/a%2Bb%40student.example")).toEqual({ email: "a+b@student.example" });
    expect(await parameters("/users/a+b@student.example")).toEqual({ email: "a+b@student.example" });
    expect(await parameters("/users/50%2525")).toEqual({ email: "50%25" });
    expect(await parameters("/users/%7Bx%7D%3A%C3%A9")).toEqual({ email: "{x}:é" });
    expect((await eventOf("/users/a%20b")).rawPath).toBe("/users/a b");
    // An encoded slash separates segments like any other.
    expect((await gateway.fetch("/users/a%2Fb")).status).toBe(404);
    expect((await gateway.fetch(`/users/${"x".repeat(2_000)}`)).status).toBe(200);
  });

  test("a greedy parameter takes the rest of the path", async () => {
    const event = await eventOf("/files/a/b%20c.txt", { method: "PUT" });
    expect(event.routeKey).toBe("ANY /files/{proxy+}");
    expect(event.pathParameters).toEqual({ proxy: "a/b c.txt" });
  });

  test("a greedy parameter may be empty", async () => {
    const { routeKey, rawPath, pathParameters } = await eventOf("/profiles/user/");
    expect({ routeKey, rawPath, pathParameters }).toEqual({
      routeKey: "GET /profiles/user/{proxy+}",
      rawPath: "/profiles/user/",
      pathParameters: { proxy: "" },
    });
  });
});

test("where a greedy parameter is never empty, the next greedy route has the path", () => {
  const routes = ["GET /{proxy+}", "GET /users/{proxy+}", "GET /users/{email}"].map((RouteKey) => ({
    RouteKey,
    functionId: "Echo",
    timeout: 0,
  }));
  const find = createRouter(routes, { takesEmptyRest: false });
  const found = (path: string) => [find("GET", path)?.route.RouteKey, find("GET", path)?.params];
  expect(found("/users/")).toEqual(["GET /{proxy+}", { proxy: "users/" }]);
  expect(found("/users/a/")).toEqual(["GET /users/{proxy+}", { proxy: "a/" }]);
  expect(found("/users/a")).toEqual(["GET /users/{email}", { email: "a" }]);
  expect(find("GET", "/")).toBeUndefined();
});

describe("the function's result", () => {
  test("is a response where it has a status", async () => {
    const headers = { "X-Next-Cursor": "abc", "content-type": "application/json", "content-length": "999" };
    const response = await answering({ statusCode: 201, headers, cookies: ["a=1", "b=2"], body: "{}" });

    expect(response.status).toBe(201);
    expect(response.headers.get("x-next-cursor")).toBe("abc");
    expect(response.headers.get("content-length")).toBe("2");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe("{}");
  });

  test("may be base64", async () => {
    const response = await answering({
      statusCode: 200,
      body: Buffer.from([0, 255]).toString("base64"),
      isBase64Encoded: true,
    });
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255]);
    expect(response.headers.get("content-type")).toBe("text/plain;charset=utf-8");
  });

  test.each([
    [{ a: 1 }, '{"a":1}'],
    [[1, 2], "[1,2]"],
    ["hello", "hello"],
    [null, "null"],
  ])("is the body where it is %j", async (result, text) => {
    const response = await answering(result);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe(text);
  });

  test.each([
    { statusCode: "many", body: "" },
    { statusCode: 200, body: { a: 1 } },
    { statusCode: 200, headers: { "x-broken": "line\nbreak" } },
  ])("that is no valid response is a 500: %j", async (result) => {
    const response = await answering(result);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: "Internal Server Error" });
  });
});
