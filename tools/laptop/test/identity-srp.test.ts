import { beforeEach, expect, test } from "@jest/globals";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";
import { answerChallenge, publicValue } from "./identity-srp-client.ts";

const a = 0xa5a5_1234_5678_9abcn;

let pool: GivenPool;
let ClientId: string;

beforeEach(async () => {
  pool = await givenPool();
  ClientId = pool.service.clientId;
  await pool.service.ensureUser({ email, password });
});

interface Challenge {
  SALT: string;
  SRP_B: string;
  SECRET_BLOCK: string;
  USERNAME: string;
  USER_ID_FOR_SRP: string;
}

async function challenged(USERNAME = email): Promise<Challenge> {
  const AuthParameters = { USERNAME, SRP_A: publicValue(a).toString(16) };
  const answer = await pool.call("InitiateAuth", { ClientId, AuthFlow: "USER_SRP_AUTH", AuthParameters });
  expect(answer.body.ChallengeName).toBe("PASSWORD_VERIFIER");
  return answer.body.ChallengeParameters;
}

function responses(challenge: Challenge, typed = password): Record<string, string> {
  const timestamp = "Fri Nov 20 08:05:03 UTC 2026";
  const signature = answerChallenge({
    poolName: pool.service.poolId.split("_")[1] as string,
    userId: challenge.USER_ID_FOR_SRP,
    password: typed,
    a,
    salt: challenge.SALT,
    serverPublic: challenge.SRP_B,
    secretBlock: challenge.SECRET_BLOCK,
    timestamp,
  });
  return {
    USERNAME: challenge.USERNAME,
    PASSWORD_CLAIM_SECRET_BLOCK: challenge.SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: signature,
    TIMESTAMP: timestamp,
  };
}

const respond = (ChallengeResponses: Record<string, string>) =>
  pool.call("RespondToAuthChallenge", { ClientId, ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses });

const wrong = refused("NotAuthorizedException", "Incorrect username or password.");

test("a person with the password signs in, once per challenge", async () => {
  const answer = responses(await challenged());
  expect(await respond(answer)).toMatchObject({ status: 200, body: { AuthenticationResult: { TokenType: "Bearer" } } });
  expect(await respond(answer)).toMatchObject(wrong);
});

test("a failed answer uses the challenge up", async () => {
  const challenge = await challenged();
  expect(await respond(responses(challenge, "Wrong-Words-1"))).toMatchObject(wrong);
  expect(await respond(responses(challenge))).toMatchObject(wrong);
});

test("a challenge waits three minutes", async () => {
  const [first, second] = [await challenged(), await challenged()];
  pool.wait(170);
  expect(await respond(responses(first))).toMatchObject({ status: 200 });
  pool.wait(20);
  expect(await respond(responses(second))).toMatchObject(wrong);
});

test("another timestamp, another person or another challenge does not fit the signature", async () => {
  await pool.service.ensureUser({ email: "exec@club.example", password });
  const other = await challenged();
  const changes: Record<string, string>[] = [
    { TIMESTAMP: "Fri Nov 20 08:05:04 UTC 2026" },
    { USERNAME: "exec@club.example" },
    { PASSWORD_CLAIM_SECRET_BLOCK: other.SECRET_BLOCK },
    { PASSWORD_CLAIM_SIGNATURE: "" },
    { PASSWORD_CLAIM_SIGNATURE: "AAAA" },
    { PASSWORD_CLAIM_SECRET_BLOCK: "bm8gYmxvY2s=" },
  ];
  for (const change of changes) {
    const answer = await respond({ ...responses(await challenged()), ...change });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toHaveProperty("AuthenticationResult");
  }
});

test("no answer to the challenge of an account that does not exist is right", async () => {
  expect(await respond(responses(await challenged("nobody@student.example")))).toMatchObject(wrong);
});

test.each([email, "nobody@student.example"])(
  "guessing at %s is slowed down after the fifth wrong password",
  async (name) => {
    const tooMany = refused("NotAuthorizedException", "Password attempts exceeded");
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await respond(responses(await challenged(name), "Wrong-Words-1"))).toMatchObject(wrong);
    }
    expect(await pool.signIn(name, password)).toMatchObject(tooMany);
    pool.wait(2);
    expect(await pool.signIn(name, "Wrong-Words-1")).toMatchObject(wrong);
    expect(await pool.signIn(name, "Wrong-Words-1")).toMatchObject(tooMany);
    pool.wait(3);
    if (name === email) expect(await pool.signIn(name, password)).toMatchObject({ status: 200 });
    else expect(await pool.signIn(name, password)).toMatchObject(wrong);
  },
);
