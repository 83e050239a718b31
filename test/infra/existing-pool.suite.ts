/** A stage whose user pool exists before the stack. */
import { describe, expect, test } from "@jest/globals";
import type { StageConfig } from "../../lib/stages.ts";
import { givenTemplates, ofType, type StageTemplate, textOf, theOnly } from "./stage-templates.ts";

const pool = { userPoolId: "ca-central-1_Ab12CdEf3", clientId: "4abc0example", region: "ca-central-1" };
const poolArn = `arn:\${AWS::Partition}:cognito-idp:ca-central-1:\${AWS::AccountId}:userpool/${pool.userPoolId}`;
const isCognito = ([, { Type }]: [string, { readonly Type: string }]) => Type.startsWith("AWS::Cognito::");

async function given(): Promise<{ template: StageTemplate; warnings: string[]; errors: string[] }> {
  const { App } = await import("aws-cdk-lib");
  const { Annotations, Match, Template } = await import("aws-cdk-lib/assertions");
  const { ClubStack } = await import("../../lib/club-stack.ts");
  const { staging } = await import("../stages.ts");
  const { featureFlags } = await import("../../lib/feature-flags.ts");
  const stage: StageConfig = { ...staging, identity: { existing: pool } };
  const stack = new ClubStack(new App({ context: featureFlags() }), "ClubEvents-staging", { stage });
  const said = (entries: { entry: { data?: unknown } }[]) => entries.map(({ entry }) => String(entry.data));
  const annotations = Annotations.fromStack(stack);
  const everything = Match.anyValue();
  return {
    template: Template.fromStack(stack).toJSON() as StageTemplate,
    warnings: said(annotations.findWarning("*", everything)),
    errors: said(annotations.findError("*", everything)),
  };
}

let made: ReturnType<typeof given> | undefined;
const synthesized = () => {
  made ??= given();
  return made;
};

/** Id of the function behind the trigger. */
const ruleOf = (template: StageTemplate): string =>
  ofType(template, "AWS::Lambda::Function").find(
    ([, { Properties }]) => Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME === "pre-sign-up",
  )?.[0] ?? "";

describe("an existing user pool", () => {
  test("is not made, changed or given a client, a page or a provider", async () => {
    const { template } = await synthesized();
    expect(Object.entries(template.Resources).filter(isCognito)).toEqual([]);
    const { staging } = await givenTemplates();
    expect(Object.entries(staging.Resources).filter(isCognito)).toHaveLength(3); // control
  });

  test("is the issuer whose tokens the API takes, for its client only", async () => {
    const { template } = await synthesized();
    expect(theOnly(template, "AWS::ApiGatewayV2::Authorizer").Properties).toMatchObject({
      AuthorizerType: "JWT",
      JwtConfiguration: {
        Issuer: "https://cognito-idp.ca-central-1.amazonaws.com/ca-central-1_Ab12CdEf3",
        Audience: ["4abc0example"],
      },
    });
  });

  test("may be searched and linked in by the rule, and by no other function", async () => {
    const { template } = await synthesized();
    const statements = ofType(template, "AWS::IAM::Policy").flatMap(([id, { Properties }]) =>
      (Properties.PolicyDocument.Statement as { Action: string | string[]; Resource: unknown }[])
        .filter(({ Action }) => [Action].flat().some((action) => action.startsWith("cognito")))
        .map(({ Action, Resource }) => ({ id: id.replace(/[0-9A-F]{8}$/, ""), Action, Resource: textOf(Resource) })),
    );
    expect(statements).toEqual([
      {
        id: "IdentityPreSignUpAccounts",
        Action: ["cognito-idp:AdminLinkProviderForUser", "cognito-idp:ListUsers"],
        Resource: poolArn,
      },
    ]);
  });

  test("is the only pool that may call the rule", async () => {
    const { template } = await synthesized();
    const FunctionName = { "Fn::GetAtt": [ruleOf(template), "Arn"] };
    const permissions = ofType(template, "AWS::Lambda::Permission")
      .map(([, { Properties }]) => Properties)
      .filter((one) => textOf(one.FunctionName) === textOf(FunctionName));
    expect(permissions).toEqual([
      {
        Action: "lambda:InvokeFunction",
        FunctionName,
        Principal: "cognito-idp.amazonaws.com",
        SourceArn: expect.anything(),
      },
    ]);
    expect(textOf(permissions[0].SourceArn)).toBe(poolArn);
  });

  test("is named in the outputs, with the rule to set on it, and without a page", async () => {
    const { template } = await synthesized();
    expect(template.Outputs).toMatchObject({
      UserPoolId: { Value: "ca-central-1_Ab12CdEf3" },
      UserPoolClientId: { Value: "4abc0example" },
      SignUpRuleArn: { Value: { "Fn::GetAtt": [ruleOf(template), "Arn"] } },
    });
    expect(template.Outputs).not.toHaveProperty("SignInPageUrl");
  });

  test("lets no function of the API take an email that is not verified", async () => {
    const told = ({ Resources }: StageTemplate) =>
      Object.values(Resources)
        .filter(
          ({ Type, Properties: { Environment } }) =>
            Type === "AWS::Lambda::Function" &&
            Environment?.Variables.ADMIN_EMAIL_DOMAIN &&
            // They get no tokens, and may grant a membership.
            !["close-checkout", "reconcile"].includes(Environment.Variables.POWERTOOLS_SERVICE_NAME),
        )
        .map(({ Properties }) => Properties.Environment.Variables.VERIFIED_EMAIL_ONLY);
    const { template } = await synthesized();
    expect([...new Set(told(template))]).toEqual(["true"]);
    // Control: a pool of the stack keeps the old email until the new one is verified.
    expect([...new Set(told((await givenTemplates()).staging))]).toEqual([undefined]);
  });

  test("is warned of, by the name of everything that is left to people; the synthesis does not fail", async () => {
    const { warnings, errors } = await synthesized();
    expect(errors).toEqual([]);
    expect(warnings).toHaveLength(1);
    for (const left of [
      "user pool ca-central-1_Ab12CdEf3",
      "docs/web-app.md",
      "SignUpRuleArn",
      "AttributesRequireVerificationBeforeUpdate",
      "AutoVerifiedAttributes",
      "password policy",
      "mails with codes",
      "Google",
      "protection against deletion",
    ]) {
      expect(warnings[0]).toContain(left);
    }
  });
});
