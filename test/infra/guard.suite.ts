/** The guard against losses by a deploy (`tools/delivery`): small edits of the real template, refused or let through. */
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { contentOf } from "../../tools/delivery/contents.ts";
import { losses } from "../../tools/delivery/losses.ts";
import { refusals } from "../../tools/delivery/refusals.ts";
import { type DeliveredTemplate, differences } from "../../tools/delivery/template.ts";
import { broken, givenTemplates, ofType, type StageTemplate, stageNames, textOf } from "./stage-templates.ts";
import { all, type Edit, found, idOf, type Properties, set, without } from "./template-edits.ts";

let templates: Awaited<ReturnType<typeof givenTemplates>>;
beforeAll(async () => {
  templates = await givenTemplates();
});

/** The resources that two templates do not share: comparing all of them takes seconds. */
function apart(template: StageTemplate, other: StageTemplate): StageTemplate {
  const isChanged = ([id, resource]: [string, unknown]) => !isDeepStrictEqual(resource, other.Resources[id]);
  return { ...template, Resources: Object.fromEntries(Object.entries(template.Resources).filter(isChanged)) };
}

function judged(deployed: StageTemplate, edit: Edit) {
  const wanted = broken(deployed, edit);
  const diff = differences(apart(deployed, wanted) as DeliveredTemplate, apart(wanted, deployed) as DeliveredTemplate);
  const [from, to] = [deployed, wanted] as unknown as DeliveredTemplate[];
  return { lost: losses(from!, diff), refused: refusals(from!, to!, diff) };
}

const table = (property: string, value?: unknown) => set("DynamoDB::Table", /./, property, value);
const pool = (property: string, value?: unknown) => set("Cognito::UserPool", /./, property, value);

/** What is refused of a change, as `name: text`. */
function texts(edit: Edit, given: Edit = () => undefined): string[] {
  const { lost, refused } = judged(broken(templates.production, given), edit);
  return [...lost.map(({ type, fate }) => `${type} ${fate}`), ...refused.map(({ name, text }) => `${name}: ${text}`)];
}

describe("settings of what stays", () => {
  const changeIndexes =
    (change: (indexes: Properties[]) => unknown): Edit =>
    (template) =>
      void change(found(template, "DynamoDB::Table")[1].Properties.GlobalSecondaryIndexes);
  const removed = (name: string) =>
    changeIndexes((indexes) =>
      indexes.splice(
        indexes.findIndex(({ IndexName }) => IndexName === name),
        1,
      ),
    );
  const added = (IndexName: string) =>
    all(
      table("AttributeDefinitions.[]", { AttributeName: `${IndexName}PK`, AttributeType: "S" }),
      table("GlobalSecondaryIndexes.[]", { IndexName, KeySchema: [], Projection: { ProjectionType: "ALL" } }),
    );
  /** Functions that query another index in place of one. */
  const query =
    (from: string, to: string): Edit =>
    (template) => {
      for (const [, { Properties }] of ofType(template, "AWS::IAM::Policy")) {
        const moved = JSON.stringify(Properties.PolicyDocument).replaceAll(`/index/${from}"`, `/index/${to}"`);
        Properties.PolicyDocument = JSON.parse(moved);
      }
    };
  const kept = (type: string, property: string, value: number, fits = /./) => set(type, fits, property, value);

  test.each<[string, Edit, RegExp]>([
    [
      "an index that functions query until then",
      all(removed("LEADERBOARD"), query("LEADERBOARD", "GSI1")),
      /^Table\w+\.GlobalSecondaryIndexes: the index LEADERBOARD would be removed while functions may query it \(\w+Policy/,
    ],
    [
      "an index and its first queries",
      all(added("ONE"), query("LEADERBOARD", "ONE")),
      /: functions could query the new index ONE \(\w+Policy\w+.*\) before it is filled/,
    ],
    [
      "the type of a key",
      table("AttributeDefinitions.1.AttributeType", "N"),
      /: the table would be replaced by a new, empty one, because the type of the key SK changes/,
    ],
    [
      "no point-in-time recovery",
      table("PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled", false),
      /: point-in-time recovery would be turned off/,
    ],
    [
      "recovery of a day",
      table("PointInTimeRecoverySpecification.RecoveryPeriodInDays", 1),
      /: recovery would go back 1 days instead of 35/,
    ],
    ["an unprotected table", table("DeletionProtectionEnabled", false), /: .*firstDeploy=true/],
    ["unprotected accounts", pool("DeletionProtection", "INACTIVE"), /: .*firstDeploy=true/],
    ["another stream", table("StreamSpecification.StreamViewType", "NEW_IMAGE"), /: .* end the stream/],
    [
      "logs that are no longer kept",
      (template) => Object.assign(found(template, "Logs::LogGroup")[1], { DeletionPolicy: "Delete" }),
      /\.DeletionPolicy: a later deploy, or the deletion of the stack, could delete it/,
    ],
    [
      "a route without a token",
      ({ Resources }) => {
        const route = Object.values(Resources).find(({ Properties }) => Properties?.AuthorizationType === "JWT");
        Object.assign(route?.Properties ?? {}, { AuthorizationType: "NONE" });
      },
      /\.AuthorizationType: the route could be called without a token/,
    ],
    [
      "a bucket that may be public",
      set("S3::Bucket", /^Images/, "PublicAccessBlockConfiguration.BlockPublicAcls", false),
      /it could be made public: BlockPublicAcls would be off/,
    ],
    [
      "files of the pages that may be public",
      set("S3::Bucket", /^HostingBucket/, "PublicAccessBlockConfiguration.RestrictPublicBuckets", false),
      /^HostingBucket\w+\..*it could be made public: RestrictPublicBuckets would be off/,
    ],
    [
      "another address of the pages",
      ({ Outputs }) => Object.assign(Outputs, { PagesUrl: { Value: "https://other.example" } }),
      /^Outputs\.PagesUrl: /,
    ],
    ["another ticket key", set("SecretsManager::Secret", /./, "GenerateSecretString.PasswordLength", 32), /is void/],
    [
      "banners that expire",
      set("S3::Bucket", /^Images/, "LifecycleConfiguration.Rules.[]", { ExpirationInDays: 30 }),
      /a new rule would expire/,
    ],
    ["an archive of a day", kept("Events::Archive", "RetentionDays", 1), /for 1 days instead of/],
    ["logs of a day", kept("Logs::LogGroup", "RetentionInDays", 1, /^RelayLogs/), /for 1 days instead of/],
    ["failed mails of a minute", kept("SQS::Queue", "MessageRetentionPeriod", 60, /^MailFailures/), /for 60 s instead/],
    [
      "failed mails of four days, AWS's default",
      set("SQS::Queue", /^MailFailures/, "MessageRetentionPeriod"),
      /for 345600 s instead of 1209600/,
    ],
    [
      "another API for the web application",
      ({ Outputs }) => Object.assign(Outputs, { ApiUrl: { Value: "https://other.example" } }),
      /^Outputs\.ApiUrl: the web application/,
    ],
  ])("refused: %s", (_what, edit, text) => {
    expect(texts(edit)).toEqual([expect.stringMatching(text)]);
  });

  test.each<[string, Edit, Edit?]>([
    ["a new index", added("ONE")],
    ["queries of an index that is there", query("LEADERBOARD", "ONE"), added("ONE")],
    ["the removal of an index that no function queries any more", removed("LEADERBOARD"), query("LEADERBOARD", "GSI1")],
    [
      "protections that are turned on",
      all(table("DeletionProtectionEnabled", true), pool("DeletionProtection", "ACTIVE")),
      all(table("DeletionProtectionEnabled", false), pool("DeletionProtection", "INACTIVE")),
    ],
    ["new code", set("Lambda::Function", /^Payments/, "Code.S3Key", "other.zip")],
    [
      "longer logs and a longer archive",
      all(kept("Logs::LogGroup", "RetentionInDays", 365, /^RelayLogs/), kept("Events::Archive", "RetentionDays", 365)),
    ],
    ["one more output", ({ Outputs }) => Object.assign(Outputs, { More: { Value: "more" } })],
  ])("let through: %s", (_what, edit, given = () => undefined) => {
    expect(texts(edit, given)).toEqual([]);
  });

  test("every index is in the policies of the functions that query it, and a policy for all counts for each", () => {
    for (const name of ["GSI1", "REGISTRATIONS", "LEADERBOARD"]) {
      expect(texts(removed(name))).toEqual([expect.stringContaining("their queries would")]);
    }
    expect(texts(removed("LEADERBOARD"), query("LEADERBOARD", "*"))).toHaveLength(1);
  });
});

describe("what a deploy must not lose:", () => {
  /** What refers to the table is most of the template. */
  function someOf({ Resources, Outputs }: StageTemplate): StageTemplate {
    const isSmall = ([id, { Type }]: [string, { Type: string }]) =>
      /DynamoDB|Cognito|S3::Bucket$|Secret|Archive|EventBus|ApiGatewayV2::Api|Mapping|Queue$|LogGroup/.test(Type) &&
      (!/SQS|Logs/.test(Type) || /Relay|Mail/.test(id));
    return { Outputs, Resources: Object.fromEntries(Object.entries(Resources).filter(isSmall)) };
  }

  /** The losses of the change, as `type fate`. */
  function lost(stage: keyof typeof templates, edit: Edit): string[] {
    const { lost: found } = judged(someOf(templates[stage]), edit);
    return found.map(({ type, fate }) => `${type.replace("AWS::", "")} ${fate}`).sort();
  }

  /** Another construct id: all that names the resource follows. */
  const renamed =
    (type: string): Edit =>
    (template) => {
      const id = idOf(template, type);
      Object.assign(template, JSON.parse(JSON.stringify(template).replaceAll(`"${id}"`, `"Other${id}"`)));
    };
  const position = "Lambda::EventSourceMapping replaced";
  const key = [{ AttributeName: "email", KeyType: "HASH" }];

  test.each<[string, Edit, string[]]>([
    ["a renamed table", renamed("DynamoDB::Table"), ["DynamoDB::Table left behind", position]],
    ["another key of the table", table("KeySchema", key), ["DynamoDB::Table replaced", position]],
    ["no user pool", without("Cognito::UserPool", /./), ["Cognito::UserPool left behind"]],
    [
      "a client with a secret",
      set("Cognito::UserPoolClient", /./, "GenerateSecret", true),
      ["Cognito::UserPoolClient replaced"],
    ],
    ["another sign-in page", set("Cognito::UserPoolDomain", /./, "Domain", "x"), ["Cognito::UserPoolDomain replaced"]],
    ["a renamed bucket", renamed("S3::Bucket"), ["S3::Bucket left behind"]],
    ["no ticket key", without("SecretsManager::Secret", /./), ["SecretsManager::Secret left behind"]],
    ["a renamed queue", renamed("SQS::Queue"), ["SQS::Queue deleted"]],
    ["no archive", without("Events::Archive", /./), ["Events::Archive deleted"]],
    ["a renamed log group", renamed("Logs::LogGroup"), ["Logs::LogGroup left behind"]],
    ["a renamed API", renamed("ApiGatewayV2::Api"), ["ApiGatewayV2::Api deleted"]],
    ["a renamed bus", renamed("Events::EventBus"), ["Events::Archive replaced", "Events::EventBus deleted"]],
    ["control: another name of the API", set("ApiGatewayV2::Api", /./, "Name", "é"), []],
  ])("%s", (_name, edit, expected) => {
    expect(lost("production", edit)).toEqual(expected.sort());
  });

  test("where data is not kept, it is deleted; the logs of such a stage are no loss", () => {
    expect(lost("staging", renamed("DynamoDB::Table"))).toContain("DynamoDB::Table deleted");
    expect(lost("staging", renamed("Logs::LogGroup"))).toEqual([]);
  });

  test("a change that also takes the policy and the output away hides nothing", () => {
    const hidden: Edit = (template) => {
      table("KeySchema", key)(template);
      Object.assign(found(template, "DynamoDB::Table")[1], { DeletionPolicy: "Delete", UpdateReplacePolicy: "Delete" });
      for (const name of Object.keys(template.Outputs)) delete template.Outputs[name];
    };
    expect(lost("production", hidden)).toContain("DynamoDB::Table replaced");
  });

  test("every type of resource is known to hold something, or nothing; an unknown one counts as holding something", () => {
    const types = stageNames.flatMap((stage) => Object.values(templates[stage].Resources).map(({ Type }) => Type));
    expect([...new Set(types)].filter((type) => /does not know/.test(contentOf(type) ?? ""))).toEqual([]);
    const disk = { Disk: { Type: "AWS::EFS::FileSystem", Properties: {} } };
    const unknown = losses({ Resources: disk }, differences({ Resources: disk }, { Resources: {} }));
    expect(unknown).toMatchObject([{ logicalId: "Disk", fate: "deleted", reasons: [expect.stringMatching(/EFS/)] }]);
  });

  test("all that outputs name is known outside", () => {
    const { Outputs, Resources } = templates.production;
    const used = Object.values(Outputs).flatMap(({ Value }) =>
      [...textOf(Value).matchAll(/\$\{(\w+)[.}]/g)].map(([, id]) => id as string),
    );
    const deployed = { Outputs, Resources: Object.fromEntries(used.map((id) => [id, Resources[id]])) };
    const gone = losses(deployed as DeliveredTemplate, differences(deployed as DeliveredTemplate, { Resources: {} }));
    const known = gone.filter(({ reasons }) => reasons.some((reason) => reason.startsWith("others know it")));
    expect(known.map(({ logicalId }) => logicalId).sort()).toEqual([...new Set(used)].sort());
    expect(used.length).toBeGreaterThan(5);
  });
});
