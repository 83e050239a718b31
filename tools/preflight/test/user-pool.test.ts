/** What preflight says about a user pool that exists before the stack. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { StageConfig } from "../../../lib/stages.ts";
import { userPool } from "../checks/user-pool.ts";
import { clubStaging, given, givenAccount, givenNoStack, linesOf, region } from "./account.ts";

const userPoolId = `${region}_Ab12CdEf3`;
const clientId = "4abc0example";
const stage: StageConfig = { ...clubStaging, identity: { existing: { userPoolId, clientId, region } } };
const rule = `arn:aws:lambda:${region}:123456789012:function:ClubEvents-staging-PreSignUp`;

const pool = {
  Id: userPoolId,
  UsernameAttributes: ["email"],
  UsernameConfiguration: { CaseSensitive: false },
  AutoVerifiedAttributes: ["email"],
  UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ["email"] },
  LambdaConfig: { PreSignUp: rule },
  Policies: {
    PasswordPolicy: {
      MinimumLength: 8,
      RequireLowercase: true,
      RequireUppercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
    },
  },
  DeletionProtection: "ACTIVE",
};
const client = {
  UserPoolId: userPoolId,
  ClientId: clientId,
  ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
  SupportedIdentityProviders: ["COGNITO"],
};

const givenPool = (change: object = {}) => given("DescribeUserPool", { UserPool: { ...pool, ...change } });
const givenClient = (change: object = {}) =>
  given("DescribeUserPoolClient", { UserPoolClient: { ...client, ...change } });
const deployed = (outputs: object[]) =>
  given("DescribeStacks", { Stacks: [{ StackStatus: "UPDATE_COMPLETE", Outputs: outputs }] });

const asks = "ok       user pool: the pool asks the stack's function before a sign-up.";
const noSecret = `ok       user pool: the client ${clientId} has no secret.`;
const settings = 'docs/web-app.md, "Settings of the pool".';

beforeEach(() => {
  givenAccount();
  deployed([{ OutputKey: "SignUpRuleArn", OutputValue: rule }]);
  givenPool();
  givenClient();
});

test("a pool that does all that the stack's own does has no line with a fix", async () => {
  expect(await linesOf(userPool, stage)).toEqual([asks, noSecret]);
});

test("a stage with a pool of its own is not asked for another one", async () => {
  given("DescribeUserPool", new Error("not to be asked"));
  expect(await linesOf(userPool)).toEqual(["ok       user pool: the stack makes it."]);
});

describe("a problem:", () => {
  test("a client with a secret, which no line shows", async () => {
    givenClient({ ClientSecret: "Confidential" });
    const lines = await linesOf(userPool, stage);
    expect(lines[1]).toMatch(/^problem {2}user pool: the client 4abc0example has a secret, .*--no-generate-secret/);
    expect(lines.join()).not.toContain("Confidential");
  });

  test.each([[undefined], [[]], [["USER_PASSWORD_AUTH"]]])("control: flows %j leave SRP allowed", async (flows) => {
    givenClient({ ExplicitAuthFlows: flows });
    expect(await linesOf(userPool, stage)).toEqual([asks, noSecret]);
  });

  test("no email is verified", async () => {
    givenPool({ AutoVerifiedAttributes: ["phone_number"] });
    expect((await linesOf(userPool, stage))[0]).toBe(
      `problem  user pool: the pool verifies no email, and the service takes no caller without a verified one. Fix: ${settings}`,
    );
  });

  test("another function decides about sign-ups", async () => {
    givenPool({ LambdaConfig: { PreSignUp: "arn:aws:lambda:x:1:function:old" } });
    expect((await linesOf(userPool, stage))[0]).toMatch(
      /^problem .*asks arn:aws:lambda:x:1:function:old, which may confirm accounts and emails without a code\./,
    );
  });

  test("the stack is deployed, and the pool asks no function", async () => {
    givenPool({ LambdaConfig: {} });
    expect((await linesOf(userPool, stage))[0]).toMatch(
      new RegExp(`^problem .*asks no function before a sign-up.*set ${rule}; docs/web-app.md`),
    );
  });
});

describe("a warning:", () => {
  test("before the first deploy there is no function to ask", async () => {
    givenNoStack();
    givenPool({ LambdaConfig: {} });
    expect((await linesOf(userPool, stage))[0]).toMatch(/^warning .*after the deploy, set .* SignUpRuleArn/);
  });

  test.each<[string, RegExp, object]>([
    ["emails change at once", /counts before it is verified/, { UserAttributeUpdateSettings: undefined }],
    ["upper and lower case", /upper from lower case/, { UsernameConfiguration: undefined }],
    ["no protection", /not protected against deletion/, { DeletionProtection: "INACTIVE" }],
    [
      "a function that changes tokens",
      /changes the tokens/,
      { LambdaConfig: { PreSignUp: rule, PreTokenGenerationConfig: { LambdaArn: "arn:x", LambdaVersion: "V2_0" } } },
    ],
  ])("%s", async (_, text, change) => {
    givenPool(change);
    const lines = await linesOf(userPool, stage);
    expect(lines.filter((line) => !line.startsWith("ok"))).toEqual([
      expect.stringMatching(new RegExp(`^warning {2}user pool: .*${text.source}`)),
    ]);
  });

  test("other providers", async () => {
    givenClient({ SupportedIdentityProviders: ["COGNITO", "Google", "Campus"] });
    expect((await linesOf(userPool, stage)).at(-1)).toMatch(
      /^warning .*also sign in with Google, Campus\. Fix: map email_verified/,
    );
  });
});
