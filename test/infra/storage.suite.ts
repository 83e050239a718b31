/** What holds data: the table, the accounts, the images, the bus. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { listedAttributes } from "#domain/registrations/record/stored-form.ts";
import { Identity } from "../../lib/identity.ts";
import { addResources } from "../../lib/resources.ts";
import type { NewPool, StageName } from "../../lib/stages.ts";
import { stages } from "../stages.ts";
import { broken, givenTemplates, ofType, type StageTemplate, stageNames, textOf, theOnly } from "./stage-templates.ts";
import { edited } from "./template-edits.ts";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

describe.each(stageNames)("storage, %s", (stage) => {
  test("nothing waits for itself: CloudFormation would refuse the stack", () => {
    expect(() => Template.fromJSON(templates[stage])).not.toThrow();
  });

  test("what holds data outlives the production stack only", () => {
    for (const type of ["AWS::DynamoDB::Table", "AWS::Cognito::UserPool", "AWS::S3::Bucket", "AWS::Logs::LogGroup"]) {
      for (const [, resource] of ofType(templates[stage], type)) {
        expect(resource.DeletionPolicy).toBe(stage === "production" ? "RetainExceptOnCreate" : "Delete");
      }
    }
  });
});

test("AWS takes 20 attributes for an index", () => {
  expect(listedAttributes.length).toBeLessThanOrEqual(20);
});

test("a circle would be found: the trigger's permission in its role's default policy", () => {
  const statement = '{"Resource":{"Fn::GetAtt":["$Cognito::UserPool","Arn"]}}';
  const row = ["IAM::Policy", "PreSignUpRoleDefaultPolicy", "PolicyDocument.Statement.[]", statement] as const;
  const twisted = broken(templates.production, edited([row]));
  expect(() => Template.fromJSON(twisted)).toThrow(/IdentityPool.* -> IdentityPreSignUp/s);
});

/** A pool with other settings, by itself. */
function givenPool(settings: Partial<NewPool>): StageTemplate {
  const stack = new Stack(new App(), "Pool");
  const { production } = stages;
  new Identity(stack, "Identity", addResources(stack, production), {
    ...(production.identity as NewPool),
    ...settings,
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
