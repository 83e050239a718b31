import { createHmac, createPublicKey } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
} from "jose";
import { claimsForLambda, createTokenVerifier } from "../identity/index.ts";
import { email, type GivenPool, givenPool, password } from "./identity-pool.ts";

let pool: GivenPool;
let foreign: GivenPool;
let verify: (token: string) => Promise<unknown>;
let idToken: string;
let accessToken: string;

// Signing and checking need no listening server, so one pair of pools serves all tests of this file.
beforeAll(async () => {
  pool = await givenPool();
  foreign = await givenPool({ poolId: "us-west-2_SomeoneElse" });
  const { issuer, clientId, jwks } = pool.service;
  verify = createTokenVerifier({ issuer, audience: [clientId], jwks });
  await pool.service.ensureUser({ email, password });
  const { IdToken, AccessToken } = (await pool.signIn(email, password)).body.AuthenticationResult;
  idToken = IdToken;
  accessToken = AccessToken;
});

describe("tokens that pass the gateway", () => {
  test("an ID token, with the claims of a user pool", async () => {
    const { sub, iat = 0 } = decodeJwt(idToken);
    const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await verify(idToken)).toEqual({
      sub: uuid,
      aud: pool.service.clientId,
      token_use: "id",
      auth_time: expect.any(Number),
      "cognito:username": sub,
      email,
      email_verified: true,
      iss: pool.service.issuer,
      iat: expect.any(Number),
      exp: iat + 3600,
      jti: uuid,
      origin_jti: uuid,
      event_id: uuid,
    });
    expect(decodeProtectedHeader(idToken)).toEqual({ alg: "RS256", kid: pool.service.jwks.keys[0]?.kid });
  });

  test("an access token: the gateway looks at client_id when there is no aud", async () => {
    const claims = await verify(accessToken);
    expect(claims).toMatchObject({ token_use: "access", client_id: pool.service.clientId });
    expect(claims).not.toHaveProperty("aud");
    expect(claims).not.toHaveProperty("email");
  });

  test("a token from idToken(), with claims replaced or removed", async () => {
    const claims = await verify(await pool.service.idToken(email, { email_verified: false, event_id: undefined }));
    expect(claims).toMatchObject({ email, email_verified: false, sub: decodeJwt(idToken).sub });
    expect(claims).not.toHaveProperty("event_id");
    expect(await verify(await pool.service.idToken("nobody@student.example"))).toMatchObject({ token_use: "id" });
  });
});

/*
 * Each forgery is shown to both: to the gateway's check, and to one that leaves out the single thing in question. The
 * latter accepts it, so that a forgery that is refused for some other reason would be noticed.
 */
describe("the gateway refuses a token", () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const kid = () => pool.service.jwks.keys[0]?.kid;
  const publicKey = () => createPublicKey({ key: pool.service.jwks.keys[0] as never, format: "jwk" });
  const keysOf = (...pools: GivenPool[]) =>
    createLocalJWKSet({ keys: pools.flatMap(({ service }) => service.jwks.keys) });

  /** Checks of a kind that leave one thing out. @returns whether they accept the token */
  const lax = {
    audience: (token: string) => jwtVerify(token, keysOf(pool), { issuer: pool.service.issuer }).then(() => true),
    issuer: (token: string) =>
      jwtVerify(token, keysOf(pool, foreign), { audience: pool.service.clientId }).then(() => true),
    clock: (token: string) => jwtVerify(token, keysOf(pool), { clockTolerance: 1e9 }).then(() => true),
    signature: async (token: string) => {
      const { iss, aud, exp = 0 } = decodeJwt(token);
      return iss === pool.service.issuer && aud === pool.service.clientId && exp > seconds();
    },
    /** Uses the algorithm that the token names, with the public key. */
    algorithm: async (token: string) => {
      const [header = "", payload = "", signature] = token.split(".");
      return signature === hmac(`${header}.${payload}`);
    },
  };
  const hmac = (signed: string) =>
    createHmac("sha256", publicKey().export({ type: "spki", format: "pem" }))
      .update(signed)
      .digest("base64url");
  const own = (claims: () => object) => () => pool.service.idToken(email, { ...claims() });
  const unsigned = (alg: string) => async () => `${encode({ alg, kid: kid() })}.${idToken.split(".")[1]}.`;
  const fromPublicKey = async () => {
    const signed = `${encode({ alg: "HS256", kid: kid() })}.${idToken.split(".")[1]}`;
    return `${signed}.${hmac(signed)}`;
  };
  const tampered = async () => {
    const [header, , signature] = idToken.split(".");
    return `${header}.${encode({ ...decodeJwt(idToken), email: "exec@club.example" })}.${signature}`;
  };
  const otherClient = { aud: "otherclient" };

  test.each<[string, keyof typeof lax, () => Promise<string>]>([
    ["that has expired", "clock", own(() => ({ exp: seconds() - 1 }))],
    ["without an end", "clock", own(() => ({ exp: undefined }))],
    ["that is not valid yet", "clock", own(() => ({ nbf: seconds() + 60 }))],
    ["issued in the future", "clock", own(() => ({ iat: seconds() + 60 }))],
    ["of another pool", "issuer", () => foreign.service.idToken(email)],
    ["in the name of another pool", "issuer", own(() => ({ iss: foreign.service.issuer }))],
    [
      "of another pool in this one's name",
      "signature",
      () => foreign.service.idToken(email, { iss: pool.service.issuer }),
    ],
    ["for another client", "audience", own(() => otherClient)],
    ["for no client at all", "audience", own(() => ({ aud: undefined }))],
    // `client_id` counts only where there is no `aud`.
    ["for another client beside ours", "audience", own(() => ({ ...otherClient, client_id: pool.service.clientId }))],
    ["with alg none", "signature", unsigned("none")],
    ["with alg NONE", "signature", unsigned("NONE")],
    ["signed with the public key as a secret", "algorithm", fromPublicKey],
    ["with another person's email under the old signature", "signature", tampered],
  ])("%s", async (_, missing, forge) => {
    const token = await forge();
    expect(await verify(token)).toBeUndefined();
    expect(await lax[missing](token)).toBe(true);
  });

  test.each<[string, "RS256" | "RS512", string | undefined]>([
    ["with an unknown key", "RS256", "unknown"],
    ["without a key", "RS256", undefined],
    ["with another algorithm of RSA", "RS512", "known"],
  ])("%s", async (_, alg, named) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "known" }] };
    const { issuer, clientId } = pool.service;
    const verifyOurs = createTokenVerifier({ issuer, audience: [clientId], jwks });
    const token = await new SignJWT(decodeJwt(idToken)).setProtectedHeader({ alg, kid: named }).sign(privateKey);

    expect(await verifyOurs(token)).toBeUndefined();
    expect((await jwtVerify(token, publicKey)).payload).toMatchObject({ email });
  });

  test.each(["", "a.b.c", "Bearer x", "..", "\u0000", "é.é.é"])("that is none: %j", async (text) => {
    expect(await verify(text)).toBeUndefined();
  });
});

test("claims reach a function as strings, lists and maps in the gateway's own notation", () => {
  const claims = {
    email_verified: true,
    auth_time: 1_763_596_800,
    "cognito:groups": ["exec", "member"],
    empty: [],
    identities: [{ userId: "1", primary: true }],
  };
  expect(claimsForLambda(claims)).toEqual({
    email_verified: "true",
    auth_time: "1763596800",
    "cognito:groups": "[exec member]",
    empty: "[]",
    identities: "[map[primary:true userId:1]]",
  });
});
