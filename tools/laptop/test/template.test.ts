import { describe, expect, test } from "@jest/globals";
import { Template, TemplateProblem } from "../template/index.ts";

const place = { region: "us-west-2", accountId: "000000000000", stackName: "ClubEvents-local" };

/** Resolves a value of the template, as a variable of a function. */
function resolved(value: unknown, more: object = {}): unknown {
  const variables = { Environment: { Variables: { VALUE: value } } };
  const template = new Template(
    {
      Parameters: { Version: { Type: "String", Default: "6" } },
      Resources: { Fn: { Type: "AWS::Lambda::Function", Properties: variables }, ...more },
    },
    place,
  );
  template.provide("Table", { ref: "club-table", attributes: { Arn: "arn:table", "Nested.Name": "deep" } });
  return template.theOnly("AWS::Lambda::Function").get("Environment")?.Variables?.VALUE;
}

describe("intrinsic functions", () => {
  test.each([
    ["text", "text"],
    [{ Ref: "Table" }, "club-table"],
    [{ Ref: "Version" }, "6"],
    [{ Ref: "AWS::Region" }, "us-west-2"],
    [{ Ref: "AWS::AccountId" }, "000000000000"],
    [{ Ref: "AWS::NoValue" }, undefined],
    [{ "Fn::GetAtt": ["Table", "Arn"] }, "arn:table"],
    [{ "Fn::GetAtt": ["Table", "Nested.Name"] }, "deep"],
    [{ "Fn::Join": ["/", ["a", { Ref: "Table" }, { "Fn::GetAtt": ["Table", "Arn"] }]] }, "a/club-table/arn:table"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's own placeholders
    [{ "Fn::Sub": "${AWS::Region}/${Table}/${Table.Arn}" }, "us-west-2/club-table/arn:table"],
    [{ deep: [{ list: { Ref: "Table" } }] }, { deep: [{ list: "club-table" }] }],
  ])("%j is %j", (value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });

  test("an unknown function is an error that names its place", () => {
    expect(() => resolved({ "Fn::ImportValue": "other" })).toThrow(
      new TemplateProblem(
        "Resources.Fn.Properties.Environment.Variables.VALUE: the local stage does not know Fn::ImportValue with these arguments.",
      ),
    );
  });

  test("a reference to a resource that the local stage does not have is an error with its type", () => {
    const queue = { Queue: { Type: "AWS::SQS::Queue" } };
    expect(() => resolved({ Ref: "Queue" }, queue)).toThrow(
      "Resources.Fn.Properties.Environment.Variables.VALUE: nothing local stands for Ref Queue (AWS::SQS::Queue).",
    );
    expect(() => resolved([{ "Fn::GetAtt": ["Queue", "Arn"] }], queue)).toThrow(
      "VALUE[0]: nothing local stands for Fn::GetAtt Queue.Arn (AWS::SQS::Queue).",
    );
  });
});
