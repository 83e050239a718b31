/** A stage that uses a table which was restored to a point in time (`docs/runbook.md`, "The whole table"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { StageConfig } from "../../lib/stages.ts";
import { givenTemplates, ofType, type StageTemplate, textOf, theOnly } from "./stage-templates.ts";

const restoredTable = {
  tableName: "ClubEvents-staging-restored",
  streamArn:
    "arn:aws:dynamodb:ca-central-1:123456789012:table/ClubEvents-staging-restored/stream/2026-11-22T10:00:00.000",
};

async function given(): Promise<StageTemplate> {
  const { App } = await import("aws-cdk-lib");
  const { Template } = await import("aws-cdk-lib/assertions");
  const { ClubStack } = await import("../../lib/club-stack.ts");
  const { staging } = await import("../stages.ts");
  const { featureFlags } = await import("../../lib/feature-flags.ts");
  const stage: StageConfig = { ...staging, restoredTable };
  const stack = new ClubStack(new App({ context: featureFlags() }), "ClubEvents-staging", { stage });
  return Template.fromStack(stack).toJSON() as StageTemplate;
}

let template: StageTemplate;
let usual: StageTemplate;
beforeAll(async () => {
  template = await given();
  usual = (await givenTemplates()).staging;
});

const tableOf = (one: StageTemplate): string => ofType(one, "AWS::DynamoDB::Table")[0]?.[0] ?? "";
/** All that refers to the stack's own table: functions, policies, outputs. */
const usersOf = (one: StageTemplate): string[] =>
  Object.entries({ ...one.Resources, ...one.Outputs })
    .filter(([id, resource]) => id !== tableOf(one) && JSON.stringify(resource).includes(`"${tableOf(one)}"`))
    .map(([id]) => id);
const tableNames = (one: StageTemplate): unknown[] =>
  ofType(one, "AWS::Lambda::Function").flatMap(
    ([, { Properties }]) => Properties.Environment.Variables.TABLE_NAME ?? [],
  );

describe("a restored table", () => {
  test("is used by every function, and the stack's own by none", () => {
    expect(tableNames(template)).toEqual(tableNames(usual).map(() => restoredTable.tableName));
    expect(template.Outputs.TableName?.Value).toBe(restoredTable.tableName);
    expect(usersOf(template)).toEqual([]);
    expect(usersOf(usual).length).toBeGreaterThan(20); // control
  });

  test("leaves the stack's own table as it is", () => {
    expect(theOnly(template, "AWS::DynamoDB::Table")).toEqual(theOnly(usual, "AWS::DynamoDB::Table"));
  });

  test("is the one whose stream the relay reads, with all four permissions", () => {
    const [stream] = ofType(template, "AWS::Lambda::EventSourceMapping").filter(([, { Properties }]) =>
      textOf(Properties.EventSourceArn).includes(":dynamodb:"),
    );
    expect(stream?.[1].Properties.EventSourceArn).toBe(restoredTable.streamArn);
    const rights = ofType(template, "AWS::IAM::Policy")
      .filter(([id]) => id.startsWith("RelayRole"))
      .flatMap(
        ([, { Properties }]) =>
          Properties.PolicyDocument.Statement as { Action: string | string[]; Resource: unknown }[],
      )
      .filter(({ Action }) => JSON.stringify(Action).includes("dynamodb:"))
      .map(({ Action, Resource }) => [[Action].flat().length, textOf(Resource)]);
    expect(rights).toEqual([
      [3, restoredTable.streamArn],
      [1, expect.stringMatching(/:table\/ClubEvents-staging-restored\/stream\/\*$/)],
    ]);
  });

  test("gives each function the rights on tables and indexes that it had", () => {
    const rightsIn = (one: StageTemplate, name: string): string[] =>
      ofType(one, "AWS::IAM::Policy").flatMap(([id, { Properties }]) =>
        (Properties.PolicyDocument.Statement as { Action: string | string[]; Resource: unknown }[])
          .filter(({ Action }) =>
            /dynamodb:(?!DescribeStream|GetRecords|GetShard|ListStreams)/.test(textOf([Action].flat()[0])),
          )
          .map(({ Action, Resource }) => {
            const resources = [Resource].flat().map((resource) => textOf(resource).split(name).at(-1));
            return `${id}: ${[Action].flat().sort().join()} ${resources.join()}`;
          }),
      );
    const own = `\${${tableOf(usual)}.Arn}`;
    const rights = rightsIn(template, restoredTable.tableName);
    expect(rights).toEqual(rightsIn(usual, own));
    expect(rights.length).toBeGreaterThan(20);
  });
});
