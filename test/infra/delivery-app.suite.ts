/** The application of `npm run delivery`: GitHub's roles reach only their own stage, and SES gets its DNS records. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { App } from "aws-cdk-lib";
import { Template as Assertions } from "aws-cdk-lib/assertions";
import { deliveryApp } from "../../lib/delivery/delivery-app.ts";
import { driftReads, preflightReads, smokeActions } from "../../lib/delivery/permissions.ts";
import type { DeliveryConfig, StageConfig } from "../../lib/stages.ts";
import { denialOf, type PolicyStatement } from "../../tools/laptop/iam/policy.ts";
import { Template } from "../../tools/laptop/template/index.ts";
import { production, staging } from "../stages.ts";
import { givenSynthesis } from "./stage-templates.ts";

const env = { account: "123456789012", region: "ca-central-1" };
const gitHub = "bizclub@11/club-events@22";
const zone = { id: "Z1", name: "bizclub.ca", dmarcReports: "dmarc@bizclub.ca" };
const stages = [
  { ...staging, mailSender: "events@staging.bizclub.ca" },
  { ...production, mailSender: "events@bizclub.ca" },
];

function given(context: object = {}, delivery: DeliveryConfig = { gitHub }, of: readonly StageConfig[] = stages): App {
  return deliveryApp({ context: { ...context } }, { delivery, stages: of, env });
}

/** The template of a stack, as the synthesis writes it. */
const templateOf = (app: App, stack: "ClubDelivery" | `ClubMail-${string}`) =>
  app.synth().getStackByName(stack).template as { Resources: Record<string, { Type: string; Properties: never }> };

interface Granted {
  readonly subject: string;
  readonly statements: readonly PolicyStatement[];
}

/** What each role may do, and whose token it takes, by the role's name. */
function rolesOf(app: App): Map<string, Granted> {
  const place = { region: env.region, accountId: env.account, stackName: "ClubDelivery" };
  const template = new Template(templateOf(app, "ClubDelivery"), place);
  for (const { logicalId } of template.resourcesOf("AWS::IAM::OIDCProvider" as never)) {
    template.provide(logicalId, { ref: "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com" });
  }
  return new Map(
    template.resourcesOf("AWS::IAM::Role").map((role) => {
      const {
        RoleName,
        AssumeRolePolicyDocument,
        Policies = [],
      } = role.all() as never as {
        RoleName: string;
        AssumeRolePolicyDocument: { Statement: { Condition: { StringEquals: Record<string, string> } }[] };
        Policies: { PolicyDocument: { Statement: PolicyStatement[] } }[];
      };
      const subject = AssumeRolePolicyDocument.Statement.map(
        ({ Condition }) => Condition.StringEquals["token.actions.githubusercontent.com:sub"],
      ).join();
      return [RoleName, { subject, statements: Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) }];
    }),
  );
}

const roles = rolesOf(given());
const may = (role: string, action: string, resource: string, context: Record<string, string> = {}): boolean =>
  denialOf(roles.get(role)?.statements ?? [], { action, resource, context }) === undefined;

const secretOf = (stage: string) =>
  `arn:aws:secretsmanager:ca-central-1:123456789012:secret:club-events/${stage}/payments-AbCd12`;
const read = "secretsmanager:GetSecretValue";
const [deployStaging, deployProduction] = ["club-events-deploy-staging", "club-events-deploy-production"];

test("each role trusts one kind of run of one repository, by its exact subject", () => {
  expect(Object.fromEntries([...roles].map(([name, { subject }]) => [name, subject]))).toEqual({
    "club-events-changes": `repo:${gitHub}:pull_request`,
    "club-events-drift": `repo:${gitHub}:ref:refs/heads/main`,
    [deployStaging]: `repo:${gitHub}:environment:staging`,
    [deployProduction]: `repo:${gitHub}:environment:production`,
  });
});

test("the workflows take these roles and no others", () => {
  const folder = new URL("../../.github/workflows/", import.meta.url);
  const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const taken = texts.flatMap((text) =>
    [...text.matchAll(/:role\/([\w-]+)(\$\{\{ inputs\.stage)?/g)].flatMap(([, role = "", ofStage]) =>
      ofStage === undefined ? [role] : stages.map(({ name }) => `${role}${name}`),
    ),
  );
  expect([...new Set(taken)].sort()).toEqual([...roles.keys()].sort());
});

describe.each([
  [deployStaging, "staging", "production"],
  [deployProduction, "production", "staging"],
])("%s", (role, own, other) => {
  test(`reads the secrets of ${own}, and none of ${other}`, () => {
    expect(may(role, read, secretOf(own))).toBe(true);
    expect(may(role, read, secretOf(other))).toBe(false);
  });

  test(`compares with the stack of ${own}`, () => {
    const stack = (stage: string) => `arn:aws:cloudformation:ca-central-1:123456789012:stack/ClubEvents-${stage}/1a2b`;
    expect(may(role, "cloudformation:GetTemplate", stack(own))).toBe(true);
    expect(may(role, "cloudformation:GetTemplate", stack(other))).toBe(false);
  });

  test("has every action of preflight and smoke run", () => {
    const own = roles.get(role)?.statements.flatMap(({ Action }) => [Action].flat());
    expect(own).toEqual(expect.arrayContaining([...preflightReads, ...smokeActions]));
  });

  test(`its smoke run makes accounts and removes banners of ${own} only`, () => {
    const pool = "arn:aws:cognito-idp:ca-central-1:123456789012:userpool/ca-central-1_x";
    const bannerOf = (stage: string) => `arn:aws:s3:::clubevents-${stage}-images1a2b/event-thumbnails/smoke-1/a.png`;
    for (const action of ["AdminCreateUser", "AdminDeleteUser", "AdminSetUserPassword"]) {
      expect(may(role, `cognito-idp:${action}`, pool, { "aws:ResourceTag/stage": own })).toBe(true);
      expect(may(role, `cognito-idp:${action}`, pool, { "aws:ResourceTag/stage": other })).toBe(false);
    }
    expect(may(role, "s3:DeleteObject", bannerOf(own))).toBe(true);
    expect(may(role, "s3:DeleteObject", bannerOf(other))).toBe(false);
    expect(may(role, "s3:DeleteObject", bannerOf(own).replace("smoke-1", "dinner"))).toBe(false);
  });

  test("takes on no role that may read the tables of all stages", () => {
    const bootstrap = (name: string) =>
      `arn:aws:iam::123456789012:role/cdk-hnb659fds-${name}-123456789012-ca-central-1`;
    expect(may(role, "sts:AssumeRole", bootstrap("deploy-role"))).toBe(true);
    expect(may(role, "sts:AssumeRole", bootstrap("lookup-role"))).toBe(false);
    expect(may(role, "dynamodb:GetItem", "arn:aws:dynamodb:ca-central-1:123456789012:table/Any")).toBe(false);
  });
});

test("an existing pool is named instead of the tag", () => {
  const existing = { userPoolId: "ca-central-1_own", clientId: "c", region: "ca-central-1" };
  const own = rolesOf(given({}, { gitHub }, [{ ...staging, identity: { existing } }])).get(deployStaging);
  const action = "cognito-idp:AdminCreateUser";
  const pool = (id: string) => `arn:aws:cognito-idp:ca-central-1:123456789012:userpool/${id}`;
  expect(denialOf(own?.statements ?? [], { action, resource: pool("ca-central-1_own") })).toBeUndefined();
  expect(denialOf(own?.statements ?? [], { action, resource: pool("ca-central-1_other") })).toBe("implicit");
});

test.each(["club-events-changes", "club-events-drift"])(
  "%s reads no data and no secret, and changes nothing",
  (role) => {
    expect(roles.get(role)?.statements.length).toBeGreaterThan(0);
    for (const action of [
      read,
      "dynamodb:GetItem",
      "dynamodb:Query",
      "dynamodb:Scan",
      "s3:GetObject",
      "logs:GetLogEvents",
    ]) {
      expect(may(role, action, action === read ? secretOf("production") : "*")).toBe(false);
    }
    const actions = roles.get(role)?.statements.flatMap(({ Action }) => [Action].flat()) ?? [];
    expect(actions.filter((action) => !/:(?:Describe|Detect|Get|List|View|GET)/.test(action))).toEqual([]);
  },
);

test("control: secrets of all stages, or any token of the repository, would be noticed", () => {
  const wide: PolicyStatement = {
    Effect: "Allow",
    Action: read,
    Resource: "arn:aws:secretsmanager:*:*:secret:club-events/*",
  };
  expect(denialOf([wide], { action: read, resource: secretOf("production") })).toBeUndefined();
});

test("the drift role may read every type of resource that a stage has", async () => {
  const { templates } = await givenSynthesis();
  const types = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));
  expect([...new Set(types)].filter((type) => !(type in driftReads)).sort()).toEqual([]);
  expect(may("club-events-drift", "kms:DescribeKey", "*")).toBe(true);
});

test("an account that has only production, and GitHub's provider already, gets neither role nor provider twice", () => {
  const app = given({ stage: "production", provider: "existing" });
  expect([...rolesOf(app).keys()].sort()).toEqual(["club-events-changes", deployProduction, "club-events-drift"]);
  Assertions.fromJSON(templateOf(app, "ClubDelivery")).resourceCountIs("AWS::IAM::OIDCProvider", 0);
  expect(() => given({ stage: "local" })).toThrow('There is no stage "local" in AWS; there are staging, production.');
});

describe("the mail identities", () => {
  const mailOf = (app: App, stage: string) => Assertions.fromJSON(templateOf(app, `ClubMail-${stage}`));
  const recordsOf = (app: App, stage: string) =>
    Object.values(mailOf(app, stage).findResources("AWS::Route53::RecordSet")).map(({ Properties: { Type, Name } }) =>
      typeof Name === "string" ? `${Type} ${Name}` : Type,
    );

  test.each([
    ["staging", "staging.bizclub.ca"],
    ["production", "bizclub.ca"],
  ])("%s with a zone: three DKIM records, MAIL FROM, SPF and DMARC", (stage, domain) => {
    const app = given({}, { gitHub, hostedZone: zone });
    const others = [`MX bounce.${domain}.`, `TXT _dmarc.${domain}.`, `TXT bounce.${domain}.`];
    expect(recordsOf(app, stage).sort()).toEqual(["CNAME", "CNAME", "CNAME", ...others]);
    expect(mailOf(app, stage).findOutputs("*")).toEqual({});
  });

  test("without a zone, or for a domain outside of it, the records are outputs", () => {
    const outside = given({}, { gitHub, hostedZone: { ...zone, name: "izclub.ca" } });
    for (const app of [given(), outside]) {
      expect(recordsOf(app, "production")).toEqual([]);
      const outputs = Object.values(mailOf(app, "production").findOutputs("*")).map(({ Value }) => Value);
      expect(outputs).toContain("bounce.bizclub.ca TXT v=spf1 include:amazonses.com ~all");
      expect(outputs).toHaveLength(5);
    }
  });

  test("each stage has a stack of its own: a deploy for one leaves the identity of the other", () => {
    const names = (app: App) =>
      app
        .synth()
        .stacks.map(({ stackName }) => stackName)
        .sort();
    expect(names(given())).toEqual(["ClubDelivery", "ClubMail-production", "ClubMail-staging"]);
    expect(names(given({ stage: "staging" }))).toEqual(["ClubDelivery", "ClubMail-staging"]);
  });
});

test("placeholders are refused, unless the caller accepts them", () => {
  const left = (app: App) =>
    app
      .synth()
      .stacks.flatMap(({ messages, stackName }) =>
        messages.filter(({ level }) => level === "error").map(({ entry }) => `${stackName} ${entry.data}`),
      );
  const placeholder = { gitHub: "club.example/club-events" };
  expect(left(given({}, placeholder, [staging])).sort()).toEqual([
    expect.stringMatching(/^ClubDelivery .*gitHub: "club\.example\/club-events"/s),
    expect.stringMatching(/^ClubMail-staging .*mailSender: "events@staging\.club\.example"/s),
  ]);
  expect(left(given({ placeholders: "ok" }, placeholder, [staging]))).toEqual([]);
  expect(left(given())).toEqual([]);
});
