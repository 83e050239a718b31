/** The application around the stacks: which stages it synthesizes, and that nothing invalid leaves it. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { type App, type AppProps, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import { clubApp as appOf } from "../../lib/club-app.ts";
import type { FunctionName } from "../../lib/entries.ts";
import { ClubFunction } from "../../lib/function.ts";
import { production, stages } from "../stages.ts";
import type { StageTemplate } from "./stage-templates.ts";

const clubApp = (props: AppProps = {}): App => appOf(props, stages);
const stacksOf = (app: App): Stack[] => app.node.children.filter((child) => Stack.isStack(child));
const names = (app: App): string[] => stacksOf(app).map(({ stackName }) => stackName);

/** What the construct of a stack tells the command line of the CDK. */
const annotationsOf = (stack: Stack, type: "aws:cdk:error" | "aws:cdk:warning"): string[] =>
  stack.node.metadata.filter((entry) => entry.type === type).map(({ data }) => String(data));

describe("stages", () => {
  const shell = { ...process.env };
  afterEach(() => {
    process.env = { ...shell };
  });

  test("all that can be deployed, unless one is named", () => {
    delete process.env.STAGE;
    expect(names(clubApp())).toEqual(["ClubEvents-production", "ClubEvents-staging"]);
  });

  test("the one that the command line names, before the one that the shell names", () => {
    process.env.STAGE = "staging";
    expect(names(clubApp())).toEqual(["ClubEvents-staging"]);
    expect(names(clubApp({ context: { stage: "local" } }))).toEqual(["ClubEvents-local"]);
    expect(names(clubApp({ context: { stage: "local,staging" } }))).toEqual(["ClubEvents-local", "ClubEvents-staging"]);
  });

  test.each(["bogus", "toString", "Local", "staging,"])("%s is none", (stage) => {
    expect(() => clubApp({ context: { stage } })).toThrow(`There is no stage "${stage.split(",").at(-1)}"`);
  });

  test("belong to no account or region, and deployed ones are not deleted by mistake", () => {
    for (const stack of stacksOf(clubApp({ context: { stage: "" } }))) {
      expect(stack.environment).toBe("aws://unknown-account/unknown-region");
      expect(stack.terminationProtection).toBe(true);
    }
    expect(stacksOf(clubApp({ context: { stage: "local" } }))[0]?.terminationProtection).toBe(false);
  });
});

describe("a first deploy", () => {
  const protection = (context: object) => {
    const app = clubApp({ context: { stage: "production", ...context } });
    return stacksOf(app).map((stack) => {
      const template = Template.fromStack(stack);
      const isProtected = (type: string) =>
        Object.values(template.findResources(type))[0]?.Properties.DeletionProtection;
      return [
        stack.stackName,
        stack.terminationProtection,
        Object.values(template.findResources("AWS::DynamoDB::Table"))[0]?.Properties.DeletionProtectionEnabled,
        isProtected("AWS::Cognito::UserPool"),
        annotationsOf(stack, "aws:cdk:warning").filter((text) => text.includes("deploy once more")).length,
      ];
    });
  };

  test("has no protection against deletion, so that it can be rolled back, and says so", () => {
    expect(protection({ firstDeploy: "true" })).toEqual([["ClubEvents-production", false, false, "INACTIVE", 1]]);
  });

  test("control: every other deploy has all of it", () => {
    expect(protection({ firstDeploy: "false" })).toEqual([["ClubEvents-production", true, true, "ACTIVE", 0]]);
  });

  test("that is rolled back leaves nothing that would be in the way of the next one", () => {
    const app = clubApp({ context: { stage: "production" } });
    const { Resources } = Template.fromStack(stacksOf(app)[0] as Stack).toJSON() as StageTemplate;
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

describe("placeholders", () => {
  const errorsOf = (context: object) =>
    stacksOf(clubApp({ context })).map((stack) => annotationsOf(stack, "aws:cdk:error"));

  test("are refused in a stage for AWS, each by name", () => {
    const [production = [], staging = []] = errorsOf({});
    expect(production).toEqual([expect.stringMatching(/placeholders for production;.*\n {2}allowedOrigins: /s)]);
    expect(staging).toEqual([expect.stringContaining('mailSender: "events@staging.club.example"')]);
  });

  test.each([{ placeholders: "ok" }, { stage: "local" }])("pass with %j", (context) => {
    expect(errorsOf(context).flat()).toEqual([]);
  });
});

test("a template that CloudFormation would refuse is not synthesized", () => {
  const app = clubApp({ context: { stage: "local" } });
  new CfnTable(new Stack(app, "Invalid"), "Table", {
    billingMode: "PAY_PER_REQUEST",
    keySchema: [{ attributeName: "PK", keyType: "HASH" }],
    attributeDefinitions: [{ attributeName: "PK", attributeType: "S" }],
    globalSecondaryIndexes: [
      {
        indexName: "LB", // three characters at least
        keySchema: [{ attributeName: "PK", keyType: "HASH" }],
        projection: { projectionType: "ALL" },
      },
    ],
  });
  const { CDK_VALIDATION } = process.env;
  delete process.env.CDK_VALIDATION;
  try {
    expect(() => app.synth()).toThrow(/IndexName: length 2 is below minimum 3/);
  } finally {
    process.env.CDK_VALIDATION = CDK_VALIDATION;
  }
});

test("a bundle that was not built is asked for", () => {
  const stack = new Stack();
  const props = { stage: production, bundle: "nothing" as FunctionName, description: "" };
  expect(() => new ClubFunction(stack, "Missing", props)).toThrow('run "npm run build" first');
});
