/** Sign-in by SRP against a client's half of the arithmetic that shares no code with the pool. Amplify's is in `identity-amplify`. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  claimSignature,
  createServerKeys,
  g,
  passwordKey,
  power,
  scrambler,
  serverSecret,
  sessionKey,
} from "../identity/srp.ts";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";
import { answerChallenge, publicValue } from "./identity-srp-client.ts";

const a = 0xa5a5_1234_5678_9abcn;
const timestamp = "Fri Nov 20 08:05:03 UTC 2026";

test("both sides arrive at the same signature for a password, whatever the salt and the secrets", () => {
  const number = (bits: number) => fc.bigInt({ min: 2n, max: 2n ** BigInt(bits) - 1n });
  // The first two digits of a number decide how it is padded, so small numbers are worth as much as large ones.
  const salts = fc.oneof(number(8), number(120), number(128));
  const secrets = fc.oneof(number(16), number(256));
  const identity = { poolName: "Pool1", userId: "5ab3c1de-0000-4000-a000-000000000001" };
  const secretBlock = Buffer.from("a block that only the server made").toString("base64");
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), salts, secrets, secrets, (typed, salt, own, b) => {
      const verifier = power(g, passwordKey(identity, typed, salt));
      const keys = createServerKeys(verifier, b);
      const A = publicValue(own);
      const key = sessionKey(serverSecret(A, keys, verifier), scrambler(A, keys.public));
      const expected = claimSignature(key, identity, Buffer.from(secretBlock, "base64"), timestamp).toString("base64");
      const serverPublic = keys.public.toString(16);
      const given = {
        ...identity,
        password: typed,
        a: own,
        salt: salt.toString(16),
        serverPublic,
        secretBlock,
        timestamp,
      };
      expect(answerChallenge(given)).toBe(expected);
    }),
    { numRuns: 40 },
  );
});

describe("a challenge", () => {
  let pool: GivenPool;
  beforeEach(async () => {
    pool = await givenPool();
    await pool.service.ensureUser({ email, password });
  });

  const ask = (operation: string, body: object) => pool.call(operation, { ClientId: pool.service.clientId, ...body });

  /** The answer of a person to a new challenge. */
  async function answered(USERNAME = email, typed = password): Promise<Record<string, string>> {
    const AuthParameters = { USERNAME, SRP_A: publicValue(a).toString(16) };
    const { body } = await ask("InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters });
    const {
      USER_ID_FOR_SRP: userId,
      SALT: salt,
      SRP_B: serverPublic,
      SECRET_BLOCK: secretBlock,
    } = body.ChallengeParameters;
    const poolName = pool.service.poolId.split("_")[1] ?? "";
    const proof = { poolName, userId, password: typed, a, salt, serverPublic, secretBlock, timestamp };
    return {
      USERNAME: userId,
      PASSWORD_CLAIM_SECRET_BLOCK: secretBlock,
      PASSWORD_CLAIM_SIGNATURE: answerChallenge(proof),
      TIMESTAMP: timestamp,
    };
  }
  const respond = (ChallengeResponses: Record<string, string>) =>
    ask("RespondToAuthChallenge", { ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses });
  const wrong = refused("NotAuthorizedException", "Incorrect username or password.");

  test("is answered once, right or wrong, and within three minutes", async () => {
    const right = await answered();
    expect(await respond(right)).toMatchObject({ status: 200 });
    expect(await respond(right)).toMatchObject(wrong);
    const failed = await answered();
    expect(await respond({ ...failed, PASSWORD_CLAIM_SIGNATURE: "AAAA" })).toMatchObject(wrong);
    expect(await respond(failed)).toMatchObject(wrong);
    const [early, late] = [await answered(), await answered()];
    pool.wait(170);
    expect(await respond(early)).toMatchObject({ status: 200 });
    pool.wait(20);
    expect(await respond(late)).toMatchObject(wrong);
  });

  test("takes no signature for another timestamp, person or challenge", async () => {
    await pool.service.ensureUser({ email: "exec@club.example", password });
    const changes: Record<string, string>[] = [
      { TIMESTAMP: "Fri Nov 20 08:05:04 UTC 2026" },
      { USERNAME: "exec@club.example" },
      { PASSWORD_CLAIM_SECRET_BLOCK: (await answered()).PASSWORD_CLAIM_SECRET_BLOCK ?? "" },
      { PASSWORD_CLAIM_SECRET_BLOCK: "bm8gYmxvY2s=" },
    ];
    for (const change of changes) {
      expect(await respond({ ...(await answered()), ...change })).toMatchObject(wrong);
    }
  });

  test.each([email, "nobody@student.example"])(
    "of %s is not for guessing: from the fifth failure on one waits",
    async (name) => {
      const tooMany = refused("NotAuthorizedException", "Password attempts exceeded");
      for (let attempt = 0; attempt < 5; attempt++) {
        expect(await respond(await answered(name, "Wrong-Words-1"))).toMatchObject(wrong);
      }
      expect(await pool.signIn(name, password)).toMatchObject(tooMany);
      pool.wait(2);
      expect(await pool.signIn(name, "Wrong-Words-1")).toMatchObject(wrong);
      expect(await pool.signIn(name, "Wrong-Words-1")).toMatchObject(tooMany);
      pool.wait(3);
      expect(await pool.signIn(name, password)).toMatchObject(name === email ? { status: 200 } : wrong);
    },
  );
});
