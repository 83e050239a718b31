/** The rules by which the laptop judges what a function may do. */
import { describe, expect, test } from "@jest/globals";
import { accessesOf } from "../dynamodb/access.ts";
import { nameRoles, permissionsOf } from "../iam/index.ts";
import { denialOf, statementProblem } from "../iam/policy.ts";
import { Template } from "../template/index.ts";
import type { PolicyStatement } from "../template/resources.ts";

const table = "arn:aws:dynamodb:us-west-2:000000000000:table/Club";
const allow = (Action: string | string[], Resource: string | string[], more: object = {}): PolicyStatement => ({
  Effect: "Allow",
  Action,
  Resource,
  ...more,
});
const deny = (Action: string, Resource: string): PolicyStatement => ({ Effect: "Deny", Action, Resource });
const read = { action: "dynamodb:GetItem", resource: table };

describe("a request", () => {
  test.each<[string, PolicyStatement[], "implicit" | "explicit" | undefined]>([
    ["without statements", [], "implicit"],
    ["with its own grant", [allow("dynamodb:GetItem", table)], undefined],
    ["in other upper and lower case", [allow("DynamoDB:getitem", table)], undefined],
    ["with another action", [allow("dynamodb:PutItem", table)], "implicit"],
    ["with a resource in other case", [allow("dynamodb:GetItem", table.toUpperCase())], "implicit"],
    ["with * in the resource", [allow("dynamodb:GetItem", "arn:aws:dynamodb:*:table/*")], undefined],
    ["with too many ?", [allow("dynamodb:GetItem", table.replace("Club", "?????"))], "implicit"],
    ["with a dot that is no wildcard", [allow("dynamodb.GetItem", table)], "implicit"],
    ["that is allowed and denied", [allow("dynamodb:*", "*"), deny("dynamodb:GetItem", table)], "explicit"],
    ["that is denied elsewhere", [allow("*", "*"), deny("dynamodb:GetItem", `${table}2`)], undefined],
  ])("%s", (_, statements, denial) => {
    expect(denialOf(statements, read)).toBe(denial);
    expect(denialOf([...statements].reverse(), read)).toBe(denial);
  });

  test.each([
    ["one of the values", { StringEquals: { "ses:FromAddress": ["x", "a@b.c"] } }, true],
    ["a key without a value", { StringEquals: { "ses:Recipients": "a@b.c" } }, false],
    ["a pattern", { StringLike: { "ses:FromAddress": "*@b.?" } }, true],
    ["a pattern where patterns do not count", { StringEquals: { "ses:FromAddress": "*@b.c" } }, false],
    ["two keys, one of them wrong", { StringEquals: { "ses:FromAddress": "a@b.c", "ses:Other": "x" } }, false],
  ])("whose condition names %s", (_, Condition, isAllowed) => {
    const request = { action: "ses:Send", resource: "id", context: { "ses:FromAddress": "a@b.c" } };
    expect(denialOf([allow("ses:Send", "id", { Condition })], request)).toBe(isAllowed ? undefined : "implicit");
  });
});

test.each<[string | undefined, PolicyStatement]>([
  [undefined, { ...allow("a", "b"), Sid: "Named" } as PolicyStatement],
  ["the element NotAction", { NotAction: "a", Effect: "Allow", Resource: "b" } as never],
  ["the condition operator IpAddress", allow("a", "b", { Condition: { IpAddress: { "aws:SourceIp": "::1" } } })],
  [`policy variables`, allow("a", `b/\${aws:userid}`)],
])("what cannot be judged: %s", (problem, statement) => {
  expect(statementProblem(statement)).toBe(problem);
});

describe("a request to the table", () => {
  const resources = (operation: string, request: object, tables = ["Club"]) =>
    accessesOf({ operation, tables, request: request as never }).map(({ action, resource }) => `${action} ${resource}`);

  test.each<[string, object, string[]]>([
    ["GetItem", { TableName: "Club" }, ["dynamodb:GetItem table/Club"]],
    ["Query", { TableName: "Club" }, ["dynamodb:Query table/Club"]],
    ["Query", { TableName: "Club", IndexName: "GSI1" }, ["dynamodb:Query table/Club/index/GSI1"]],
    ["BatchGetItem", { RequestItems: { Club: {} } }, ["dynamodb:BatchGetItem table/Club"]],
    [
      "TransactWriteItems",
      {
        TransactItems: ["Put", "Update", "Delete", "ConditionCheck"].map((kind) => ({ [kind]: { TableName: "Club" } })),
      },
      ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"].map((name) => `dynamodb:${name} table/Club`),
    ],
    ["TransactWriteItems", { TransactItems: [null, 7, { Put: null }, { Shout: { TableName: "Club" } }] }, []],
  ])("%s %j", (operation, request, expected) => {
    expect(resources(operation, request)).toEqual(expected);
  });
});

describe("the roles of a template", () => {
  const place = { region: "us-west-2", accountId: "000000000000", stackName: "Club" };
  const document = (Statement: readonly object[]) => ({ PolicyDocument: { Statement } });
  const permissions = (role: object, policies: Record<string, object> = {}) => {
    const refused: string[] = [];
    const template = new Template(
      {
        Resources: {
          Fn: { Type: "AWS::Lambda::Function", Properties: { Role: { "Fn::GetAtt": ["Role", "Arn"] } } },
          Role: { Type: "AWS::IAM::Role", Properties: role },
          Stranger: { Type: "AWS::IAM::Role", Properties: document([]) },
          ...Object.fromEntries(
            Object.entries(policies).map(([id, Properties]) => [id, { Type: "AWS::IAM::Policy", Properties }]),
          ),
        },
      },
      place,
    );
    nameRoles(template);
    const onRefused = (id: string, sentence: string) => refused.push(`${id}: ${sentence}`);
    return { refused, ...permissionsOf({ template, accessKeyPrefix: "LOCAL", onRefused }) };
  };

  test("have their own statements and those of the attached policies", () => {
    const { authorize, refused } = permissions(
      { Policies: [document([allow("a:One", "*")])] },
      {
        Mine: { Roles: [{ Ref: "Role" }], ...document([allow("a:Two", "*")]) },
        Other: { Roles: [{ Ref: "Stranger" }], ...document([allow("a:Three", "*")]) },
      },
    );
    expect(authorize("LOCALFn", "a:One", "r")).toBeUndefined();
    expect(authorize("LOCALFn", "a:Two", "r")).toBeUndefined();
    const sentence =
      "User: arn:aws:sts::000000000000:assumed-role/Club-Role/Club-Fn is not authorized to perform: a:Three " +
      "on resource: r because no identity-based policy allows the a:Three action";
    expect(authorize("LOCALFn", "a:Three", "r")).toBe(sentence);
    expect(refused).toEqual([`Fn: ${sentence}`]);
  });

  test("do not bind people, whose keys belong to no function", () => {
    const { authorize, refused } = permissions({});
    expect(authorize("LOCALTest", "a:One", "r")).toBeUndefined();
    expect(authorize("AKIA", "a:One", "r")).toBeUndefined();
    expect(authorize("LOCALFn", "a:One", "r")).toBeDefined();
    expect(refused).toHaveLength(1);
  });

  test("stop the start when they cannot be judged", () => {
    const { authorize } = permissions({ ManagedPolicyArns: ["arn:aws:iam::aws:policy/AdministratorAccess"] });
    expect(() => authorize("LOCALFn", "a:One", "r")).toThrow("Role: the local stage does not know AWS's managed");
    const other = permissions({ Policies: [document([{ Effect: "Allow", NotAction: "a", Resource: "*" }])] });
    expect(() => other.authorize("LOCALFn", "a:One", "r")).toThrow("Role: the local stage cannot evaluate the element");
  });
});
