/** The second factor of the local user pool, in the words and by the rules of Cognito. */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Secret, TOTP } from "otpauth";
import { givenFolder } from "../../../test/unit/folder.ts";
import { readPoolSettings } from "../identity/index.ts";
import { email, type GivenPool, givenPool, otherThan, password, refused, signedIn } from "./identity-pool.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

let pool: GivenPool;
beforeEach(async () => {
  pool = await givenPool();
});

const associate = (AccessToken: string) => pool.call("AssociateSoftwareToken", { AccessToken });
const verify = (AccessToken: string, UserCode: string, more: object = {}) =>
  pool.call("VerifySoftwareToken", { AccessToken, UserCode, ...more });
const prefer = (AccessToken: string, SoftwareTokenMfaSettings: object) =>
  pool.call("SetUserMFAPreference", { AccessToken, SoftwareTokenMfaSettings });
const respond = (Session: string, code: string, USERNAME = email) =>
  pool.call("RespondToAuthChallenge", {
    ClientId: pool.service.clientId,
    ChallengeName: "SOFTWARE_TOKEN_MFA",
    Session,
    ChallengeResponses: { USERNAME, SOFTWARE_TOKEN_MFA_CODE: code },
  });
/** The session of a sign-in that waits for a code. */
const asked = async (username = email, secret = password): Promise<string> => {
  const { body } = await pool.signIn(username, secret);
  expect(body.ChallengeName).toBe("SOFTWARE_TOKEN_MFA");
  return body.Session;
};

/** A person with an app whose first code is used up. */
async function givenApp(username = email): Promise<{ AccessToken: string; secret: string }> {
  const { AccessToken } = await signedIn(pool, username);
  const secret = (await associate(AccessToken)).body.SecretCode;
  expect((await verify(AccessToken, pool.appCode(secret), { FriendlyDeviceName: "phone" })).body).toEqual({
    Status: "SUCCESS",
  });
  expect(await prefer(AccessToken, { Enabled: true, PreferredMfa: true })).toMatchObject({ status: 200, body: {} });
  pool.wait(30);
  return { AccessToken, secret };
}

describe("an authenticator app", () => {
  test("gets a key of 52 characters, and its codes are those of RFC 6238 with SHA-1 only", async () => {
    const { AccessToken } = await signedIn(pool);
    const secret = (await associate(AccessToken)).body.SecretCode;
    expect(secret).toMatch(/^[A-Z2-7]{52}$/);
    const other = TOTP.generate({ secret: Secret.fromBase32(secret), algorithm: "SHA256", timestamp: Date.now() });
    const mismatch = "Code mismatch and fail enable Software Token MFA";
    if (other !== pool.appCode(secret)) {
      expect(await verify(AccessToken, other)).toMatchObject(refused("EnableSoftwareTokenMFAException", mismatch));
    }
    expect((await verify(AccessToken, pool.appCode(secret))).body).toEqual({ Status: "SUCCESS" });
  });

  test("of which no code was verified cannot be wanted, and asks for nothing", async () => {
    const { AccessToken } = await signedIn(pool);
    await associate(AccessToken);
    expect(await prefer(AccessToken, { Enabled: true })).toMatchObject(
      refused("InvalidParameterException", "User has not verified software token mfa"),
    );
    expect((await pool.signIn(email, password)).body).toHaveProperty("AuthenticationResult");
  });

  test("is shown to the person and to administrators once it is wanted", async () => {
    const { AccessToken, secret } = await givenApp();
    const factors = { PreferredMfaSetting: "SOFTWARE_TOKEN_MFA", UserMFASettingList: ["SOFTWARE_TOKEN_MFA"] };
    const own = await pool.call("GetUser", { AccessToken });
    expect(own.body).toMatchObject(factors);
    expect(JSON.stringify(own.body)).not.toContain(secret);
    expect((await pool.administer("AdminGetUser", { Username: email })).body).toMatchObject({
      ...factors,
      UserStatus: "CONFIRMED",
      Enabled: true,
    });
    expect(await pool.administer("AdminGetUser", { Username: "eve@x.example" })).toMatchObject(
      refused("UserNotFoundException"),
    );
    expect(await pool.call("SetUserMFAPreference", { AccessToken, SoftwareTokenMfaSettings: null })).toMatchObject({
      status: 200,
    });
    expect((await pool.call("GetUser", { AccessToken })).body).toMatchObject(factors);
    // One factor that is enabled is asked for, also when it is not preferred.
    await prefer(AccessToken, { Enabled: true });
    const { body } = await pool.call("GetUser", { AccessToken });
    expect(body).toMatchObject({ UserMFASettingList: ["SOFTWARE_TOKEN_MFA"] });
    expect(body).not.toHaveProperty("PreferredMfaSetting");
    await asked();
  });

  test("that replaces another one counts once it is verified; until then the old one does", async () => {
    const { AccessToken, secret } = await givenApp();
    const next = (await associate(AccessToken)).body.SecretCode;
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject({ status: 200 });
    await verify(AccessToken, pool.appCode(next));
    pool.wait(30);
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject(refused("CodeMismatchException"));
    expect(await respond(await asked(), pool.appCode(next))).toMatchObject({ status: 200 });
  });

  test("is lost: an administrator switches it off, and the password alone signs in", async () => {
    await givenApp();
    const off = { Username: email, SoftwareTokenMfaSettings: { Enabled: false } };
    expect(await pool.call("AdminSetUserMFAPreference", off)).toMatchObject(
      refused("MissingAuthenticationTokenException"),
    );
    expect(await pool.administer("AdminSetUserMFAPreference", off)).toMatchObject({ status: 200 });
    expect((await pool.signIn(email, password)).body).toHaveProperty("AuthenticationResult");
  });

  test.each([
    ["12345", "Member must have length greater than or equal to 6"],
    ["12345a", "Member must satisfy regular expression pattern: [0-9]+"],
    ["1234567", "Member must have length less than or equal to 6"],
  ])("takes no code %j", async (code, rule) => {
    const { AccessToken } = await signedIn(pool);
    await associate(AccessToken);
    const answer = await verify(AccessToken, code);
    expect(answer).toMatchObject(refused("InvalidParameterException", new RegExp(rule.replace(/[[\]+]/g, "\\$&"))));
  });

  test("is refused by a pool that does not offer it, and before a key was asked for", async () => {
    const { AccessToken } = await signedIn(pool);
    expect(await verify(AccessToken, "123456")).toMatchObject(refused("SoftwareTokenMFANotFoundException"));
    const plain = await givenPool({ settings: { softwareTokenMfa: false } });
    const other = await signedIn(plain);
    expect(await plain.call("AssociateSoftwareToken", { AccessToken: other.AccessToken })).toMatchObject(
      refused("SoftwareTokenMFANotFoundException", "Software Token MFA has not been enabled by the userPool."),
    );
  });

  test("needs the person's own access token, and other factors do not exist", async () => {
    const { AccessToken, IdToken } = await signedIn(pool);
    for (const token of [IdToken, "x", `${AccessToken}x`]) {
      expect(await associate(token)).toMatchObject(refused("NotAuthorizedException"));
      expect(await prefer(token, { Enabled: false })).toMatchObject(refused("NotAuthorizedException"));
    }
    for (const [field, factor] of Object.entries({ SMSMfaSettings: "SMS_MFA", EmailMfaSettings: "EMAIL_OTP" })) {
      expect(await pool.call("SetUserMFAPreference", { AccessToken, [field]: { Enabled: true } })).toMatchObject(
        refused("InvalidParameterException", new RegExp(factor)),
      );
    }
  });
});

describe("a sign-in with a second factor", () => {
  test("gives no token before the code; the code of half a minute earlier or later counts", async () => {
    const { secret } = await givenApp();
    pool.wait(300);
    const first = await pool.signIn(email, password);
    expect(first.body).toEqual({
      ChallengeName: "SOFTWARE_TOKEN_MFA",
      Session: expect.stringMatching(/^.{100,}$/),
      ChallengeParameters: { USER_ID_FOR_SRP: expect.any(String), FRIENDLY_DEVICE_NAME: "phone" },
    });
    for (const distance of [60, -60]) {
      expect(await respond(first.body.Session, pool.appCode(secret, distance))).toMatchObject(
        refused("CodeMismatchException", "Invalid code received for user"),
      );
    }
    expect(await respond(first.body.Session, pool.appCode(secret, -30))).toMatchObject({
      status: 200,
      body: { AuthenticationResult: { TokenType: "Bearer" }, ChallengeParameters: {} },
    });
    expect(await respond(await asked(), pool.appCode(secret, 30))).toMatchObject({ status: 200 });
  });

  test("takes a code once, also of two sign-ins at the same moment; control: the next code passes", async () => {
    const { secret } = await givenApp();
    const sessions = [await asked(), await asked()];
    const answers = await Promise.all(sessions.map((session) => respond(session, pool.appCode(secret))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const replayed = refused("ExpiredCodeException", "Your software token has already been used once.");
    expect(answers.find(({ status }) => status === 400)).toMatchObject(replayed);
    // An earlier code that was not used is worth nothing either: it may have been seen.
    expect(await respond(await asked(), pool.appCode(secret, -30))).toMatchObject(replayed);
    pool.wait(30);
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject({ status: 200 });
  });

  test("a session belongs to one person, counts once and for three minutes", async () => {
    const { secret } = await givenApp();
    const { secret: evesSecret } = await givenApp("eve@student.example");
    const [session, unknown] = [await asked(), "x".repeat(40)];
    const invalid = (end: string) => refused("NotAuthorizedException", `Invalid session for the user${end}`);
    expect(await respond(session, pool.appCode(evesSecret), "eve@student.example")).toMatchObject(invalid("."));
    expect(await respond(unknown, pool.appCode(secret))).toMatchObject(invalid("."));
    expect(await respond(session, pool.appCode(secret))).toMatchObject({ status: 200 });
    pool.wait(30);
    expect(await respond(session, pool.appCode(secret))).toMatchObject(invalid(", session can only be used once."));
    const old = await asked();
    pool.wait(180);
    expect(await respond(old, pool.appCode(secret))).toMatchObject(invalid(", session is expired."));
  });

  test("a text that is no code is a wrong code", async () => {
    await givenApp();
    for (const code of ["1", "٣٣٣٣٣٣", "12345\n", "1234567"]) {
      const session = await asked();
      expect(await respond(session, code)).toMatchObject(refused("CodeMismatchException"));
    }
  });

  test("guessing is slowed down, and the right password does not forgive wrong codes", async () => {
    const { secret } = await givenApp();
    for (let guess = 0; guess < 5; guess += 1) {
      const wrong = otherThan(pool.appCode(secret));
      expect(await respond(await asked(), wrong)).toMatchObject(refused("CodeMismatchException"));
    }
    const paused = refused("NotAuthorizedException", "Password attempts exceeded");
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject(paused);
    pool.wait(2);
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject({ status: 200 });
  });

  test("is not asked for by a refresh, and not of a person who comes from Google", async () => {
    const { RefreshToken } = await signedIn(pool);
    await givenApp();
    const again = { ClientId: pool.service.clientId, RefreshToken };
    expect((await pool.call("GetTokensFromRefreshToken", again)).body).toHaveProperty("AuthenticationResult");
    const person = { provider: "Google", subject: "1", email: "gia@student.example", emailVerified: true } as const;
    expect(await pool.service.federatedSignIn(person)).toHaveProperty("IdToken");
  });

  test("outlives a restart of the pool, with the code that was used", async () => {
    const directory = await givenFolder(open);
    pool = await givenPool({ directory });
    const { secret } = await givenApp();
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject({ status: 200 });
    const used = pool.appCode(secret);
    await pool.service.close();
    pool = await givenPool({ directory });
    pool.wait(30);
    expect(await respond(await asked(), used)).toMatchObject(refused("ExpiredCodeException"));
    pool.wait(30);
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject({ status: 200 });
  });

  test("would be refused by the start, if the pool demanded it of all people or by SMS", () => {
    const settings = (pool: object) => () => readPoolSettings(pool as never, {});
    const EnabledMfas = ["SOFTWARE_TOKEN_MFA"];
    expect(settings({ MfaConfiguration: "OPTIONAL", EnabledMfas })()).toMatchObject({ softwareTokenMfa: true });
    expect(settings({ MfaConfiguration: "OFF", EnabledMfas })()).toMatchObject({ softwareTokenMfa: false });
    expect(settings({ MfaConfiguration: "ON", EnabledMfas })).toThrow("of all people");
    expect(settings({ MfaConfiguration: "OPTIONAL", EnabledMfas: ["SMS_MFA"] })).toThrow("SMS_MFA");
  });
});
