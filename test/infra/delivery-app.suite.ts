/** The application of `npm run once -- delivery`: GitHub's roles reach only their own stage, and SES gets its DNS records. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { App } from "aws-cdk-lib";
import { Template as Assertions } from "aws-cdk-lib/assertions";
import { deliveryApp } from "../../lib/delivery/delivery-app.ts";
import { driftReads, preflightReads, smokeActions } from "../../lib/delivery/permissions.ts";
import type { DeliveryConfig, StageConfig } from "../../lib/stages.ts";
import { denialOf } from "../../tools/laptop/iam/policy.ts";
import { Template } from "../../tools/laptop/template/index.ts";
import type { PolicyStatement } from "../../tools/laptop/template/resources.ts";
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
  readonly trust: readonly PolicyStatement[];
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
        AssumeRolePolicyDocument: { Statement: Omit<PolicyStatement, "Resource">[] };
        Policies: { PolicyDocument: { Statement: PolicyStatement[] } }[];
      };
      // The resource of a trust policy is its role.
      const trust = AssumeRolePolicyDocument.Statement.map((statement) => ({ ...statement, Resource: RoleName }));
      return [RoleName, { trust, statements: Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) }];
    }),
  );
}

const roles = rolesOf(given());
const may = (role: string, action: string, resource: string, context: Record<string, string> = {}): boolean =>
  denialOf(roles.get(role)?.statements ?? [], { action, resource, context }) === undefined;

/** What `club-events-keep-data` leaves of an administrator's permissions. */
function boundaryOf(app: App): (action: string, resource: string, context?: Record<string, string>) => boolean {
  const [policy] = Object.values(templateOf(app, "ClubDelivery").Resources).filter(
    ({ Type }) => Type === "AWS::IAM::ManagedPolicy",
  );
  const { PolicyDocument } = (policy?.Properties ?? {}) as { PolicyDocument?: { Statement: PolicyStatement[] } };
  return (action, resource, context = {}) =>
    denialOf(PolicyDocument?.Statement ?? [], { action, resource, context }) === undefined;
}

test("CloudFormation cannot delete production's data, but staging's and all else", () => {
  const mayExecute = boundaryOf(given());
  const inRegion = (service: string, name: string) => `arn:aws:${service}:ca-central-1:123456789012:${name}`;
  for (const stage of ["staging", "production"]) {
    const tags = { "aws:ResourceTag/stage": stage };
    const isFree = stage === "staging";
    for (const [action, resource] of [
      ["dynamodb:DeleteTable", inRegion("dynamodb", `table/ClubEvents-${stage}-Table7ABB320E-1`)],
      ["s3:DeleteBucket", `arn:aws:s3:::clubevents-${stage}-images-1`],
      ["cognito-idp:DeleteUserPool", inRegion("cognito-idp", "userpool/ca-central-1_1")],
      ["secretsmanager:DeleteSecret", inRegion("secretsmanager", "secret:TicketKey-1")],
    ] as const) {
      expect([stage, action, mayExecute(action, resource, tags)]).toEqual([stage, action, isFree]);
      expect(mayExecute(action.replace("Delete", "Update"), resource, tags)).toBe(true);
    }
  }
});

test("an account without production needs no boundary", () => {
  const { Resources } = templateOf(given({}, { gitHub }, [stages[0] as StageConfig]), "ClubDelivery");
  expect(Object.values(Resources).map(({ Type }) => Type)).not.toContain("AWS::IAM::ManagedPolicy");
});

const secretOf = (stage: string) =>
  `arn:aws:secretsmanager:ca-central-1:123456789012:secret:club-events/${stage}/payments-AbCd12`;
const read = "secretsmanager:GetSecretValue";
const [deployStaging, deployProduction] = ["club-events-deploy-staging", "club-events-deploy-production"];

const main = "refs/heads/main";
/** The roles that take a token. Its claims: https://docs.github.com/en/actions/reference/security/oidc */
function trusting(run: string, ref: string, repository = gitHub, of = roles): string[] {
  const claims = { aud: "sts.amazonaws.com", sub: `repo:${repository}:${run}`, ref };
  const context = Object.fromEntries(
    Object.entries(claims).map(([claim, value]) => [`token.actions.githubusercontent.com:${claim}`, value]),
  );
  const action = "sts:AssumeRoleWithWebIdentity";
  return [...of].flatMap(([name, { trust }]) => (denialOf(trust, { action, resource: name, context }) ? [] : [name]));
}

test.each([
  ["pull_request", "refs/pull/7/merge", ["club-events-changes"]],
  [`ref:${main}`, main, ["club-events-drift"]],
  ["environment:staging", main, [deployStaging]],
  ["environment:production", main, [deployProduction]],
  ["ref:refs/heads/feature", "refs/heads/feature", []],
  ["environment:staging", "refs/heads/feature", []],
  ["environment:production", "refs/heads/main-2", []],
  ["environment:production", "refs/tags/main", []],
  ["environment:other", main, []],
])("a token of %s, from %s, is taken by %j", (run, ref, takers) => {
  expect(trusting(run, ref)).toEqual(takers);
});

test.each(["bizclub/club-events", "bizclub@11/club-events@23", "other@12/club-events@22", "BizClub@11/club-events@22"])(
  "no role takes a token of %s",
  (repository) => {
    const runs = ["pull_request", `ref:${main}`, "environment:staging", "environment:production"];
    expect(runs.flatMap((run) => trusting(run, main, repository))).toEqual([]);
  },
);

test("control: without the condition on the branch, production takes a token of every branch", () => {
  const ofSubject = (trust: readonly PolicyStatement[]): PolicyStatement[] =>
    trust.map(
      ({
        Condition: { StringEquals: { "token.actions.githubusercontent.com:ref": _, ...keys } = {} } = {},
        ...one
      }) => ({
        ...one,
        Condition: { StringEquals: keys },
      }),
    );
  const wide = new Map([...roles].map(([name, role]) => [name, { ...role, trust: ofSubject(role.trust) }]));
  expect(trusting("environment:production", "refs/heads/feature", gitHub, wide)).toEqual([deployProduction]);
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
    for (const action of ["cloudformation:GetTemplate", "cloudformation:SetStackPolicy"]) {
      expect(may(role, action, stack(own))).toBe(true);
      expect(may(role, action, stack(other))).toBe(false);
    }
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

test("the drift role may read every type of resource that a stage has", async () => {
  const { templates } = await givenSynthesis();
  const types = Object.values(templates).flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type));
  expect([...new Set(types)].filter((type) => !(type in driftReads)).sort()).toEqual([]);
  expect(may("club-events-drift", "kms:DescribeKey", "*")).toBe(true);
});

test("an account that has only production, and GitHub's provider already, gets neither role nor provider twice", () => {
  const app = given({ stage: "production", provider: "existing" });
  expect(app.synth().stacks.map(({ stackName }) => stackName)).toEqual(["ClubDelivery", "ClubMail-production"]);
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
});

const errorsOf = (app: App): string[] =>
  app
    .synth()
    .stacks.flatMap(({ messages, stackName }) =>
      messages.filter(({ level }) => level === "error").map(({ entry }) => `${stackName} ${entry.data}`),
    );

test("a repository that no token names is refused, also where placeholders are accepted", () => {
  expect(errorsOf(given({ placeholders: "ok" }, { gitHub: "https://github.com/bizclub/club-events" }))).toEqual([
    expect.stringMatching(/^ClubDelivery .*delivery\.gitHub: .* is an address/s),
  ]);
});

test("placeholders are refused, unless the caller accepts them", () => {
  const placeholder = { gitHub: "club.example/club-events" };
  expect(errorsOf(given({}, placeholder, [staging])).sort()).toEqual([
    expect.stringMatching(/^ClubDelivery .*gitHub: "club\.example\/club-events"/s),
    expect.stringMatching(/^ClubMail-staging .*mailSender: "events@staging\.club\.example"/s),
  ]);
  expect(errorsOf(given({ placeholders: "ok" }, placeholder, [staging]))).toEqual([]);
  expect(errorsOf(given())).toEqual([]);
});
