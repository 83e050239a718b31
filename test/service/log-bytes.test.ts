/** What a refused request leaves in the logs, which cost by their bytes (docs/performance.md, "Costs"). */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec, user } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

/** Bytes of a refused request, with CloudWatch's 26 of each event. */
const most = 1_100;
const ofEvent = 26;

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage({ quiet: true, schedules: false });
});
afterAll(() => stage.close());

/** As long as they get: a uuid, the longest route, a sentence of the authorizer. */
const values: Readonly<Record<string, string>> = {
  requestId: "R".repeat(16),
  requestTime: "01/Jan/2030:00:00:00 +0000",
  "authorizer.claims.sub": "0".repeat(36),
  "authorizer.error": "E".repeat(60),
};

/** The line of the gateway. */
function accessLine(route: string): string {
  const template = JSON.parse(readFileSync(stage.outputs.templateFile, "utf8"));
  const [gateway] = Object.values<{ Type: string; Properties: { AccessLogSettings: { Format: string } } }>(
    template.Resources,
  ).filter(({ Type }) => Type === "AWS::ApiGatewayV2::Stage");
  const format = gateway?.Properties.AccessLogSettings.Format ?? "";
  return format.replaceAll(/\$context\.([A-Za-z.]+)/g, (_, name: string) =>
    name === "routeKey" ? route : (values[name] ?? "12345"),
  );
}

/** Lambda's own lines of an invocation: https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html */
const [time, requestId] = ["2030-01-01T00:00:00.000Z", "0".repeat(36)];
const metrics = {
  durationMs: 1234.567,
  billedDurationMs: 1235,
  memorySizeMB: 512,
  maxMemoryUsedMB: 123,
  initDurationMs: 1234.567,
};
const platform = [
  { time, type: "platform.start", record: { requestId, functionArn: "A".repeat(100), version: "$LATEST" } },
  { time, type: "platform.report", record: { requestId, metrics, status: "success" } },
].map((line) => JSON.stringify(line));

const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((all, line) => all + Buffer.byteLength(line) + ofEvent, 0);

const given = { id: "gala", year: 2030 };
test.each([
  ["without a token", 401, "GET /users/self", "/users/self", {}],
  ["of another person", 403, "PATCH /events/{eventId}/{year}", "/events/gala/2030", { as: user, body: {} }],
  ["about nothing", 404, "GET /events/{eventId}/{year}", "/events/none/2030", { as: user }],
  ["with a wrong body", 400, "POST /registrations", "/registrations", { as: user, body: { eventID: 7 } }],
  ["again", 409, "POST /events", "/events", { as: exec, body: { ...given, ename: "Gala", isPublished: true } }],
] as const)("a request %s, %d", async (_, status, route, path, call) => {
  if (status === 409) await stage.givenEvent({ id: "gala" });
  await stage.settled();
  const before = stage.logs.length;
  const answer = await stage.api(route.split(" ")[0] ?? "", path, { ...call, once: true });
  expect(answer.status).toBe(status);
  // The SDK warns of the Node of this machine, which is not the functions'; the relay's lines are of other work.
  const printed = stage.logs
    .slice(before)
    .filter(({ functionName, text }) => functionName !== "Relay" && !text.includes("NodeVersionSupportWarning"))
    .map(({ text }) => text);
  const bytes = bytesOf([...printed, ...(status === 401 ? [] : platform), accessLine(route)]);
  expect({ status, bytes: bytes <= most ? "within" : bytes }).toEqual({ status, bytes: "within" });
});

test("control: one line more with the trace of an error is too much", () => {
  const lines = [...platform, accessLine("PATCH /events/{eventId}/{year}")];
  const trace = JSON.stringify({
    level: "ERROR",
    message: "request refused",
    trace: Array(5).fill("at lambda/kit/request/api.ts:168:10"),
  });
  expect(bytesOf([...lines, trace])).toBeGreaterThan(most);
});
