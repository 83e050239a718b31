import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Secret, TOTP } from "otpauth";
import { exec, member, user } from "../../../test/service/given.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";
import { SeedFailed, seedAccounts } from "../seed/index.ts";

// The first stage of a changed source is synthesized.

/** Calls the user pool as a browser does. */
async function callPool({ outputs }: ServiceStage, action: string, input: object) {
  const answer = await fetch(outputs.identityUrl, {
    method: "POST",
    headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${action}` },
    body: JSON.stringify(input),
  });
  expect(answer.status).toBe(200);
  return answer.json() as Promise<{ AuthenticationResult: { AccessToken: string }; SecretCode: string }>;
}

/** The person signs in with an authenticator app from now on. */
async function useApp(stage: ServiceStage, email: string): Promise<void> {
  const { AuthenticationResult } = await callPool(stage, "InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    ClientId: stage.outputs.userPoolClientId,
    AuthParameters: { USERNAME: email, PASSWORD: "Club-local-1!" },
  });
  const { AccessToken } = AuthenticationResult;
  const { SecretCode } = await callPool(stage, "AssociateSoftwareToken", { AccessToken });
  const UserCode = TOTP.generate({ secret: Secret.fromBase32(SecretCode) });
  await callPool(stage, "VerifySoftwareToken", { AccessToken, UserCode });
  const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
  await callPool(stage, "SetUserMFAPreference", { AccessToken, SoftwareTokenMfaSettings });
}

describe("the gateway of the local stage", () => {
  let stage: ServiceStage;
  beforeAll(async () => {
    stage = await givenStage();
  });
  afterAll(() => stage.close());

  test("a person's data are in the table", async () => {
    const person = "somebody@student.example";
    expect((await stage.api("GET", "/users/self", { as: person })).status).toBe(404);
    expect((await stage.api("POST", "/users", { as: person, body: { fname: "Some" } })).status).toBe(201);
    expect((await stage.api("GET", "/users/self", { as: person })).body).toMatchObject({
      email: person,
      fname: "Some",
    });
    expect(await stage.stored(`USER#${person}`)).toEqual([expect.objectContaining({ SK: "USER", fname: "Some" })]);
  });

  test("an upload reaches the function that its rule names", async () => {
    const body = { fileType: "image/png", fileName: "banner.png", prefix: "optimized", eventId: "gala" };
    const { uploadUrl, publicUrl } = (await stage.api("POST", "/events/event-image-upload-url", { as: exec, body }))
      .body;
    const headers = { "content-type": "image/png" };
    expect((await fetch(uploadUrl, { method: "PUT", headers, body: "pixels" })).status).toBe(200);
    await stage.settled();

    const served = await fetch(publicUrl);
    expect(served.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await served.text()).toBe("pixels");
  });

  test("a sign-up code arrives in the mailbox, from the pool's sender", async () => {
    const { identityUrl, userPoolClientId, mailUrl } = stage.outputs;
    const signUp = await fetch(identityUrl, {
      method: "POST",
      headers: { "x-amz-target": "AWSCognitoIdentityProviderService.SignUp" },
      body: JSON.stringify({
        ClientId: userPoolClientId,
        Username: "new@student.example",
        Password: "Club-local-1!",
        UserAttributes: [{ Name: "email", Value: "new@student.example" }],
      }),
    });
    expect(signUp.status).toBe(200);
    const { emails } = (await (await fetch(`${mailUrl}/store`)).json()) as { emails: object[] };
    expect(emails).toContainEqual(
      expect.objectContaining({
        from: '"Club Events" <events@club.example>',
        destination: expect.objectContaining({ to: ["new@student.example"] }),
        body: expect.objectContaining({
          text: expect.stringMatching(/^Your code\nYour code is \d{6}\. If you did not ask.*\nClub Events$/),
          html: expect.stringMatching(
            /<html lang="en">.*<title>Your code for club events<\/title>.*<h1[^>]*>Your code<\/h1>.*Your code is \d{6}\./s,
          ),
        }),
      }),
    );
  });

  test("three hundred people at once get an answer each", async () => {
    const people = Array.from({ length: 300 }, (_, index) => `person${index}@student.example`);
    const answers = await Promise.all(people.map((as) => stage.api("GET", "/users/self", { as })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });
});

describe("a local stage with a directory", () => {
  let directory: string;
  let stage: ServiceStage | undefined;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "stage-"));
  });
  afterEach(async () => {
    await stage?.close();
    stage = undefined;
    await rm(directory, { recursive: true });
  });

  test("writes the addresses of all services, and is seeded with accounts that can sign in", async () => {
    stage = await givenStage({ directory, seed: true });
    const outputs = JSON.parse(await readFile(join(directory, "outputs.json"), "utf8"));

    expect(outputs).toEqual(stage.outputs);
    expect(outputs).toMatchObject({
      apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      region: "us-west-2",
      busUrl: stage.endpoint("EVENTBRIDGE"),
      mailUrl: stage.endpoint("SES"),
      secretsUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      chatUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      paymentsUrl: stage.payments.url,
      webhookSecret: expect.stringMatching(/^whsec_/),
      adminEmailDomain: "club.example",
      accounts: [
        { email: exec, password: "Club-local-1!", role: "admin" },
        { email: member, password: "Club-local-1!", role: "member" },
        { email: user, password: "Club-local-1!", role: "user" },
      ],
    });
    const record = async (email: string) => (await stage?.api("GET", "/users/self", { as: email }))?.body;
    expect(await record(exec)).toMatchObject({ admin: true, isMember: true });
    expect(await record(member)).toMatchObject({ admin: false, isMember: true });
    expect(await record(user)).toMatchObject({ admin: false, isMember: false });
    expect((await stage.api("GET", `/members/${member}`, { as: exec })).body).toMatchObject({ firstName: "Mira" });
    expect((await stage.api("GET", "/profiles/user/", { as: member })).body).toMatchObject({ fname: "Mira" });

    const { body: events } = await stage.api("GET", "/events", { as: exec });
    for (const { deadline, startDate } of events) expect(Date.parse(deadline)).toBeLessThan(Date.parse(startDate));
    const [banner, ...others] = new Set<string>(events.map(({ imageUrl }: { imageUrl: string }) => imageUrl));
    expect(others).toEqual([]);
    expect((await fetch(banner as string)).headers.get("content-type")).toBe("image/png");
  });

  test("has students in the admin domain, where that is not the usual one", () => {
    const emails = (domain: string) => seedAccounts(domain).map(({ email }) => email);
    expect(emails("ubc.test")).toEqual(["exec@ubc.test", "member@student.ubc.test", "user@student.ubc.test"]);
    for (const domain of ["club.example", ""]) expect(emails(domain)).toEqual([exec, member, user]);
  });

  test("keeps its data, and seeds nothing twice", async () => {
    stage = await givenStage({ directory, memory: false, seed: true });
    const token = await stage.tokenFor(user);
    const everybody = async () => Promise.all([user, member].map((email) => stage?.stored(`USER#${email}`)));
    const before = await everybody();
    await stage.close();

    stage = await givenStage({ directory, memory: false, seed: true });
    expect(await everybody()).toEqual(before);
    expect((await stage.api("GET", "/users/self", { token })).status).toBe(200);
  });

  test("that cannot be seeded does not start, and says why", async () => {
    const failed = givenStage({ directory, seed: true, quiet: true, withheld: (name) => name === "Users" });
    await expect(failed).rejects.toThrow(SeedFailed);
    await expect(failed).rejects.toThrow(
      /^The first accounts and events could not be made: POST \/users answers 500: .*\nnpm start -- --no-seed starts /,
    );
  });

  test("starts again although an account of the seed has got an authenticator app", async () => {
    stage = await givenStage({ directory, memory: false, seed: true });
    await useApp(stage, user);
    await stage.close();

    stage = await givenStage({ directory, memory: false, seed: true });
    expect((await stage.api("GET", "/users/self", { as: user })).status).toBe(200);
  });

  test("in memory keeps nothing", async () => {
    stage = await givenStage({ directory });
    await stage.api("POST", "/users", { as: user, body: {} });
    await stage.close();

    stage = await givenStage({ directory });
    expect(await stage.stored(`USER#${user}`)).toEqual([]);
  });
});

test("another admin domain makes other admins", async () => {
  const stage = await givenStage({ adminEmailDomain: "other.example", seed: true });
  const { accounts } = stage.outputs;
  const own = await stage.api("GET", "/users/self", { as: "exec@other.example" });
  await stage.close();

  expect(accounts[0]).toMatchObject({ email: "exec@other.example", role: "admin" });
  expect(own.body).toMatchObject({ admin: true });
});

test("a stage that verifies by a link mails one, and the link confirms the account", async () => {
  const stage = await givenStage({ verification: "link" });
  const { identityUrl, userPoolClientId: ClientId } = stage.outputs;
  const Username = "linked@student.example";
  const asked = async (operation: string, body: object) =>
    fetch(identityUrl, {
      method: "POST",
      headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify({ ClientId, ...body }),
    });
  const signIn = async () => {
    const AuthParameters = { USERNAME: Username, PASSWORD: "Club-local-1!" };
    return (await asked("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters })).status;
  };
  try {
    await asked("SignUp", { Username, Password: "Club-local-1!" });
    const [mail] = stage.mailsTo(Username);
    const [, href = ""] = /<a href="([^"]+)">Verify Email<\/a>/.exec(mail?.body.html ?? "") ?? [];
    expect(mail).toMatchObject({ subject: "Confirm your account for club events" });
    expect(await signIn()).toBe(400);
    expect((await fetch(href.replaceAll("&amp;", "&"))).status).toBe(200);
    expect(await signIn()).toBe(200);
  } finally {
    await stage.close();
  }
});
