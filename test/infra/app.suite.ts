/** The application around the stacks: which stages it synthesizes, and that nothing invalid leaves it. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { type App, Stack } from "aws-cdk-lib";
import { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import type { FunctionName } from "../../lambda/entries.ts";
import { clubApp } from "../../lib/club-app.ts";
import { ClubFunction } from "../../lib/function.ts";
import { production } from "../../lib/stages.ts";

const stacksOf = (app: App): Stack[] => app.node.children.filter((child) => Stack.isStack(child));
const names = (app: App): string[] => stacksOf(app).map(({ stackName }) => stackName);

describe("stages", () => {
  const shell = { ...process.env };
  afterEach(() => {
    process.env = { ...shell };
  });

  test("all of them, unless one is named", () => {
    delete process.env.STAGE;
    expect(names(clubApp())).toEqual(["ClubEvents-production", "ClubEvents-staging", "ClubEvents-local"]);
  });

  test("the one that the command line names, before the one that the shell names", () => {
    process.env.STAGE = "staging";
    expect(names(clubApp())).toEqual(["ClubEvents-staging"]);
    expect(names(clubApp({ context: { stage: "local" } }))).toEqual(["ClubEvents-local"]);
  });

  test.each(["bogus", "toString", "Local"])("%s is none", (stage) => {
    expect(() => clubApp({ context: { stage } })).toThrow(`There is no stage "${stage}"`);
  });

  test("belong to no account or region, and deployed ones are not deleted by mistake", () => {
    for (const stack of stacksOf(clubApp({ context: { stage: "" } }))) {
      expect(stack.environment).toBe("aws://unknown-account/unknown-region");
      expect(stack.terminationProtection).toBe(stack.stackName !== "ClubEvents-local");
    }
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
  expect(() => app.synth()).toThrow(/IndexName: length 2 is below minimum 3/);
});

test("a bundle that was not built is asked for", () => {
  const stack = new Stack();
  const props = { stage: production, bundle: "nothing" as FunctionName, description: "" };
  expect(() => new ClubFunction(stack, "Missing", props)).toThrow('run "npm run build" first');
});
