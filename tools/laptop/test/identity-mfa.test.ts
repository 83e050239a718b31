/** The second factor, for what the comparison (`compared/pool.test.ts`) has no clock and no second person. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused, signedIn } from "./identity-pool.ts";

let pool: GivenPool;
beforeEach(async () => {
  pool = await givenPool();
});

const associate = async (AccessToken: string) =>
  (await pool.call("AssociateSoftwareToken", { AccessToken })).body.SecretCode as string;
const verify = (AccessToken: string, UserCode: string) =>
  pool.call("VerifySoftwareToken", { AccessToken, UserCode, FriendlyDeviceName: "phone" });
const prefer = (AccessToken: string, settings: object) =>
  pool.call("SetUserMFAPreference", { AccessToken, ...settings });
const respond = (Session: string, SOFTWARE_TOKEN_MFA_CODE: string, USERNAME = email) =>
  pool.call("RespondToAuthChallenge", {
    ClientId: pool.service.clientId,
    ChallengeName: "SOFTWARE_TOKEN_MFA",
    Session,
    ChallengeResponses: { USERNAME, SOFTWARE_TOKEN_MFA_CODE },
  });
/** The session of a sign-in that waits for a code. */
const asked = async (): Promise<string> => (await pool.signIn(email, password)).body.Session;
const passed = { status: 200 };

/** A person with an app whose first code is used up. */
async function givenApp(username = email): Promise<{ AccessToken: string; secret: string }> {
  const { AccessToken } = await signedIn(pool, username);
  const secret = await associate(AccessToken);
  await verify(AccessToken, pool.appCode(secret));
  await prefer(AccessToken, { SoftwareTokenMfaSettings: { Enabled: true } });
  pool.wait(30);
  return { AccessToken, secret };
}

describe("a sign-in with a second factor", () => {
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
    expect(await respond(await asked(), pool.appCode(secret))).toMatchObject(passed);
  });
});
