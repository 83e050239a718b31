/** The application around the stacks: which stages it synthesizes, and what a first deploy is. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { type App, type AppProps, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import type { FunctionName } from "../../lib/entries.ts";
import { ClubFunction } from "../../lib/function.ts";
import { clubApp as appOf } from "../../lib/stack/club-app.ts";
import { production, stages } from "../stages.ts";
import { givenSynthesis, type StageTemplate, theOnly } from "./stage-templates.ts";

const clubApp = (props: AppProps = {}): App => appOf(props, stages);
const stacksOf = (app: App): Stack[] => app.node.children.filter((child) => Stack.isStack(child));

/** What the construct of a stack tells the command line of the CDK. */
const annotationsOf = (stack: Stack, type: "aws:cdk:error" | "aws:cdk:warning"): string[] =>
  stack.node.metadata.filter((entry) => entry.type === type).map(({ data }) => String(data));

describe("stages", () => {
  const shell = { ...process.env };
  afterEach(() => {
    process.env = { ...shell };
  });

  test("all that can be deployed, unless one is named; protected, bound to no account, without placeholders", () => {
    delete process.env.STAGE;
    const stacks = stacksOf(clubApp());
    expect(stacks.map(({ stackName }) => stackName)).toEqual(["ClubEvents-production", "ClubEvents-staging"]);
    for (const { environment, terminationProtection } of stacks) {
      expect([environment, terminationProtection]).toEqual(["aws://unknown-account/unknown-region", true]);
    }
    const [production = [], staging = []] = stacks.map((stack) => annotationsOf(stack, "aws:cdk:error"));
    expect(production).toEqual([expect.stringMatching(/placeholders for production;.*\n {2}allowedOrigins: /s)]);
    expect(staging).toEqual([expect.stringContaining('mailSender: "events@staging.club.example"')]);
  });

  test("the ones that the command line names, before the one that the shell names", () => {
    process.env.STAGE = "local";
    const [local] = stacksOf(clubApp());
    expect([local?.stackName, local?.terminationProtection]).toEqual(["ClubEvents-local", false]);
    const named = stacksOf(clubApp({ context: { stage: "local,staging", placeholders: "ok" } }));
    expect(named.map(({ stackName }) => stackName)).toEqual(["ClubEvents-local", "ClubEvents-staging"]);
    expect(named.flatMap((stack) => annotationsOf(stack, "aws:cdk:error"))).toEqual([]);
  });

  test.each(["bogus", "toString", "Local"])("%s is none", (stage) => {
    expect(() => clubApp({ context: { stage } })).toThrow(`There is no stage "${stage}"`);
  });
});

describe("a first deploy", () => {
  const unprotected = (stack: Stack) =>
    annotationsOf(stack, "aws:cdk:warning").filter((text) => text.includes("deploy once more")).length;
  const protectionIn = (template: StageTemplate) => [
    theOnly(template, "AWS::DynamoDB::Table").Properties.DeletionProtectionEnabled,
    theOnly(template, "AWS::Cognito::UserPool").Properties.DeletionProtection,
  ];

  test("has no protection against deletion, so that it can be rolled back, and says so; every other one has", async () => {
    const [first] = stacksOf(clubApp({ context: { stage: "production", firstDeploy: "true" } })) as [Stack];
    expect([first.terminationProtection, unprotected(first)]).toEqual([false, 1]);
    expect(protectionIn(Template.fromStack(first).toJSON() as StageTemplate)).toEqual([false, "INACTIVE"]);
    const { app, templates } = await givenSynthesis();
    expect(protectionIn(templates.production)).toEqual([true, "ACTIVE"]);
    expect(unprotected(app.node.findChild("ClubEvents-production") as Stack)).toBe(0);
  });

  test("that is rolled back leaves nothing that would be in the way of the next one", async () => {
    const { Resources } = (await givenSynthesis()).templates.production;
    const kept = Object.values(Resources).flatMap(({ Type, DeletionPolicy = "Delete" }) =>
      DeletionPolicy === "Delete" ? [] : [`${DeletionPolicy} ${Type}`],
    );
    expect([...new Set(kept)].sort()).toEqual(
      ["Cognito::UserPool", "DynamoDB::Table", "Logs::LogGroup", "S3::Bucket", "SecretsManager::Secret"].map(
        (type) => `RetainExceptOnCreate AWS::${type}`,
      ),
    );
  });
});

test("a bundle that was not built is asked for", () => {
  const stack = new Stack();
  const props = { stage: production, bundle: "nothing" as FunctionName, description: "" };
  expect(() => new ClubFunction(stack, "Missing", props)).toThrow('run "npm run build" first');
});
