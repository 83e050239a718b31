/** What the smoke run quotes from the logs of functions. */
import { expect, test } from "@jest/globals";
import { isErrorLine, isRefusal, toldBy } from "../step-kit/logs.ts";

const logged = (line: unknown, functionName = "Mail") => ({
  functionName,
  at: 1,
  text: typeof line === "string" ? line : JSON.stringify(line),
});
const denied = "User: a is not authorized to perform: dynamodb:Query on resource: b";

test.each<[string, unknown, string, boolean]>([
  [
    "the error of a request",
    { level: "ERROR", message: "request failed", error: { name: "AccessDeniedException", message: denied } },
    `AccessDeniedException: ${denied}.`,
    true,
  ],
  [
    "an event that the bus did not take",
    { message: "event not taken by the bus", code: "AccessDeniedException", refused: "events:PutEvents" },
    "event not taken by the bus: AccessDeniedException: IAM refused events:PutEvents.",
    true,
  ],
  ["an error thrown by a handler", { errorType: "Error", errorMessage: "It broke." }, "Error: It broke.", false],
  ["a timeout", { type: "platform.report", record: { status: "timeout" } }, "an invocation ran out of time.", false],
  ["a mail that is refused", { message: "mail refused", reason: "bad address" }, "mail refused: bad address.", false],
])("%s", (_name, line, sentence, isRefused) => {
  expect(toldBy([logged(line)])).toBe(`Mail logged: ${sentence}`);
  expect(isRefusal(logged(line))).toBe(isRefused);
});

test("of several errors of a function the last one is quoted, and a long one is cut", () => {
  const errors = [logged("first"), logged("x".repeat(1_000), "Relay"), logged("second")];
  expect(toldBy(errors, "Its function ")).toBe(
    `Its function Mail logged: second. Its function Relay logged: ${"x".repeat(400)}.`,
  );
});

test.each([
  ['{"level":"ERROR"}', true],
  ['{"level":"WARN"}', false],
  ['{"type":"platform.report","record":{"status":"timeout"}}', true],
  ["REPORT RequestId: 1 Duration: 1 ms", false],
])("%s is an error: %p", (line, expected) => {
  expect(isErrorLine(line)).toBe(expected);
});
