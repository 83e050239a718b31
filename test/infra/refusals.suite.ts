/** What a deploy must not change: changes of the real template that AWS refuses or that unprotect data, and the allowed way. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { differences, losses } from "../../tools/delivery/losses.ts";
import { refusals } from "../../tools/delivery/refusals.ts";
import type { DeliveredTemplate } from "../../tools/delivery/rules/rule.ts";
import { broken, givenTemplates, type StageTemplate, type TemplateResource, theOnly } from "./stage-templates.ts";

/** The real template, reduced to what the rules read: comparing all of it takes seconds. */
let deployed: StageTemplate;
beforeAll(async () => {
  const { Resources } = (await givenTemplates()).production;
  const isRead = ([id, { Type, Properties }]: [string, TemplateResource]) =>
    /DynamoDB::Table|Cognito::UserPool$/.test(Type) ||
    (Type === "AWS::IAM::Policy" && JSON.stringify(Properties).includes("/index/")) ||
    /^RelayLogs|^Relay[0-9A-F]+$/.test(id);
  deployed = { Outputs: {}, Resources: Object.fromEntries(Object.entries(Resources).filter(isRead)) };
});

type Change = (template: StageTemplate) => void;

const ofTable =
  (change: (table: TemplateResource) => void): Change =>
  (template) =>
    change(theOnly(template, "AWS::DynamoDB::Table"));
const table = (properties: object) => ofTable(({ Properties }) => Object.assign(Properties, properties));
const pool =
  (properties: object): Change =>
  (template) =>
    Object.assign(theOnly(template, "AWS::Cognito::UserPool").Properties, properties);

interface Key {
  AttributeName: string;
}
interface Index {
  IndexName: string;
  readonly KeySchema: readonly Key[];
  readonly Projection: { readonly NonKeyAttributes: string[] };
}
const indexes = (change: (indexes: Index[]) => Index[]): Change =>
  ofTable(({ Properties }) => {
    Properties.GlobalSecondaryIndexes = change(Properties.GlobalSecondaryIndexes);
  });
const inIndex = (name: string, change: (index: Index) => void) =>
  indexes((all) => {
    change(all.find(({ IndexName }) => IndexName === name) as Index);
    return all;
  });
const without = (...names: string[]) => indexes((all) => all.filter(({ IndexName }) => !names.includes(IndexName)));
/** New indexes, with a new attribute as the key of each. */
const added = (...names: string[]): Change =>
  ofTable(({ Properties }) => {
    for (const IndexName of names) {
      Properties.AttributeDefinitions.push({ AttributeName: `${IndexName}PK`, AttributeType: "S" });
      const KeySchema = [{ AttributeName: `${IndexName}PK`, KeyType: "HASH" }];
      Properties.GlobalSecondaryIndexes.push({ IndexName, KeySchema, Projection: { ProjectionType: "ALL" } });
    }
  });
/** Functions that query another index in place of one. */
const query =
  (from: string, to: string): Change =>
  ({ Resources }) => {
    for (const [id, resource] of Object.entries(Resources)) {
      Resources[id] = JSON.parse(JSON.stringify(resource).replaceAll(`/index/${from}"`, `/index/${to}"`));
    }
  };
const code: Change = ({ Resources }) => {
  const [relay] = Object.values(Resources).filter(({ Type }) => Type === "AWS::Lambda::Function");
  relay!.Properties.Code.S3Key = "other.zip";
};
const all =
  (...changes: Change[]): Change =>
  (template) => {
    for (const change of changes) change(template);
  };

/** What is refused, as `name without the id: text`, where `…` stands for the policies; `!` for what cannot be accepted. */
function refused(change: Change, given: Change = () => undefined): string[] {
  const current = broken(deployed, given);
  const wanted = broken(current, change);
  const diff = differences(current, wanted);
  const lost = losses(current as DeliveredTemplate, diff).map(({ type, fate }) => `${type} ${fate}`);
  const found = refusals(current, wanted, diff).map(
    ({ name, text, acceptable }) => `${acceptable ? "" : "!"}${name.split(".")[1]}: ${text}`,
  );
  return [...lost, ...found.map((line) => line.replace(/\((?:\w+Policy\w+(?:, )?)+\)/, "(…)"))];
}

const steps =
  "Instead, in three deploys: add the new index beside the old one; let the functions query the new one; remove the old one.";
const ttl = (AttributeName: string, Enabled = true) => table({ TimeToLiveSpecification: { AttributeName, Enabled } });
const protection =
  "its deletion protection would be turned off. To delete the stage, deploy by hand with -c firstDeploy=true (docs/deploy.md).";
const ttlSteps =
  "!TimeToLiveSpecification: DynamoDB does not change the attribute ttl while time to live is enabled: the deploy would fail. Instead, in two deploys: { AttributeName: ttl, Enabled: false }; an hour later, the new attribute, or none.";

describe("what a deploy must not change", () => {
  test.each<[string, Change, string]>([
    [
      "time to live that is disabled",
      ttl("ttl", false),
      "TimeToLiveSpecification: records that end, with what they say of people, would be kept until it is enabled again.",
    ],
    [
      "a projection",
      inIndex("REGISTRATIONS", ({ Projection }) => Projection.NonKeyAttributes.push("nickname")),
      `!GlobalSecondaryIndexes: CloudFormation cannot change the Projection of the index REGISTRATIONS: the deploy would fail. ${steps}`,
    ],
    [
      "the key of an index",
      inIndex("GSI1", ({ KeySchema }) => {
        KeySchema[1]!.AttributeName = "SK";
      }),
      `!GlobalSecondaryIndexes: CloudFormation cannot change the KeySchema of the index GSI1: the deploy would fail. ${steps}`,
    ],
    [
      "the name of an index",
      all(
        inIndex("GSI1", (index) => {
          index.IndexName = "EVENTS";
        }),
        query("GSI1", "EVENTS"),
      ),
      `!GlobalSecondaryIndexes: CloudFormation adds or removes one index in a deploy, so it cannot rename GSI1 to EVENTS: the deploy would fail. ${steps}`,
    ],
    [
      "two new indexes",
      added("ONE", "TWO"),
      "!GlobalSecondaryIndexes: CloudFormation adds or removes one index in a deploy. This one would add ONE, TWO, and fail. Instead, deploy them one by one.",
    ],
    [
      "three indexes",
      all(added("ONE"), without("GSI1", "LEADERBOARD")),
      "!GlobalSecondaryIndexes: CloudFormation adds or removes one index in a deploy. This one would add ONE and remove GSI1, LEADERBOARD, and fail. Instead, deploy them one by one.",
    ],
    [
      "an index that functions query",
      without("LEADERBOARD"),
      'GlobalSecondaryIndexes: the index LEADERBOARD would be removed while functions may query it (…), and their queries would fail. Instead, in two deploys: take "Query LEADERBOARD" away from the functions; remove the index.',
    ],
    [
      "an index that functions stop querying in the same deploy",
      all(without("LEADERBOARD"), query("LEADERBOARD", "GSI1")),
      'GlobalSecondaryIndexes: the index LEADERBOARD would be removed while functions may query it (…), and their queries would fail. Instead, in two deploys: take "Query LEADERBOARD" away from the functions; remove the index.',
    ],
    [
      "an index and its first queries",
      all(added("ONE"), query("LEADERBOARD", "ONE")),
      "GlobalSecondaryIndexes: functions could query the new index ONE (…) before it is filled: CloudFormation does not wait for that. Instead, in two deploys: add the index; when it is ACTIVE, let the functions query it.",
    ],
    [
      "the type of a key",
      ofTable(({ Properties }) => {
        Properties.AttributeDefinitions.find(({ AttributeName }: Key) => AttributeName === "SK").AttributeType = "N";
      }),
      "AttributeDefinitions: the table would be replaced by a new, empty one, because the type of the key SK changes. Instead, use a new attribute.",
    ],
    ["the TTL attribute", ttl("expiresAt"), ttlSteps],
    ["no TTL attribute", table({ TimeToLiveSpecification: undefined }), ttlSteps],
    [
      "no point-in-time recovery",
      table({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } }),
      "PointInTimeRecoverySpecification: point-in-time recovery would be turned off. Turned on again, it goes back to no earlier time than that.",
    ],
    ["an unprotected table", table({ DeletionProtectionEnabled: false }), `DeletionProtectionEnabled: ${protection}`],
    ["unprotected accounts", pool({ DeletionProtection: "INACTIVE" }), `DeletionProtection: ${protection}`],
    [
      "another stream",
      table({ StreamSpecification: { StreamViewType: "NEW_IMAGE" } }),
      "StreamSpecification: DynamoDB would end the stream; what the relay has not read of it would not be sent.",
    ],
    [
      "a required attribute of accounts",
      pool({
        Schema: [
          { Name: "email", Mutable: true, Required: true },
          { Name: "given_name", Mutable: true, Required: true },
        ],
      }),
      "!Schema: Cognito cannot change, remove or newly require an attribute of a pool (given_name): the deploy would fail. Optional attributes can be added; for the rest, make a new pool (docs/web-app.md).",
    ],
    [
      "an email that cannot change",
      pool({ Schema: [{ Name: "email", Mutable: false, Required: true }] }),
      "!Schema: Cognito cannot change, remove or newly require an attribute of a pool (email): the deploy would fail. Optional attributes can be added; for the rest, make a new pool (docs/web-app.md).",
    ],
    [
      "names that are case-sensitive",
      pool({ UsernameConfiguration: { CaseSensitive: true } }),
      "!UsernameConfiguration: Cognito cannot change it after a pool's creation. Undo it, or make a new pool (docs/web-app.md).",
    ],
    [
      "logs that are no longer kept",
      ({ Resources }) => {
        for (const resource of Object.values(Resources)) {
          if (resource.Type === "AWS::Logs::LogGroup") resource.DeletionPolicy = "Delete";
        }
      },
      "DeletionPolicy: a later deploy, or the deletion of the stack, could delete it.",
    ],
  ])("%s", (_name, change, expected) => {
    expect(refused(change)).toEqual([expected]);
  });

  test.each<[string, { readonly given?: Change; readonly change: Change }]>([
    ["no change", { change: () => undefined }],
    ["other code", { change: code }],
    ["a new index, with other code", { change: all(added("ONE"), code) }],
    ["queries of an index that is there", { given: added("ONE"), change: query("LEADERBOARD", "ONE") }],
    ["the removal of an index that nobody queried", { given: added("ONE"), change: all(without("ONE"), code) }],
    [
      "the removal of an index that nobody queries any more",
      { given: query("LEADERBOARD", "GSI1"), change: without("LEADERBOARD") },
    ],
    ["another TTL attribute after that", { given: ttl("ttl", false), change: ttl("expiresAt") }],
    [
      "protections that are turned on",
      {
        given: all(table({ DeletionProtectionEnabled: false }), pool({ DeletionProtection: "INACTIVE" })),
        change: all(table({ DeletionProtectionEnabled: true }), pool({ DeletionProtection: "ACTIVE" })),
      },
    ],
    [
      "an optional attribute of accounts",
      {
        change: pool({
          Schema: [
            { Name: "email", Mutable: true, Required: true },
            { Name: "faculty", AttributeDataType: "String", Mutable: true },
          ],
        }),
      },
    ],
  ])("control: %s is let through", (_name, { given, change }) => {
    expect(refused(change, given)).toEqual([]);
  });

  test("a table that is replaced, which is a loss, may have other indexes", () => {
    const replaced = all(table({ TableName: "Other" }), without("GSI1", "LEADERBOARD"));
    expect(refused(replaced)).toEqual(["AWS::DynamoDB::Table replaced"]);
  });

  test("every index is in the policies of the functions that query it", () => {
    const names = theOnly(deployed, "AWS::DynamoDB::Table").Properties.GlobalSecondaryIndexes.map(
      ({ IndexName }: Index) => IndexName,
    );
    expect(names).toHaveLength(3);
    for (const name of names) expect(refused(without(name))).toEqual([expect.stringContaining("their queries would")]);
  });

  test("a policy for all indexes counts for each", () => {
    expect(refused(without("LEADERBOARD"), query("LEADERBOARD", "*"))).toHaveLength(1);
  });
});
