/** What a rehearsal leaves out: only what MiniStack still lacks, and nothing that another resource needs. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { hasPython } from "../../python/environment.ts";
import { clientSettings } from "../account.ts";
import { type Emulator, startMiniStack } from "../emulator.ts";
import { lacking, withoutLacking } from "../lacking.ts";

const withPython = await hasPython();
if (!withPython) console.warn("SKIPPED: without Python 3.10 nobody asks MiniStack what it has learned.");

(withPython ? describe : describe.skip)("MiniStack", () => {
  let folder: string;
  let emulator: Emulator;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lacking-"));
    emulator = await startMiniStack(folder);
  });
  afterAll(async () => {
    await emulator?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** How a stack with one resource ends: its status and all reasons, or the refusal of the template. */
  async function endOf(StackName: string, TemplateBody: string): Promise<string> {
    const stacks = new CloudFormationClient(clientSettings(emulator));
    try {
      await stacks.send(new CreateStackCommand({ StackName, TemplateBody }));
    } catch (error) {
      return (error as Error).message;
    }
    for (;;) {
      const { Stacks: [stack] = [] } = await stacks.send(new DescribeStacksCommand({ StackName }));
      if (stack?.StackStatus?.endsWith("_IN_PROGRESS")) {
        await pause(100);
        continue;
      }
      const { StackEvents = [] } = await stacks.send(new DescribeStackEventsCommand({ StackName }));
      return [stack?.StackStatus, ...StackEvents.map(({ ResourceStatusReason = "" }) => ResourceStatusReason)].join(
        " ",
      );
    }
  }

  test.each(lacking)("still lacks $kind; if not, its row in tools/rehearse/lacking.ts goes", async (row) => {
    const name = `Lacking${lacking.indexOf(row)}`;
    expect(row.has(row.example)).toBe(true);
    const end = await endOf(name, JSON.stringify({ Resources: { One: row.example } }));
    expect(end).toContain(row.why);
  });

  test("creates a resource that it does not lack", async () => {
    const end = await endOf("Known", JSON.stringify({ Resources: { One: { Type: "AWS::SNS::Topic" } } }));
    expect(end).toMatch(/^CREATE_COMPLETE/);
  });
});

const budget = { Type: "AWS::Budgets::Budget" };

test("what is left out is counted", () => {
  const topic = { Type: "AWS::SNS::Topic" };
  const { template, leftOut } = withoutLacking({ Resources: { One: budget, Two: budget, Three: topic } });
  expect(template.Resources).toEqual({ Three: topic });
  expect([...leftOut]).toEqual([["AWS::Budgets::Budget", 2]]);
});

test.each([{ Ref: "One" }, { "Fn::Sub": `\${One}` }])(
  "nothing is left out that another resource needs: %j",
  (value) => {
    const topic = { Type: "AWS::SNS::Topic", Properties: { DisplayName: value } };
    expect(() => withoutLacking({ Resources: { One: budget, Two: topic } })).toThrow("refer to One");
  },
);
