/** Sign-in by SRP. That both sides agree is shown by MiniStack (`compared/pool.test.ts`) and by Amplify (`test/service/api-sign-in.test.ts`). */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { paddedBytes } from "../identity/srp.ts";
import { email, type GivenPool, givenPool, password, refused } from "./identity-pool.ts";
import { answerChallenge, publicValue } from "./identity-srp-client.ts";

const a = 0xa5a5_1234_5678_9abcn;
const timestamp = "Fri Nov 20 08:05:03 UTC 2026";

test.each([
  [0n, "00"],
  [0x7fn, "7f"],
  [0x80n, "0080"],
  [0x100n, "0100"],
  [0x8000n, "008000"],
])("the number %s is hashed as %s: the first bit is a sign", (value, bytes) => {
  expect(paddedBytes(value).toString("hex")).toBe(bytes);
});

describe("a challenge", () => {
  let pool: GivenPool;
  beforeEach(async () => {
    pool = await givenPool();
    await pool.service.ensureUser({ email, password });
  });

  const ask = (operation: string, body: object) => pool.call(operation, { ClientId: pool.service.clientId, ...body });

  /** The answer of a person to a new challenge. */
  async function answered(): Promise<Record<string, string>> {
    const AuthParameters = { USERNAME: email, SRP_A: publicValue(a).toString(16) };
    const { body } = await ask("InitiateAuth", { AuthFlow: "USER_SRP_AUTH", AuthParameters });
    const {
      USER_ID_FOR_SRP: userId,
      SALT: salt,
      SRP_B: serverPublic,
      SECRET_BLOCK: secretBlock,
    } = body.ChallengeParameters;
    const poolName = pool.service.poolId.split("_")[1] ?? "";
    const proof = { poolName, userId, password, a, salt, serverPublic, secretBlock, timestamp };
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
});
