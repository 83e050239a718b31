/** What holds data: the table, the accounts, the images, the bus. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { listedAttributes } from "#domain/registrations/record/stored-form.ts";
import { Identity } from "../../lib/identity.ts";
import type { NewPool, StageName } from "../../lib/stages.ts";
import { ClubTable } from "../../lib/table.ts";
import { stages } from "../stages.ts";
import {
  broken,
  givenTemplates,
  ofType,
  type StageTemplate,
  stageNames,
  type TemplateResource,
  textOf,
  theOnly,
} from "./stage-templates.ts";
import { arnOf, idOf, set } from "./template-edits.ts";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

const key = (name: string, KeyType: string) => ({ AttributeName: name, KeyType });

describe.each(stageNames)("storage, %s", (stage) => {
  const deployed = stage !== "local";

  test("table: keys, indexes, bounds, recovery, stream, expiry, protection", () => {
    const OnDemandThroughput = { MaxReadRequestUnits: 12_000, MaxWriteRequestUnits: 4_000 };
    expect(theOnly(templates[stage], "AWS::DynamoDB::Table").Properties).toEqual({
      KeySchema: [key("PK", "HASH"), key("SK", "RANGE")],
      AttributeDefinitions: expect.arrayContaining([
        { AttributeName: "leaderboard", AttributeType: "S" },
        { AttributeName: "points", AttributeType: "N" },
      ]),
      GlobalSecondaryIndexes: [
        {
          IndexName: "GSI1",
          KeySchema: [key("GSI1PK", "HASH"), key("GSI1SK", "RANGE")],
          Projection: { ProjectionType: "ALL" },
          OnDemandThroughput,
        },
        {
          IndexName: "REGISTRATIONS",
          KeySchema: [key("SK", "HASH"), key("queueKey", "RANGE")],
          Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: listedAttributes },
          OnDemandThroughput,
        },
        {
          IndexName: "LEADERBOARD",
          KeySchema: [key("leaderboard", "HASH"), key("points", "RANGE")],
          Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["fname", "lname", "email"] },
          OnDemandThroughput,
        },
      ],
      BillingMode: "PAY_PER_REQUEST",
      OnDemandThroughput,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      DeletionProtectionEnabled: deployed,
    });
    // AWS takes 20 for an index, and 100 for all.
    expect(listedAttributes.length).toBeLessThanOrEqual(20);
  });

  test("user pool: sign-in by email, changes only once verified, protection", () => {
    const { Properties } = theOnly(templates[stage], "AWS::Cognito::UserPool");
    expect(Properties).toMatchObject({
      UsernameAttributes: ["email"],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ["email"],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ["email"] },
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: "verified_email", Priority: 1 }] },
      Policies: {
        PasswordPolicy: {
          MinimumLength: 8,
          RequireLowercase: true,
          RequireUppercase: true,
          RequireNumbers: true,
          RequireSymbols: true,
        },
      },
      EmailConfiguration: { EmailSendingAccount: "DEVELOPER" },
      // An authenticator app, for those who want one. No SMS, which costs money and needs a phone number.
      MfaConfiguration: "OPTIONAL",
      EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
      UserPoolTier: "LITE",
      DeletionProtection: deployed ? "ACTIVE" : "INACTIVE",
    });
    expect(Properties).not.toHaveProperty("SmsConfiguration");
  });

  test("user pool: asks before every sign-up and every code, and only this pool may ask", () => {
    const template = templates[stage];
    const [[pool, { Properties }]] = ofType(template, "AWS::Cognito::UserPool") as [[string, TemplateResource]];
    const [rule] = ofType(template, "AWS::Lambda::Function").find(
      ([, one]) => one.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME === "pre-sign-up",
    ) as [string, TemplateResource];
    const FunctionName = { "Fn::GetAtt": [rule, "Arn"] };
    expect(Properties.LambdaConfig).toEqual({ PreSignUp: FunctionName, CustomMessage: FunctionName });
    // Cognito waits five seconds.
    expect(template.Resources[rule]?.Properties.Timeout).toBeLessThanOrEqual(5);
    const permissions = ofType(template, "AWS::Lambda::Permission")
      .map(([, permission]) => permission.Properties)
      .filter((permission) => textOf(permission.FunctionName) === textOf(FunctionName));
    const permission = {
      Action: "lambda:InvokeFunction",
      FunctionName,
      Principal: "cognito-idp.amazonaws.com",
      SourceArn: { "Fn::GetAtt": [pool, "Arn"] },
    };
    expect(permissions).toEqual([permission, permission]);
  });

  test("nothing waits for itself: CloudFormation would refuse the stack", () => {
    expect(() => Template.fromJSON(templates[stage])).not.toThrow();
  });

  test("web client: no secret, SRP, code flow, one hour and seven days, default write attributes", () => {
    const { Properties } = theOnly(templates[stage], "AWS::Cognito::UserPoolClient");
    expect(Properties).toMatchObject({
      GenerateSecret: false,
      PreventUserExistenceErrors: "ENABLED",
      EnableTokenRevocation: true,
      IdTokenValidity: 60,
      AccessTokenValidity: 60,
      RefreshTokenValidity: 7 * 24 * 60,
      TokenValidityUnits: { IdToken: "minutes", AccessToken: "minutes", RefreshToken: "minutes" },
      AllowedOAuthFlows: ["code"],
      SupportedIdentityProviders: ["COGNITO"],
    });
    const flows = ["ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH"];
    expect([...Properties.ExplicitAuthFlows].sort()).toEqual(
      deployed ? flows : [...flows, "ALLOW_USER_PASSWORD_AUTH"].sort(),
    );
    // Sign-up and federation need to write the email; the pool keeps the old one until the new one is verified.
    expect(Properties).not.toHaveProperty("WriteAttributes");
    if (stage === "production") expect(JSON.stringify(Properties.CallbackURLs)).not.toContain("localhost");
  });

  test("image bucket: exact CORS, encrypted, no ACLs, tells the bus about uploads", () => {
    const { Properties } = theOnly(templates[stage], "AWS::S3::Bucket");
    const { AllowOrigins } = theOnly(templates[stage], "AWS::ApiGatewayV2::Api").Properties.CorsConfiguration;
    expect(Properties).toMatchObject({
      CorsConfiguration: {
        CorsRules: [
          { AllowedMethods: ["PUT"], AllowedHeaders: ["Content-Type"], AllowedOrigins: AllowOrigins, MaxAge: 3600 },
        ],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, IgnorePublicAcls: true },
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
      LifecycleConfiguration: {
        Rules: [{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: "Enabled" }],
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
      },
    });
    if (stage === "production") expect(JSON.stringify(AllowOrigins)).not.toContain("localhost");
  });

  test("an upload calls the cache-header function, its own copies do not, failures are kept", () => {
    const rules = ofType(templates[stage], "AWS::Events::Rule").map(([, { Properties }]) => Properties);
    const [rule, ...others] = rules.filter(({ EventPattern }) => EventPattern?.source.includes("aws.s3"));
    expect(others).toEqual([]);
    const [[bucket]] = ofType(templates[stage], "AWS::S3::Bucket") as [[string, unknown]];
    expect(rule).not.toHaveProperty("EventBusName"); // S3 speaks to the default bus only
    expect(rule.EventPattern).toEqual({
      source: ["aws.s3"],
      "detail-type": ["Object Created"],
      detail: {
        bucket: { name: [{ Ref: bucket }] },
        object: { key: [{ prefix: "event-thumbnails/" }] },
        reason: ["PutObject"],
      },
    });
    const [target] = rule.Targets;
    const handler = target.Arn["Fn::GetAtt"][0];
    expect(templates[stage].Resources[handler]?.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME).toBe(
      "cache-header",
    );
    const queue = target.DeadLetterConfig.Arn["Fn::GetAtt"][0];
    expect(templates[stage].Resources[queue]?.Type).toBe("AWS::SQS::Queue");
    const configs = ofType(templates[stage], "AWS::Lambda::EventInvokeConfig").map(([, { Properties }]) => Properties);
    const config = configs.find(({ FunctionName }) => FunctionName.Ref === handler);
    expect(textOf(config?.DestinationConfig.OnFailure.Destination)).toBe(`\${${queue}.Arn}`);
  });

  test("bus: ninety days to replay", () => {
    const [[bus]] = ofType(templates[stage], "AWS::Events::EventBus") as [[string, unknown]];
    expect(theOnly(templates[stage], "AWS::Events::Archive").Properties).toMatchObject({
      SourceArn: { "Fn::GetAtt": [bus, "Arn"] },
      EventPattern: { source: ["club.events"] },
      RetentionDays: 90,
    });
  });

  test("what holds data outlives the production stack only", () => {
    for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::S3::Bucket", "AWS::Logs::LogGroup"]) {
      for (const [, resource] of ofType(templates[stage], type)) {
        expect(resource.DeletionPolicy).toBe(stage === "production" ? "RetainExceptOnCreate" : "Delete");
      }
    }
  });
});

test("a circle would be found: the trigger's permission in its role's default policy", () => {
  const pool = (template: StageTemplate) => ({ Resource: arnOf(idOf(template, "Cognito::UserPool")) });
  const twisted = broken(
    templates.production,
    set("IAM::Policy", /PreSignUpRoleDefaultPolicy/, "PolicyDocument.Statement.[]", pool),
  );
  expect(() => Template.fromJSON(twisted)).toThrow(/IdentityPool.* -> IdentityPreSignUp/s);
});

/** A pool with other settings, by itself. */
function givenPool(settings: Partial<NewPool>): StageTemplate {
  const stack = new Stack(new App(), "Pool");
  const { production } = stages;
  new Identity(stack, "Identity", {
    stage: production,
    table: new ClubTable(stack, "Table", { stage: production }),
    configurationSet: "club-mails",
    settings: { ...(production.identity as NewPool), ...settings },
  });
  return Template.fromStack(stack).toJSON() as StageTemplate;
}

test("a pool that verifies by a link: its own text with the link, no text for codes, and a page for the link", () => {
  const template = givenPool({ verification: "link" });
  // Cognito refuses texts of both kinds.
  const { VerificationMessageTemplate, EmailVerificationMessage } = theOnly(
    template,
    "AWS::Cognito::UserPool",
  ).Properties;
  expect(EmailVerificationMessage).toBeUndefined();
  expect(VerificationMessageTemplate).toEqual({
    DefaultEmailOption: "CONFIRM_WITH_LINK",
    EmailMessageByLink: expect.stringMatching(/\{##Verify Email##\}/),
    EmailSubjectByLink: "Confirm your account for club events",
    SmsMessage: expect.anything(),
  });
  expect(ofType(template, "AWS::Cognito::UserPoolDomain")).toHaveLength(1);
  expect(theOnly(templates.production, "AWS::Cognito::UserPool").Properties.VerificationMessageTemplate).toMatchObject({
    DefaultEmailOption: "CONFIRM_WITH_CODE",
    EmailMessage: expect.stringContaining("{####}"),
  });
});

test("the mail with the code looks like the other mails: a page with language, title, heading and the club's name", () => {
  const { senderName } = stages.production;
  for (const stage of stageNames) {
    const { VerificationMessageTemplate, EmailVerificationMessage } = theOnly(
      templates[stage],
      "AWS::Cognito::UserPool",
    ).Properties;
    const { EmailMessage, EmailSubject } = VerificationMessageTemplate;
    expect(EmailVerificationMessage).toBe(EmailMessage);
    expect(EmailMessage).toMatch(/^<!DOCTYPE html>\n<html lang="en">/);
    expect(EmailMessage).toContain(`<title>${EmailSubject}</title>`);
    expect(EmailMessage).toMatch(/<h1 [^>]*>Your code<\/h1>/);
    expect(EmailMessage).toContain(`>${senderName}</p>`);
    // Once, so that no copy of it is left as it is. Cognito takes at most 20,000 characters.
    expect(EmailMessage.split("{####}")).toHaveLength(2);
    expect(EmailMessage.length).toBeLessThan(20_000);
  }
});

test("Google: a stage that names its secret gets the provider, with email and its verification", () => {
  const template = givenPool({ googleSecretName: "club/google" });
  const [id, google] = ofType(template, "AWS::Cognito::UserPoolIdentityProvider")[0]!;
  expect(google.Properties).toMatchObject({
    ProviderType: "Google",
    AttributeMapping: { email: "email", email_verified: "email_verified" },
    ProviderDetails: {
      client_id: expect.anything(),
      client_secret: expect.anything(),
      authorize_scopes: "openid email profile",
    },
  });
  expect(textOf(google.Properties.ProviderDetails.client_secret)).toBe(
    "{{resolve:secretsmanager:club/google:SecretString:clientSecret::}}",
  );
  const client = theOnly(template, "AWS::Cognito::UserPoolClient");
  expect(client.Properties.SupportedIdentityProviders).toEqual(["COGNITO", "Google"]);
  // A mapped attribute is written at every sign-in; one that the client may not write breaks the second.
  expect(client.Properties).not.toHaveProperty("WriteAttributes");
  expect(theOnly(template, "AWS::Cognito::UserPool").Properties.Schema).toContainEqual({
    Name: "email",
    Mutable: true,
    Required: true,
  });
  expect((client as unknown as { DependsOn: string[] }).DependsOn).toContain(id);
});
