/** Where MiniStack is not as AWS: each row of the tables is still true, and nothing is left out that another resource needs. */
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
import { SESClient, SendRawEmailCommand, VerifyEmailIdentityCommand } from "@aws-sdk/client-ses";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { isInstalled } from "../../kit/python/environment.ts";
import { clientSettings } from "../account.ts";
import type { Template } from "../assembly.ts";
import type { Emulator } from "../emulator.ts";
import { forMiniStack, lacking } from "../lacking.ts";
import { startMiniStack } from "../ministack.ts";

const isAsked = await isInstalled("ministack");
if (!isAsked) {
  console.warn("SKIPPED: MiniStack is NOT asked what it has learned; `npm run upkeep -- python` installs it.");
}

(isAsked ? describe : describe.skip)("MiniStack", () => {
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

  /** The outputs of a stack. */
  async function outputsOf(StackName: string, template: object): Promise<Record<string, string>> {
    expect(await endOf(StackName, JSON.stringify(template))).toMatch(/^CREATE_COMPLETE/);
    const stacks = new CloudFormationClient(clientSettings(emulator));
    const { Stacks: [stack] = [] } = await stacks.send(new DescribeStacksCommand({ StackName }));
    return Object.fromEntries(stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]) ?? []);
  }

  /** How a stack with one resource ends: its status and all reasons, or the refusal of the template. */
  async function endOf(StackName: string, TemplateBody: string): Promise<string> {
    const stacks = new CloudFormationClient(clientSettings(emulator));
    try {
      await stacks.send(new CreateStackCommand({ StackName, TemplateBody, Capabilities: ["CAPABILITY_IAM"] }));
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

  test.each([
    ["is still no ARN", (template: Template) => template, expect.not.stringContaining("arn:")],
    ["is one in a rehearsal", (template: Template) => forMiniStack(template).template, expect.stringMatching(/^arn:/)],
  ])("the Ref of a secret %s", async (name, made, value) => {
    const template = {
      Resources: { One: { Type: "AWS::SecretsManager::Secret" } },
      Outputs: { One: { Value: { Ref: "One" } } },
    };
    expect(await outputsOf(name.replaceAll(" ", "-"), made(template))).toEqual({ One: value });
  });

  test.each([
    ["still refuses a mail by its sender", (template: Template) => template, /not authorized/],
    ["lets it go in a rehearsal", (template: Template) => forMiniStack(template).template, /^sent$/],
  ])("SES %s", async (name, made, end) => {
    const address = "events@club.example";
    const Statement = [
      {
        Effect: "Allow",
        Action: "ses:SendRawEmail",
        Resource: { "Fn::Sub": `arn:aws:ses:\${AWS::Region}:\${AWS::AccountId}:identity/*` },
        Condition: { StringEquals: { "ses:FromAddress": address } },
      },
    ];
    const Version = "2012-10-17";
    const Principal = { AWS: { "Fn::Sub": `arn:aws:iam::\${AWS::AccountId}:root` } };
    const trust = { Version, Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal }] };
    const Roles = [{ Ref: "Sender" }];
    const { RoleArn } = await outputsOf(name.replaceAll(" ", "-"), {
      ...made({
        Resources: {
          Sender: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: trust } },
          Rights: {
            Type: "AWS::IAM::Policy",
            Properties: { PolicyName: "rights", Roles, PolicyDocument: { Version, Statement } },
          },
        },
      }),
      Outputs: { RoleArn: { Value: { "Fn::GetAtt": ["Sender", "Arn"] } } },
    });
    const root = clientSettings(emulator);
    await new SESClient(root).send(new VerifyEmailIdentityCommand({ EmailAddress: address }));
    const mail = {
      Source: address,
      RawMessage: { Data: Buffer.from(`From: ${address}\r\nTo: ${address}\r\n\r\nHello.`) },
    };
    const assumed = await new STSClient(root).send(new AssumeRoleCommand({ RoleArn, RoleSessionName: "test" }));
    const { AccessKeyId = "", SecretAccessKey = "", SessionToken = "" } = assumed.Credentials ?? {};
    const keys = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    const sent = new SESClient({ ...root, credentials: keys }).send(new SendRawEmailCommand(mail));
    expect(
      await sent.then(
        () => "sent",
        (error: Error) => error.message,
      ),
    ).toMatch(end);
  });
});

test("nothing waits for the upload of pages, which is left out", () => {
  const upload = { Type: "Custom::CDKBucketDeployment" };
  const topic = { Type: "AWS::SNS::Topic", DependsOn: ["One", "Three"] };
  const { Resources } = forMiniStack({
    Resources: { One: upload, Two: topic, Three: { Type: "AWS::SNS::Topic" } },
  }).template;
  expect(Object.keys(Resources)).toEqual(["Two", "Three"]);
  expect(Resources.Two).toMatchObject({ DependsOn: ["Three"] });
});

const budget = { Type: "AWS::Budgets::Budget" };

test("what is left out is counted", () => {
  const topic = { Type: "AWS::SNS::Topic" };
  const { template, leftOut } = forMiniStack({ Resources: { One: budget, Two: budget, Three: topic } });
  expect(template.Resources).toEqual({ Three: topic });
  expect([...leftOut]).toEqual([["AWS::Budgets::Budget", 2]]);
});

test.each([{ Ref: "One" }, { "Fn::Sub": `\${One}` }])(
  "nothing is left out that another resource needs: %j",
  (value) => {
    const topic = { Type: "AWS::SNS::Topic", Properties: { DisplayName: value } };
    expect(() => forMiniStack({ Resources: { One: budget, Two: topic } })).toThrow("refer to One");
  },
);
