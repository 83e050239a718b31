import { afterEach, expect, jest, test } from "@jest/globals";
import { createEventRules } from "../../lib/local/event-rules.ts";
import { Template } from "../../lib/local/template.ts";

const place = { region: "us-west-2", accountId: "000000000000", stackName: "ClubEvents-local" };
const pattern = { source: ["aws.s3"], "detail-type": ["Object Created"], detail: { reason: ["PutObject"] } };
const uploaded = { source: "aws.s3", "detail-type": "Object Created", detail: { reason: "PutObject" } };

const givenRules = (invoke: (functionId: string, event: unknown) => Promise<unknown>, more: object = {}) => {
  const Targets = [{ Id: "Target0", Arn: "arn:function", RetryPolicy: { MaximumRetryAttempts: 2 } }];
  const Properties = { EventPattern: pattern, State: "ENABLED", Targets, ...more };
  const template = new Template({ Resources: { Rule: { Type: "AWS::Events::Rule", Properties } } }, place);
  const idOf = (arn: string) => (arn === "arn:function" ? "CacheHeader" : undefined);
  return createEventRules({ template, functions: { invoke, idOf }, retryDelay: 1 });
};

afterEach(() => {
  jest.restoreAllMocks();
});

test("an event that matches calls the function", async () => {
  const invoke = jest.fn(async (_id: string, _event: unknown) => null);
  const rules = givenRules(invoke);
  rules.send(uploaded);
  await rules.settled();
  expect(invoke.mock.calls).toEqual([["CacheHeader", uploaded]]);
});

test.each([
  ["another reason", {}, { ...uploaded, detail: { reason: "CopyObject" } }],
  ["another source", {}, { ...uploaded, source: "club.events" }],
  ["a rule that is switched off", { State: "DISABLED" }, uploaded],
  ["a rule on another bus", { EventBusName: "club" }, uploaded],
])("%s calls nobody", async (_, properties, event) => {
  const invoke = jest.fn(async () => null);
  const rules = givenRules(invoke, properties);
  rules.send(event);
  await rules.settled();
  expect(invoke).not.toHaveBeenCalled();
});

test("a function that fails is called again, and not for ever", async () => {
  const complaint = jest.spyOn(console, "error").mockImplementation(() => undefined);
  const invoke = jest.fn(async () => {
    throw new Error("no bucket");
  });
  const rules = givenRules(invoke);
  rules.send(uploaded);
  await rules.settled();
  expect(invoke).toHaveBeenCalledTimes(3);
  expect(complaint).toHaveBeenCalledWith("CacheHeader failed at an event 3 times: no bucket");
});

test("a target that is no function does not start", () => {
  expect(() => givenRules(async () => null, { Targets: [{ Id: "x", Arn: "arn:queue" }] })).toThrow(
    "Rule: the local stage only calls functions, not arn:queue.",
  );
});
