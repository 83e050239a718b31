/** The policies that docs/deploy.md gives to the credentials of a stage: they reach no secret and no table of another stage. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
}

/** The policies of the document, as a person writes them down for a stage. */
function policiesFor(stage: string): Statement[] {
  const text = readFileSync(new URL("../../../docs/deploy.md", import.meta.url), "utf8");
  return [...text.matchAll(/```json\n(.*?)```/gs)]
    .map(([, json = ""]) => JSON.parse(json.replaceAll("<stage>", stage)) as { Statement: Statement[] })
    .flatMap(({ Statement }) => Statement);
}

/** Whether a pattern of IAM covers a name: `*` is any text, `?` one character. */
const covers = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
  ).test(name);

/** Whether one of the statements allows the action on the resource. */
const allows = (statements: readonly Statement[], action: string, resource: string): boolean =>
  statements.some(
    ({ Action, Resource }) =>
      [Action].flat().some((pattern) => covers(pattern, action)) &&
      [Resource].flat().some((pattern) => covers(pattern, resource)),
  );

const secret = (stage: string, name: string) =>
  `arn:aws:secretsmanager:ca-central-1:123456789012:secret:club-events/${stage}/${name}-AbCd12`;
const reads = (statements: readonly Statement[], stage: string) =>
  ["payments", "chat-webhook", "google"].filter((name) =>
    allows(statements, "secretsmanager:GetSecretValue", secret(stage, name)),
  );

describe.each([
  ["staging", "production"],
  ["production", "staging"],
])("the credentials of %s", (own, other) => {
  const statements = policiesFor(own);

  test(`read no secret of ${other}`, () => {
    expect(reads(statements, own)).toEqual(["payments", "chat-webhook", "google"]); // control
    expect(reads(statements, other)).toEqual([]);
  });

  test("take on no role that may read the tables of all stages", () => {
    const role = (name: string) => `arn:aws:iam::<account>:role/cdk-hnb659fds-${name}-<account>-<region>`;
    expect(allows(statements, "sts:AssumeRole", role("deploy-role"))).toBe(true); // control
    expect(allows(statements, "sts:AssumeRole", role("lookup-role"))).toBe(false);
    expect(allows(statements, "dynamodb:GetItem", "arn:aws:dynamodb:ca-central-1:123456789012:table/Any")).toBe(false);
  });
});

test("control: the prefix of all stages would be noticed", () => {
  const everything = [
    { Effect: "Allow", Action: "secretsmanager:GetSecretValue", Resource: "arn:*:secret:club-events/*" },
  ];
  expect(reads(everything, "production")).toHaveLength(3);
});
