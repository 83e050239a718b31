import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { StageProperties } from "../template/resources.ts";
import { givenGateway, type SmallGateway } from "./small-gateway.ts";

const code = 'export const handler = async (event) => ({ statusCode: 200, body: String((event.body ?? "").length) });';

let gateway: SmallGateway;
beforeAll(async () => {
  gateway = await givenGateway({
    functions: { Fine: code },
    routes: { "GET /events": "Fine", "POST /events": "Fine", "GET /users/{email}": "Fine" },
    accessLogFormat: '{"route":"$context.routeKey","status":$context.status,"auth":"$context.authorizer.error"}',
  });
});
afterAll(() => gateway.close());

/** The gateway's whole answer to these bytes, until it ends the connection. */
const say = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("end", () => resolve(answer)).on("error", reject);
  });

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

test.each([
  ["no HTTP at all", "hello\r\n\r\n", 400],
  ["an unknown method", "FROBNICATE / HTTP/1.1\r\n\r\n", 400],
  ["a contradictory length", "POST /events HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
  ["headers over 10 KB", `GET /events HTTP/1.1\r\nX-Large: ${"x".repeat(11_000)}\r\n\r\n`, 431],
  ["an address over 10 KB", `GET /events?${"x".repeat(11_000)} HTTP/1.1\r\n\r\n`, 431],
])("%s is answered in JSON", async (_, text, status) => {
  const answer = await say(text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.toLowerCase()).toContain("content-type: application/json");
  expect(bodyOf(answer)).toEqual({ message: expect.any(String) });
});

test("an expectation, a missing host and a whole address are served like any request", async () => {
  const close = "Connection: close\r\n\r\n";
  expect(await say(`GET /events HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await say(`GET /events HTTP/1.1\r\nExpect: a-miracle\r\n${close}`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await say(`GET http://localhost:4000/events HTTP/1.1\r\n${close}`)).toMatch(/^HTTP\/1\.1 200 /);
});

test("a body over 10 MB, or over Lambda's limit, is too large, and the connection stays open", async () => {
  const headers = { "content-type": "text/plain" };
  for (const body of ["x".repeat(10 * 1024 * 1024 + 1), "x".repeat(7_000_000)]) {
    const tooLarge = await gateway.fetch("/events", { method: "POST", headers, body });
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.json()).toEqual({ message: "Request Entity Too Large" });
  }
  const large = await gateway.fetch("/events", { method: "POST", headers, body: "x".repeat(1_000_000) });
  expect(await large.text()).toBe("1000000");
});

test("more requests than the stage's throttle allows are turned away, and later ones served", async () => {
  const throttled = await givenGateway({
    functions: { Fine: code },
    routes: { "GET /": "Fine" },
    throttle: { ThrottlingBurstLimit: 5, ThrottlingRateLimit: 1 },
  });
  const responses = await Promise.all(Array.from({ length: 20 }, () => throttled.fetch("/")));
  const refused = responses.filter(({ status }) => status === 429);
  const deadline = Date.now() + 5_000;
  let status = 429;
  while (status === 429 && Date.now() < deadline) status = (await throttled.fetch("/")).status;
  await throttled.close();

  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  expect(refused.length).toBeGreaterThan(0);
  expect(await refused[0]?.json()).toEqual({ message: "Too Many Requests" });
  expect(status).toBe(200);
});

describe("a flood of a route", () => {
  const flooded = async (routeThrottle?: StageProperties["RouteSettings"]) => {
    const throttled = await givenGateway({
      functions: { Fine: code },
      routes: { "GET /": "Fine", "POST /webhook": "Fine", "GET /other": "Fine" },
      // One request in about three years refills the buckets, so no test depends on its speed.
      throttle: { ThrottlingBurstLimit: 10, ThrottlingRateLimit: 1e-8 },
      ...(routeThrottle && { routeThrottle }),
    });
    const flood = await Promise.all(
      Array.from({ length: 20 }, () => throttled.fetch("/webhook", { method: "POST" }).then(({ status }) => status)),
    );
    const others = await Promise.all(["/", "/other"].map((path) => throttled.fetch(path).then(({ status }) => status)));
    await throttled.close();
    return { taken: flood.filter((status) => status === 200).length, others };
  };

  test("with a limit of its own leaves the other routes open", async () => {
    const webhook = { ThrottlingBurstLimit: 4, ThrottlingRateLimit: 1e-8 };
    expect(await flooded({ "POST /webhook": webhook })).toEqual({ taken: 4, others: [200, 200] });
  });

  test("control: without one it closes them", async () => {
    expect(await flooded()).toEqual({ taken: 10, others: [429, 429] });
  });

  test("that does not exist is refused in AWS's words", async () => {
    await expect(flooded({ "GET /gone": { ThrottlingBurstLimit: 4 } })).rejects.toThrow(
      "Unable to find Route by key GET /gone within the provided RouteSettings",
    );
  });
});

test("the access log has a line for each request, in the template's format", async () => {
  const before = gateway.accessLog.length;
  await gateway.fetch("/users/somebody");
  await gateway.fetch("/nothing");
  expect(gateway.accessLog.slice(before).map((line) => JSON.parse(line))).toEqual([
    { route: "GET /users/{email}", status: 200, auth: "-" },
    { route: "-", status: 404, auth: "-" },
  ]);
});

const invalidPart =
  /refuses the route "(.*)": One or more path parts appear to be invalid\. Parts are validated against/;
test.each([
  ["a path that ends in a slash", "GET /events/", invalidPart],
  ["an empty part", "GET /events//year", invalidPart],
  ["a parameter that is a part of a part", "GET /e{id}", invalidPart],
  ["a sign that no part may have", "GET /events:all", invalidPart],
  ["an unknown method", "FETCH /events", /not formatted properly for HTTP protocol/],
  ["no method", "/events", /not formatted properly for HTTP protocol/],
  ["a greedy parameter inside", "GET /{proxy+}/events", /must be at the end/],
])("a template whose route key has %s does not start: %s", async (_, key, problem) => {
  await expect(givenGateway({ functions: { Fine: code }, routes: { [key]: "Fine" } })).rejects.toThrow(problem);
});
