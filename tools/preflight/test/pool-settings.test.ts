/** `--mend` for an existing user pool: it changes what the check demands, and keeps every other setting. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { StageConfig } from "../../../lib/stages.ts";
import { userPool } from "../checks/user-pool.ts";
import {
  allRequests,
  applied,
  awsError,
  clubStaging,
  given,
  givenAccount,
  planOf,
  region,
  requestsOf,
} from "./account.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const userPoolId = `${region}_Ab12CdEf3`;
const clientId = "4abc0example";
const stage: StageConfig = { ...clubStaging, identity: { existing: { userPoolId, clientId, region } } };
const rule = `arn:aws:lambda:${region}:123456789012:function:ClubEvents-staging-PreSignUp`;
const old = `arn:aws:lambda:${region}:123456789012:function:old`;

/** An old pool, as DescribeUserPool shows it. */
const oldPool = {
  Id: userPoolId,
  Name: "members",
  Arn: "arn:pool",
  Status: "Enabled",
  EstimatedNumberOfUsers: 900,
  UsernameAttributes: ["email"],
  UsernameConfiguration: { CaseSensitive: false },
  AutoVerifiedAttributes: ["phone_number"],
  LambdaConfig: { PreSignUp: old, PostConfirmation: "arn:after" },
  Policies: { PasswordPolicy: { MinimumLength: 10, RequireNumbers: true, PasswordHistorySize: 3 } },
  AdminCreateUserConfig: { AllowAdminCreateUserOnly: false, UnusedAccountValidityDays: 30 },
  EmailConfiguration: { EmailSendingAccount: "DEVELOPER", SourceArn: "arn:mails" },
  MfaConfiguration: "OPTIONAL",
  DeletionProtection: "INACTIVE",
};
/** What a request keeps of it. */
const oldSettings = {
  UserPoolId: userPoolId,
  PoolName: "members",
  AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
  AutoVerifiedAttributes: ["phone_number"],
  DeletionProtection: "INACTIVE",
  EmailConfiguration: oldPool.EmailConfiguration,
  LambdaConfig: oldPool.LambdaConfig,
  MfaConfiguration: "OPTIONAL",
  Policies: {
    PasswordPolicy: {
      MinimumLength: 10,
      PasswordHistorySize: 3,
      RequireNumbers: true,
      TemporaryPasswordValidityDays: 30,
    },
  },
};
const newSettings = {
  ...oldSettings,
  AutoVerifiedAttributes: ["phone_number", "email"],
  UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ["email"] },
  LambdaConfig: { PreSignUp: rule, PostConfirmation: "arn:after" },
  Policies: {
    PasswordPolicy: {
      ...oldSettings.Policies.PasswordPolicy,
      RequireLowercase: true,
      RequireUppercase: true,
      RequireSymbols: true,
    },
  },
  DeletionProtection: "ACTIVE",
};
const changes = [
  'AutoVerifiedAttributes ["phone_number"] becomes ["phone_number","email"]',
  'DeletionProtection "INACTIVE" becomes "ACTIVE"',
  `LambdaConfig.PreSignUp "${old}" becomes "${rule}"`,
  "Policies.PasswordPolicy.RequireLowercase none becomes true",
  "Policies.PasswordPolicy.RequireUppercase none becomes true",
  "Policies.PasswordPolicy.RequireSymbols none becomes true",
  'UserAttributeUpdateSettings.AttributesRequireVerificationBeforeUpdate none becomes ["email"]',
];
const factors = { MfaConfiguration: "OPTIONAL", SoftwareTokenMfaConfiguration: { Enabled: true } };

/** The pool and its factors in Cognito. */
let pool: object;
let inPlace: object;
let folder: string;

/** Cognito resets what a request does not name, but for what no request can set. */
function update({ UserPoolId: _, PoolName: Name, ...settings }: Record<string, unknown>): object {
  const { Id, Arn, Status, UsernameAttributes, UsernameConfiguration } = oldPool;
  pool = { Id, Arn, Status, UsernameAttributes, UsernameConfiguration, Name, ...settings };
  return {};
}

const deployed = (Outputs: object[]) =>
  given("DescribeStacks", { Stacks: [{ StackStatus: "UPDATE_COMPLETE", Outputs }] });

beforeEach(() => {
  givenAccount();
  deployed([{ OutputKey: "SignUpRuleArn", OutputValue: rule }]);
  [pool, inPlace, folder] = [oldPool, factors, mkdtempSync(join(tmpdir(), "pool-"))];
  given("DescribeUserPool", () => ({ UserPool: pool }));
  given("DescribeUserPoolClient", { UserPoolClient: { UserPoolId: userPoolId, ClientId: clientId } });
  given("GetUserPoolMfaConfig", () => ({ $metadata: {}, ...inPlace }));
  given("UpdateUserPool", update);
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string) => join(folder, name);
const json = (name: string) => JSON.parse(readFileSync(file(name), "utf8"));
const apply = () => applied(userPool, stage, { folder });
const plan = async () => (await planOf(userPool, stage, { folder })).join("\n");
const isPlanned = `plan     user pool: update the user pool ${userPoolId}, and keep its former settings in pool-as-it-was.json and mfa-as-it-was.json: `;

describe("the plan", () => {
  test("is one change for all findings, with each difference", async () => {
    const [line = "", ...more] = await planOf(userPool, stage, { folder });
    expect(more).toEqual([]);
    expect(line.startsWith(isPlanned)).toBe(true);
    expect(line.slice(isPlanned.length, -1).split("; ").sort()).toEqual([...changes].sort());
    expect(allRequests().filter((name) => name.startsWith("Update"))).toEqual([]);
  });

  test("there is none for a pool that has all, and none for a pool of the stack", async () => {
    update(newSettings);
    expect(await plan()).toBe("");
    expect(await planOf(userPool)).toEqual([]);
  });
});

test("the update names all settings, and the former ones are kept in files for their owner only", async () => {
  const [line = "", ...more] = await apply();
  expect(more).toEqual([]);
  expect(line).toMatch(new RegExp(`^done {5}user pool: updated the user pool ${userPoolId}: .*LambdaConfig`));
  expect(requestsOf("UpdateUserPool")).toEqual([newSettings]);
  expect(json("pool-as-it-was.json")).toEqual(oldSettings);
  expect(json("mfa-as-it-was.json")).toEqual({ UserPoolId: userPoolId, ...factors });
  for (const name of ["pool-as-it-was.json", "mfa-as-it-was.json"]) {
    expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  }
});

describe("every setting that a request takes is sent back", () => {
  const folderOfModels = `${root}node_modules/@aws-sdk/client-cognito-identity-provider/dist-types/models`;
  const models = ["models_0.d.ts", "models_1.d.ts"].map((name) => `${folderOfModels}/${name}`);
  const text = models.map((path) => readFileSync(path, "utf8")).join("\n");
  const [, members = ""] = /export interface UpdateUserPoolRequest \{(.*?)\n\}/s.exec(text) ?? [];
  const settings = [...members.matchAll(/^ {4}(\w+)\??: /gm)].map(([, name = ""]) => name);

  test.each(settings.filter((name) => name !== "UserPoolId" && name !== "PoolName"))("%s", async (name) => {
    const ofMany = { DeletionProtection: "ACTIVE", AutoVerifiedAttributes: ["phone_number"] };
    const value = (ofMany as Record<string, unknown>)[name] ?? { Kept: name };
    pool = { ...oldPool, [name]: value };
    await apply();
    expect(requestsOf("UpdateUserPool")).toEqual([expect.objectContaining({ [name]: expect.anything() })]);
    expect(JSON.stringify(requestsOf("UpdateUserPool"))).toContain(JSON.stringify(value).slice(1, -1));
  });
});

test.each([
  ["CONFIRM_WITH_CODE", { EmailMessage: "{####}", EmailSubject: "Code" }],
  ["CONFIRM_WITH_LINK", { EmailMessageByLink: "{##Here##}", EmailSubjectByLink: "Link" }],
])("%s: the texts that the pool sends are kept, because Cognito refuses both", async (DefaultEmailOption, texts) => {
  const both = {
    EmailMessage: "{####}",
    EmailSubject: "Code",
    EmailMessageByLink: "{##Here##}",
    EmailSubjectByLink: "Link",
  };
  pool = { ...oldPool, VerificationMessageTemplate: { DefaultEmailOption, SmsMessage: "{####}", ...both } };
  await apply();
  expect(requestsOf("UpdateUserPool")).toMatchObject([
    { VerificationMessageTemplate: { DefaultEmailOption, SmsMessage: "{####}", ...texts } },
  ]);
  const [{ VerificationMessageTemplate = {} } = {}] = requestsOf("UpdateUserPool") as Record<string, object>[];
  expect(Object.keys(VerificationMessageTemplate)).toHaveLength(4);
});

describe("refused:", () => {
  const allow = (action: string) =>
    `failed   user pool: these credentials have no permission for ${action}. Fix: allow it; an administrator has what it needs.`;

  test("the factors cannot be read, so nothing is changed", async () => {
    given("GetUserPoolMfaConfig", awsError("AccessDeniedException"));
    expect(await apply()).toEqual([allow("cognito-idp:GetUserPoolMfaConfig")]);
    expect(requestsOf("UpdateUserPool")).toEqual([]);
  });

  test("the update is not allowed; once it is, the same files serve", async () => {
    given("UpdateUserPool", awsError("AccessDeniedException"));
    expect(await apply()).toEqual([allow("cognito-idp:UpdateUserPool")]);
    given("UpdateUserPool", update);
    expect(await apply()).toEqual([expect.stringMatching(/^done/)]);
  });

  test("the way back of an earlier change is not overwritten", async () => {
    writeFileSync(file("pool-as-it-was.json"), "{}\n");
    expect(await apply()).toEqual([
      `failed   user pool: ${file("pool-as-it-was.json")} has other settings, of an earlier change. Fix: move it to a safe place and try again.`,
    ]);
    expect(readFileSync(file("pool-as-it-was.json"), "utf8")).toBe("{}\n");
    expect(requestsOf("UpdateUserPool")).toEqual([]);
  });
});

describe("a change beside the plan is named, with the way back:", () => {
  const back =
    "Fix: look into the pool. The way back: aws cognito-idp update-user-pool --cli-input-json file://pool-as-it-was.json && aws cognito-idp set-user-pool-mfa-config --cli-input-json file://mfa-as-it-was.json";

  test("of a setting", async () => {
    given("UpdateUserPool", ({ EmailConfiguration: _, ...request }) => update(request));
    expect(await apply()).toEqual([
      `failed   user pool: the user pool ${userPoolId} is updated, but not as planned: EmailConfiguration.EmailSendingAccount "DEVELOPER" becomes none; EmailConfiguration.SourceArn "arn:mails" becomes none. ${back}`,
    ]);
  });
});

test("no document tells people to update a living pool with a single setting", () => {
  for (const name of ["deploy.md", "web-app.md", "runbook.md"]) {
    const calls = readFileSync(`${root}docs/${name}`, "utf8").matchAll(/update-user-pool (--.*)/g);
    // A pool that is going to be deleted loses nothing by it.
    for (const [, flags = ""] of calls)
      expect(flags).toMatch(/^--(?:cli-input-json|user-pool-id <pool> --deletion-protection INACTIVE)/);
  }
});
