/** Seeding, and what a stage keeps. What it serves is seen by the tests in test/service, which run on it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Secret, TOTP } from "otpauth";
import { exec, member, user } from "../../../test/service/given.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";
import { givenFolder } from "../../../test/unit/folder.ts";
import { SeedFailed } from "../seed/index.ts";

const open: (() => unknown)[] = [];
let directory: string;
beforeEach(async () => {
  directory = await givenFolder(open);
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function given(options: Parameters<typeof givenStage>[0]): Promise<ServiceStage> {
  const stage = await givenStage({ directory, ...options });
  open.push(() => stage.close());
  return stage;
}

const password = "Club-local-1!";

/** Calls the user pool as a browser does. */
async function callPool({ outputs }: ServiceStage, action: string, input: object) {
  const answer = await fetch(outputs.identityUrl, {
    method: "POST",
    headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${action}` },
    body: JSON.stringify({ ClientId: outputs.userPoolClientId, ...input }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, Record<string, string>> };
}

const signIn = (stage: ServiceStage, USERNAME: string) =>
  callPool(stage, "InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME, PASSWORD: password },
  });

/** The person signs in with an authenticator app from now on. */
async function useApp(stage: ServiceStage, email: string): Promise<void> {
  const AccessToken = (await signIn(stage, email)).body.AuthenticationResult?.AccessToken;
  const { SecretCode } = (await callPool(stage, "AssociateSoftwareToken", { AccessToken })).body;
  const UserCode = TOTP.generate({ secret: Secret.fromBase32(String(SecretCode)) });
  await callPool(stage, "VerifySoftwareToken", { AccessToken, UserCode });
  const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
  await callPool(stage, "SetUserMFAPreference", { AccessToken, SoftwareTokenMfaSettings });
}

test("a stage writes its addresses, is seeded, and keeps its data, although an account has got an authenticator app", async () => {
  const keeping = { memory: false, seed: true };
  const stage = await given(keeping);
  expect(JSON.parse(await readFile(join(directory, "outputs.json"), "utf8"))).toEqual(stage.outputs);
  const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(stage.outputs).toMatchObject({
    apiUrl: url,
    busUrl: stage.endpoint("EVENTBRIDGE"),
    mailUrl: stage.endpoint("SES"),
    secretsUrl: url,
    chatUrl: url,
    paymentsUrl: stage.payments.url,
    webhookSecret: expect.stringMatching(/^whsec_/),
    accounts: [
      { email: exec, password, role: "admin" },
      { email: member, password, role: "member" },
      { email: user, password, role: "user" },
    ],
  });
  const record = async (email: string) => (await stage.api("GET", "/users/self", { as: email })).body;
  expect(await record(exec)).toMatchObject({ admin: true, isMember: true });
  expect(await record(member)).toMatchObject({ admin: false, isMember: true, fname: "Mira" });
  expect(await record(user)).toMatchObject({ admin: false, isMember: false });
  expect((await signIn(stage, user)).status).toBe(200);

  const { body: events } = await stage.api("GET", "/events", { as: exec });
  for (const { deadline, startDate } of events) expect(Date.parse(deadline)).toBeLessThan(Date.parse(startDate));
  const [banner, ...others] = new Set<string>(events.map(({ imageUrl }: { imageUrl: string }) => imageUrl));
  expect(others).toEqual([]);
  expect((await fetch(banner as string)).headers.get("content-type")).toBe("image/png");

  const token = await stage.tokenFor(user);
  const everybody = (one: ServiceStage) => Promise.all([user, member].map((email) => one.stored(`USER#${email}`)));
  const before = await everybody(stage);
  await useApp(stage, user);
  await stage.close();
  const second = await given(keeping);
  expect(await everybody(second)).toEqual(before);
  expect((await second.api("GET", "/users/self", { token })).status).toBe(200);
  expect((await signIn(second, user)).body).toMatchObject({ ChallengeName: "SOFTWARE_TOKEN_MFA" });
});

test("a stage that cannot be seeded does not start, and says why", async () => {
  const failed = given({ seed: true, quiet: true, withheld: (name) => name === "Users" });
  await expect(failed).rejects.toThrow(SeedFailed);
  await expect(failed).rejects.toThrow(
    /^The first accounts and events could not be made: POST \/users answers 500: .*\nnpm start -- --no-seed starts /,
  );
});
