/** What a deploy must not lose: changes of the real templates, each of which would lose something, and some that would not. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { StageName } from "../../lib/stages.ts";
import { differences, losses } from "../../tools/delivery/losses.ts";
import { rulesOf } from "../../tools/delivery/rules/by-type.ts";
import type { DeliveredTemplate } from "../../tools/delivery/rules/rule.ts";
import { givenTemplates, ofType, type StageTemplate, stageNames, textOf } from "./stage-templates.ts";

let templates: Readonly<Record<StageName, StageTemplate>>;

/** The real template without most of its routes, policies and alarms: comparing all of it takes seconds. */
function someOf({ Resources, Outputs }: StageTemplate): StageTemplate {
  const isSmall = ([id, { Type }]: [string, { Type: string }]) =>
    !/ApiGatewayV2::(?:Route|Integration)|IAM|Permission|Alarm|Rule|Policy|InvokeConfig/.test(Type) &&
    (!/Lambda::Function|Logs|SQS/.test(Type) || /Relay|Mail/.test(id));
  return { Outputs, Resources: Object.fromEntries(Object.entries(Resources).filter(isSmall)) };
}

const idOf = (template: StageTemplate, type: string): string => ofType(template, type)[0]?.[0] ?? `no ${type}`;

type Change = (template: StageTemplate, id: string) => void;

const remove: Change = ({ Resources }, id) => {
  delete Resources[id];
};

/** Another construct id: all that names the resource follows. */
const rename: Change = (template, id) => {
  Object.assign(template, JSON.parse(JSON.stringify(template).replaceAll(`"${id}"`, `"Other${id}"`)));
};

const property =
  (name: string, value: unknown): Change =>
  ({ Resources }, id) => {
    const resource = Resources[id];
    if (resource === undefined) throw new Error(`no ${id}`);
    resource.Properties = { ...resource.Properties, [name]: value };
  };

/** The losses of the change, as `type fate`. */
function lost(stage: StageName, type: string, change: Change): string[] {
  const deployed = someOf(templates[stage]);
  const wanted = structuredClone(deployed);
  change(wanted, idOf(wanted, type));
  const found = losses(deployed as DeliveredTemplate, differences(deployed, wanted));
  return found.map(({ type: lostType, fate }) => `${lostType.replace("AWS::", "")} ${fate}`).sort();
}

beforeAll(async () => {
  templates = await givenTemplates();
});

describe("what a deploy must not lose", () => {
  const key = [{ AttributeName: "email", KeyType: "HASH" }];
  const position = "Lambda::EventSourceMapping replaced";

  test.each<[string, string, Change, string[]]>([
    ["a renamed table", "DynamoDB::Table", rename, ["DynamoDB::Table left behind", position]],
    ["another key of the table", "DynamoDB::Table", property("KeySchema", key), ["DynamoDB::Table replaced", position]],
    [
      "a table with a fixed name",
      "DynamoDB::Table",
      property("TableName", "T"),
      ["DynamoDB::Table replaced", position],
    ],
    ["no user pool", "Cognito::UserPool", remove, ["Cognito::UserPool left behind"]],
    [
      "a client with a secret",
      "Cognito::UserPoolClient",
      property("GenerateSecret", true),
      ["Cognito::UserPoolClient replaced"],
    ],
    ["another sign-in page", "Cognito::UserPoolDomain", property("Domain", "x"), ["Cognito::UserPoolDomain replaced"]],
    ["a renamed bucket", "S3::Bucket", rename, ["S3::Bucket left behind"]],
    ["a bucket with a fixed name", "S3::Bucket", property("BucketName", "b"), ["S3::Bucket replaced"]],
    ["no ticket key", "SecretsManager::Secret", remove, ["SecretsManager::Secret left behind"]],
    ["a renamed queue", "SQS::Queue", rename, ["SQS::Queue deleted"]],
    ["a queue of another kind", "SQS::Queue", property("FifoQueue", true), ["SQS::Queue replaced"]],
    ["no archive", "Events::Archive", remove, ["Events::Archive deleted"]],
    ["a renamed log group", "Logs::LogGroup", rename, ["Logs::LogGroup left behind"]],
    ["a renamed API", "ApiGatewayV2::Api", rename, ["ApiGatewayV2::Api deleted"]],
    ["a renamed bus", "Events::EventBus", rename, ["Events::Archive replaced", "Events::EventBus deleted"]],
  ])("%s", (_name, type, change, expected) => {
    expect(lost("production", `AWS::${type}`, change)).toEqual(expected.sort());
  });

  test.each<[string, string, Change]>([
    ["no change", "DynamoDB::Table", () => undefined],
    ["another size of a function", "Lambda::Function", property("MemorySize", 1_024)],
    ["a renamed function", "Lambda::Function", rename],
    ["a renamed authorizer", "ApiGatewayV2::Authorizer", rename],
    ["a longer retention of logs", "Logs::LogGroup", property("RetentionInDays", 365)],
    ["another name of the API", "ApiGatewayV2::Api", property("Name", "é")],
    [
      "a further output",
      "DynamoDB::Table",
      ({ Outputs }, id) => Object.assign(Outputs, { More: { Value: { Ref: id } } }),
    ],
  ])("control: %s loses nothing", (_name, type, change) => {
    expect(lost("production", `AWS::${type}`, change)).toEqual([]);
  });

  test("where data is not kept, it is deleted", () => {
    expect(lost("staging", "AWS::DynamoDB::Table", rename)).toContain("DynamoDB::Table deleted");
    // The logs of such a stage are no loss.
    expect(lost("staging", "AWS::Logs::LogGroup", rename)).toEqual([]);
  });

  test("a change that also takes the policy and the output away hides nothing", () => {
    const all: Change = (template, id) => {
      property("KeySchema", key)(template, id);
      const table = template.Resources[id] as { DeletionPolicy?: string; UpdateReplacePolicy?: string };
      table.DeletionPolicy = table.UpdateReplacePolicy = "Delete";
      for (const name of Object.keys(template.Outputs)) delete template.Outputs[name];
    };
    expect(lost("production", "AWS::DynamoDB::Table", all)).toContain("DynamoDB::Table replaced");
  });

  test("every type of resource is known to hold something, or nothing", () => {
    const types = stageNames.flatMap((stage) => Object.values(templates[stage].Resources).map(({ Type }) => Type));
    expect([...new Set(types)].filter((type) => !rulesOf(type))).toEqual([]);
  });

  test("control: an unknown type counts as one that holds something", () => {
    const file = { Type: "AWS::EFS::FileSystem", Properties: {} };
    const found = losses({ Resources: { Disk: file } }, differences({ Resources: { Disk: file } }, { Resources: {} }));
    expect(found).toMatchObject([{ logicalId: "Disk", fate: "deleted", reasons: [expect.stringMatching(/EFS/)] }]);
    expect(rulesOf(file.Type)).toBeUndefined();
  });

  test("all that outputs name is known outside", () => {
    const { Outputs, Resources } = templates.production;
    const named = Object.values(Outputs).flatMap(({ Value }) =>
      [...textOf(Value).matchAll(/\$\{(\w+)[.}]/g)].map(([, id]) => id as string),
    );
    const deployed = { Outputs, Resources: Object.fromEntries(named.map((id) => [id, Resources[id]])) };
    const found = losses(deployed as DeliveredTemplate, differences(deployed as DeliveredTemplate, { Resources: {} }));
    const known = found.filter(({ reasons }) => reasons.some((reason) => reason.startsWith("others know it")));
    expect(known.map(({ logicalId }) => logicalId).sort()).toEqual([...new Set(named)].sort());
    expect(named.length).toBeGreaterThan(5);
  });
});
