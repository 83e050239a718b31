/**
 * What a club may configure otherwise: an existing user pool, a domain name for the API, a restored table
 * (`docs/runbook.md`, "The whole table"), public routes, no chat. Two stages have all of it, because a synthesis takes
 * longer than its assertions.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App, Stack } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { UserPool, UserPoolEmail } from "aws-cdk-lib/aws-cognito";
import { simpleParser } from "mailparser";
import { featureFlags } from "../../lib/feature-flags.ts";
import { quotedName } from "../../lib/mail-sender.ts";
import { ClubStack } from "../../lib/stack/club-stack.ts";
import type { StageConfig } from "../../lib/stages.ts";
import { judge } from "../../tools/delivery/judge.ts";
import { staging } from "../stages.ts";
import { usualNames } from "../unit/golden/notices.ts";
import { openRoutes, publicRoutes, unlimited } from "./routes.ts";
import { givenTemplates, ofType, type StageTemplate, textOf, theOnly } from "./stage-templates.ts";

const pool = { userPoolId: "ca-central-1_Ab12CdEf3", clientId: "4abc0example", region: "ca-central-1" };
const poolArn = `arn:\${AWS::Partition}:cognito-idp:ca-central-1:\${AWS::AccountId}:userpool/${pool.userPoolId}`;
const restoredTable = {
  tableName: "ClubEvents-staging-restored",
  streamArn:
    "arn:aws:dynamodb:ca-central-1:123456789012:table/ClubEvents-staging-restored/stream/2026-11-22T10:00:00.000",
};
const domainName = "api.staging.club.example";
const certificateArn = "arn:aws:acm:ca-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012";

function given(changes: Partial<StageConfig>) {
  const { chatWebhookSecret: _webhook, ...silent } = staging;
  const stage: StageConfig = { ...silent, ...changes };
  const stack = new ClubStack(new App({ context: featureFlags() }), "ClubEvents-staging", { stage });
  const template = Template.fromStack(stack).toJSON() as StageTemplate;
  const annotations = Annotations.fromStack(stack);
  const said = (found: { entry: { data?: unknown } }[]) => found.map(({ entry }) => String(entry.data));
  return {
    template,
    warnings: said(annotations.findWarning("*", Match.anyValue())),
    errors: said(annotations.findError("*", Match.anyValue())),
  };
}

let usual: StageTemplate;
let withPool: ReturnType<typeof given>;
let withTable: StageTemplate;
beforeAll(async () => {
  usual = (await givenTemplates()).staging;
  withPool = given({ identity: { existing: pool }, publicEvents: true });
  withTable = given({ restoredTable, domainName, certificateArn, publicProfiles: true }).template;
});

const functions = (template: StageTemplate): Record<string, unknown>[] =>
  ofType(template, "AWS::Lambda::Function").map(([, { Properties }]) => Properties.Environment.Variables);

interface Right {
  readonly Action: string | string[];
  readonly Resource: unknown;
}
/** The statements of all functions, with the ids of their policies. */
const rightsIn = (template: StageTemplate): (Right & { readonly id: string })[] =>
  ofType(template, "AWS::IAM::Policy").flatMap(([id, { Properties }]) =>
    (Properties.PolicyDocument.Statement as Right[]).map((right) => ({ ...right, id })),
  );

describe("an existing user pool", () => {
  const preSignUp = (template: StageTemplate): string =>
    ofType(template, "AWS::Lambda::Function").find(
      ([, { Properties }]) => Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME === "pre-sign-up",
    )?.[0] ?? "";

  test("is not made, changed or given a client, a page or a provider", () => {
    const cognito = (template: StageTemplate) =>
      Object.values(template.Resources).filter(({ Type }) => Type.startsWith("AWS::Cognito::"));
    expect([cognito(withPool.template).length, cognito(usual).length]).toEqual([0, 3]);
  });

  test("is the issuer whose tokens the API takes, for its client only", () => {
    expect(theOnly(withPool.template, "AWS::ApiGatewayV2::Authorizer").Properties.JwtConfiguration).toEqual({
      Issuer: "https://cognito-idp.ca-central-1.amazonaws.com/ca-central-1_Ab12CdEf3",
      Audience: ["4abc0example"],
    });
  });

  test("may be searched and linked in by the rule, and by no other function; and no other pool may call it", () => {
    const rights = rightsIn(withPool.template).filter(({ Action }) => JSON.stringify(Action).includes("cognito"));
    expect(rights.map(({ id, Action, Resource }) => [id.slice(0, -8), Action, textOf(Resource)])).toEqual([
      ["IdentityPreSignUpAccounts", ["cognito-idp:AdminLinkProviderForUser", "cognito-idp:ListUsers"], poolArn],
    ]);
    const callers = ofType(withPool.template, "AWS::Lambda::Permission").filter(
      ([, { Properties }]) => textOf(Properties.FunctionName) === `\${${preSignUp(withPool.template)}.Arn}`,
    );
    expect(callers.map(([, { Properties }]) => [Properties.Principal, textOf(Properties.SourceArn)])).toEqual([
      ["cognito-idp.amazonaws.com", poolArn],
    ]);
  });

  test("is named in the outputs, with the rule to set on it, and without a page", () => {
    expect(withPool.template.Outputs).toMatchObject({
      UserPoolId: { Value: "ca-central-1_Ab12CdEf3" },
      UserPoolClientId: { Value: "4abc0example" },
      SignUpRuleArn: { Value: { "Fn::GetAtt": [preSignUp(withPool.template), "Arn"] } },
    });
    expect(withPool.template.Outputs).not.toHaveProperty("SignInPageUrl");
  });

  test("lets no function of the API take an email that is not verified", () => {
    // They get no tokens, and may grant a membership.
    const others = ["close-checkout", "reconcile"];
    const told = (template: StageTemplate) =>
      functions(template)
        .filter((one) => one.ADMIN_EMAIL_DOMAIN && !others.includes(one.POWERTOOLS_SERVICE_NAME as string))
        .map(({ VERIFIED_EMAIL_ONLY }) => VERIFIED_EMAIL_ONLY);
    expect([...new Set(told(withPool.template))]).toEqual(["true"]);
    // Control: a pool of the stack keeps the old email until the new one is verified.
    expect([...new Set(told(usual))]).toEqual([undefined]);
  });

  test("is warned of, by the name of everything that is left to people; the synthesis does not fail", () => {
    expect([withPool.errors, withPool.warnings.length]).toEqual([[], 1]);
    for (const left of [
      ...["user pool ca-central-1_Ab12CdEf3", "docs/web-app.md", "SignUpRuleArn", "AutoVerifiedAttributes", "Google"],
      ...["AttributesRequireVerificationBeforeUpdate", "password policy", "mails with codes"],
      "protection against deletion",
    ]) {
      expect(withPool.warnings[0]).toContain(left);
    }
  });
});

describe("an API with a domain name of its own", () => {
  const domainType = "AWS::ApiGatewayV2::DomainName";
  const only = (type: string): string => ofType(withTable, type)[0]?.[0] ?? "";

  test("has it with the certificate, TLS 1.2 at least, and the same paths; the address from AWS stays", () => {
    expect(theOnly(withTable, domainType).Properties).toMatchObject({
      DomainName: domainName,
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" },
      ],
    });
    const [api, stage] = [only("AWS::ApiGatewayV2::Api"), only("AWS::ApiGatewayV2::Stage")];
    expect(theOnly(withTable, "AWS::ApiGatewayV2::ApiMapping")).toMatchObject({
      DependsOn: expect.arrayContaining([only(domainType), stage]),
      Properties: { ApiId: { Ref: api }, DomainName: { Ref: only(domainType) }, Stage: "$default" },
    });
    expect(withTable.Resources[api]?.Properties.DisableExecuteApiEndpoint).toBeUndefined();
  });

  test("is known by it, and outputs name the target of the DNS record; other stages have none", () => {
    expect(withTable.Outputs.ApiUrl?.Value).toBe(`https://${domainName}`);
    expect(textOf(withTable.Outputs.ApiDomainTarget?.Value)).toBe(`\${${only(domainType)}.RegionalDomainName}`);
    expect(textOf(withTable.Outputs.ApiDomainZone?.Value)).toBe(`\${${only(domainType)}.RegionalHostedZoneId}`);
    expect(textOf(usual.Outputs.ApiUrl?.Value)).toMatch(/^\$\{Api\w+\.ApiEndpoint\}$/);
    expect(usual.Outputs).not.toHaveProperty("ApiDomainTarget");
  });

  test("keeps its address when it is made anew; the name itself is a loss", () => {
    const small = Object.entries(withTable.Resources).filter(([, { Type }]) =>
      /ApiGatewayV2::(?:Api|Stage|DomainName)/.test(Type),
    );
    const template: StageTemplate = { Outputs: withTable.Outputs, Resources: Object.fromEntries(small) };
    const lost = (type: string) => {
      const other = JSON.parse(JSON.stringify(template).replaceAll(`"${only(type)}"`, `"Other${only(type)}"`));
      return judge(template as never, other).refused.map(({ name }) => name.split(".")[0]);
    };
    expect(lost("AWS::ApiGatewayV2::Api")).not.toContain("Outputs");
    expect(lost(domainType)).toContain(only(domainType));
  });
});

describe("a restored table", () => {
  const tableOf = (template: StageTemplate): string => ofType(template, "AWS::DynamoDB::Table")[0]?.[0] ?? "";
  /** All that refers to the stack's own table: functions, policies, outputs. */
  const usersOf = (template: StageTemplate): string[] =>
    Object.entries({ ...template.Resources, ...template.Outputs })
      .filter(([id, one]) => id !== tableOf(template) && JSON.stringify(one).includes(`"${tableOf(template)}"`))
      .map(([id]) => id);

  test("is used by every function, and the stack's own, which stays as it is, by none", () => {
    const told = functions(withTable).flatMap(({ TABLE_NAME }) => TABLE_NAME ?? []);
    expect([...new Set(told)]).toEqual([restoredTable.tableName]);
    expect(withTable.Outputs.TableName?.Value).toBe(restoredTable.tableName);
    expect(usersOf(withTable)).toEqual([]);
    expect(usersOf(usual).length).toBeGreaterThan(20); // control
    expect(theOnly(withTable, "AWS::DynamoDB::Table")).toEqual(theOnly(usual, "AWS::DynamoDB::Table"));
  });

  test("is the one whose stream the relay reads, with all four permissions", () => {
    const sources = ofType(withTable, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) =>
      textOf(Properties.EventSourceArn),
    );
    expect(sources.filter((source) => source.includes(":dynamodb:"))).toEqual([restoredTable.streamArn]);
    const rights = rightsIn(withTable).filter(
      ({ id, Action }) => id.startsWith("RelayRole") && JSON.stringify(Action).includes("dynamodb:"),
    );
    expect(rights.map(({ Action, Resource }) => [[Action].flat().length, textOf(Resource)])).toEqual([
      [3, restoredTable.streamArn],
      [1, expect.stringMatching(/:table\/ClubEvents-staging-restored\/stream\/\*$/)],
    ]);
  });

  test("gives each function the rights on tables and indexes that it had", () => {
    const onTable = (template: StageTemplate, name: string) =>
      rightsIn(template)
        .filter(({ id, Action }) => !/^Relay|^Chat/.test(id) && JSON.stringify(Action).includes("dynamodb:"))
        .map(({ id, Action, Resource }) => {
          const resources = [Resource].flat().map((resource) => textOf(resource).split(name).at(-1));
          return `${id}: ${[Action].flat().sort().join()} ${resources.join()}`;
        });
    const rights = onTable(withTable, restoredTable.tableName);
    expect(rights).toEqual(onTable(usual, `\${${tableOf(usual)}.Arn}`));
    expect(rights.length).toBeGreaterThan(20);
  });
});

test.each([
  [
    "publicEvents",
    () => withPool.template,
    ["GET /calendar.ics", "HEAD /calendar.ics", "GET /events", "GET /events/{eventId}/{year}"],
    ["calendar", "events"],
  ],
  ["publicProfiles", () => withTable, ["GET /profiles/profile/{profileID}"], ["profiles"]],
] as const)(
  "a stage with %s takes no token on its routes, and its function checks sent ones",
  (setting, of, open, by) => {
    const template = of();
    expect(openRoutes(template).sort()).toEqual([...publicRoutes, ...open].sort());
    expect(unlimited(template)).toEqual([]);
    const told = functions(template)
      .filter((one) => "PUBLIC_ROUTES" in one || "TOKEN_ISSUER" in one)
      .sort((a, b) => (String(a.POWERTOOLS_SERVICE_NAME) < String(b.POWERTOOLS_SERVICE_NAME) ? -1 : 1));
    const { Issuer, Audience } = theOnly(template, "AWS::ApiGatewayV2::Authorizer").Properties.JwtConfiguration;
    expect(told).toMatchObject(
      by.map((name) => ({
        ...{ POWERTOOLS_SERVICE_NAME: name, PUBLIC_ROUTES: setting },
        ...{ TOKEN_ISSUER: Issuer, TOKEN_AUDIENCE: Audience[0] },
      })),
    );
  },
);

test("a stage without a webhook has no chat consumer", () => {
  expect(JSON.stringify(usual)).toContain("CHAT_WEBHOOK_SECRET");
  expect(JSON.stringify(withTable)).not.toContain("CHAT_WEBHOOK_SECRET");
  expect(Object.keys(withTable.Resources).filter((id) => id.startsWith("Chat"))).toEqual([]);
});

describe("the sender's name in the mails of the user pool", () => {
  const address = "events@club.example";
  function fromOf(fromName: string): string {
    const stack = new Stack(undefined, "Names", { env: { region: "us-west-2" } });
    new UserPool(stack, "Pool", { email: UserPoolEmail.withSES({ fromEmail: address, fromName }) });
    const [own] = Object.values(Template.fromStack(stack).findResources("AWS::Cognito::UserPool"));
    return own?.Properties.EmailConfiguration.From;
  }

  test("stays the name", async () => {
    for (const name of usualNames) {
      const { from } = await simpleParser(`From: ${fromOf(quotedName(name))}\r\n\r\n`);
      expect(from?.value).toEqual([{ name, address }]);
    }
    // Control: the construct does not quote it.
    expect(fromOf("Club, Events.")).toBe(`Club, Events. <${address}>`);
  });
});
