import { createHmac, createPublicKey } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { claimsForLambda, createTokenVerifier } from "../identity/index.ts";
import { email, type GivenPool, givenPool, password } from "./identity-pool.ts";

type Verify = (token: string) => Promise<JWTPayload | undefined>;

let pool: GivenPool;
let foreign: GivenPool;
let verify: Verify;
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

const seconds = () => Math.floor(Date.now() / 1000);
const encode = (value: object | string) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const parts = (token: string) => token.split(".") as [string, string, string];

describe("tokens that pass the gateway", () => {
  test("an ID token, with the claims of a user pool", async () => {
    const claims = await verify(idToken);

    const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(claims).toEqual({
      sub: uuid,
      aud: pool.service.clientId,
      token_use: "id",
      auth_time: expect.any(Number),
      "cognito:username": claims?.sub,
      email,
      email_verified: true,
      iss: pool.service.issuer,
      iat: expect.any(Number),
      exp: Number(claims?.iat) + 3600,
      jti: uuid,
      origin_jti: uuid,
      event_id: uuid,
    });
    expect(decodeProtectedHeader(idToken)).toEqual({ alg: "RS256", kid: pool.service.jwks.keys[0]?.kid });
  });

  test("an access token: the gateway looks at client_id when there is no aud", async () => {
    const claims = await verify(accessToken);

    expect(claims).toMatchObject({
      token_use: "access",
      client_id: pool.service.clientId,
      scope: "aws.cognito.signin.user.admin",
      username: claims?.sub,
    });
    expect(claims).not.toHaveProperty("aud");
    expect(claims).not.toHaveProperty("email");
  });

  test("a token from idToken(), with claims replaced or removed", async () => {
    const token = await pool.service.idToken(email, { email_verified: false, event_id: undefined });

    const claims = await verify(token);
    expect(claims).toMatchObject({ email, email_verified: false, sub: decodeJwt(idToken).sub });
    expect(claims).not.toHaveProperty("event_id");
    expect(await verify(await pool.service.idToken("nobody@student.example"))).toMatchObject({ token_use: "id" });
  });
});

/*
 * Each forgery is shown to both: to the gateway's check, and to one that leaves out the single thing in question. The
 * latter accepts it, so that a forgery that is refused for some other reason would be noticed.
 */
describe("tokens that the gateway refuses", () => {
  const bothAnswer = async (token: string, lax: Verify) => ({
    gateway: (await verify(token)) === undefined ? "refused" : "accepted",
    lax: (await lax(token)) === undefined ? "refused" : "accepted",
  });
  const onlyLaxAccepts = { gateway: "refused", lax: "accepted" };

  const keySet = () => createLocalJWKSet(pool.service.jwks);
  const withoutAudience: Verify = async (token) =>
    (await jwtVerify(token, keySet(), { issuer: pool.service.issuer })).payload;
  const withoutIssuer: Verify = async (token) =>
    (
      await jwtVerify(token, createLocalJWKSet({ keys: [...pool.service.jwks.keys, ...foreign.service.jwks.keys] }), {
        audience: pool.service.clientId,
      })
    ).payload;
  const withoutClock: Verify = async (token) => (await jwtVerify(token, keySet(), { clockTolerance: 1e9 })).payload;
  const withoutSignature: Verify = async (token) => {
    const claims = decodeJwt(token);
    return claims.iss === pool.service.issuer && claims.aud === pool.service.clientId && Number(claims.exp) > seconds()
      ? claims
      : undefined;
  };
  const publicKey = () => createPublicKey({ key: pool.service.jwks.keys[0] as never, format: "jwk" });
  /** A careless verifier: it uses the algorithm that the token names, with the public key. */
  const withAnyAlgorithm: Verify = async (token) => {
    const [header, payload, signature] = parts(token);
    const secret = publicKey().export({ type: "spki", format: "pem" });
    const expected = createHmac("sha256", secret).update(`${header}.${payload}`).digest("base64url");
    return decodeProtectedHeader(token).alg === "HS256" && signature === expected ? decodeJwt(token) : undefined;
  };
  test("expired", async () => {
    const token = await pool.service.idToken(email, { exp: seconds() - 1 });
    expect(await bothAnswer(token, withoutClock)).toEqual(onlyLaxAccepts);
  });

  test("without an end", async () => {
    const token = await pool.service.idToken(email, { exp: undefined });
    expect(await bothAnswer(token, withoutClock)).toEqual(onlyLaxAccepts);
  });

  test("not valid yet", async () => {
    const token = await pool.service.idToken(email, { nbf: seconds() + 60 });
    expect(await bothAnswer(token, withoutClock)).toEqual(onlyLaxAccepts);
  });

  test("issued in the future", async () => {
    const token = await pool.service.idToken(email, { iat: seconds() + 60 });
    expect(await bothAnswer(token, withoutClock)).toEqual(onlyLaxAccepts);
  });

  test("of another pool", async () => {
    const token = await foreign.service.idToken(email);
    expect(await bothAnswer(token, withoutIssuer)).toEqual(onlyLaxAccepts);
  });

  test("signed by this pool's key in the name of another", async () => {
    const token = await pool.service.idToken(email, { iss: foreign.service.issuer });
    expect(await bothAnswer(token, withoutIssuer)).toEqual(onlyLaxAccepts);
  });

  test("of another pool that claims to be this one", async () => {
    const token = await foreign.service.idToken(email, { iss: pool.service.issuer });
    expect(await bothAnswer(token, withoutSignature)).toEqual(onlyLaxAccepts);
  });

  test.each([
    ["another client", { aud: "otherclient" }],
    ["no client at all", { aud: undefined }],
    // `client_id` counts only where there is no `aud`.
    ["another client, with our client_id beside it", { aud: "otherclient", client_id: "testclient000000000000000" }],
  ])("for %s", async (_, claims) => {
    const token = await pool.service.idToken(email, claims);
    expect(await bothAnswer(token, withoutAudience)).toEqual(onlyLaxAccepts);
  });

  test.each(["none", "None", "NONE"])("alg %s", async (alg) => {
    const token = `${encode({ alg, kid: pool.service.jwks.keys[0]?.kid })}.${parts(idToken)[1]}.`;
    expect(await bothAnswer(token, withoutSignature)).toEqual(onlyLaxAccepts);
  });

  test("HS256 with the public key as the secret", async () => {
    const head = `${encode({ alg: "HS256", kid: pool.service.jwks.keys[0]?.kid })}.${parts(idToken)[1]}`;
    const secret = publicKey().export({ type: "spki", format: "pem" });
    const token = `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
    expect(await bothAnswer(token, withAnyAlgorithm)).toEqual(onlyLaxAccepts);
  });

  test("tampered: another person's email under the old signature", async () => {
    const [header, , signature] = parts(idToken);
    const claims: JWTPayload = decodeJwt(idToken);
    const token = `${header}.${encode({ ...claims, email: "exec@club.example" })}.${signature}`;
    expect(await bothAnswer(token, withoutSignature)).toEqual(onlyLaxAccepts);
  });

  test.each([["an unknown key"], ["no key"]])("naming %s", async (which) => {
    const signer = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(signer.publicKey)), kid: "known", alg: "RS256" };
    const ours = createTokenVerifier({
      issuer: pool.service.issuer,
      audience: [pool.service.clientId],
      jwks: { keys: [jwk] },
    });
    const sign = (kid?: string) =>
      new SignJWT(decodeJwt(idToken)).setProtectedHeader({ alg: "RS256", kid }).sign(signer.privateKey);
    const token = await sign(which === "no key" ? undefined : "unknown");

    expect(await ours(token)).toBeUndefined();
    expect(await ours(await sign("known"))).toMatchObject({ email });
    expect((await jwtVerify(token, signer.publicKey)).payload).toMatchObject({ email });
  });

  test("a known key with another RSA algorithm", async () => {
    const signer = await generateKeyPair("RS512", { extractable: true });
    const jwk = { ...(await exportJWK(signer.publicKey)), kid: "known" };
    const { issuer, clientId } = pool.service;
    const ours = createTokenVerifier({ issuer, audience: [clientId], jwks: { keys: [jwk] } });
    const token = await new SignJWT(decodeJwt(idToken))
      .setProtectedHeader({ alg: "RS512", kid: "known" })
      .sign(signer.privateKey);

    expect(await ours(token)).toBeUndefined();
    expect((await jwtVerify(token, createLocalJWKSet({ keys: [jwk] }))).payload).toMatchObject({ email });
  });

  test.each(["", "a.b.c", "Bearer x", "..", encode("{}"), "\u0000", "é.é.é"])("no token: %j", async (text) => {
    expect(await verify(text)).toBeUndefined();
  });
});

test("claims reach a function as strings, lists and maps in the gateway's own notation", () => {
  const claims = claimsForLambda({
    email_verified: true,
    auth_time: 1_763_596_800,
    email,
    "cognito:groups": ["exec", "member"],
    empty: [],
    identities: [{ userId: "1", primary: true }],
  });

  expect(claims).toEqual({
    email_verified: "true",
    auth_time: "1763596800",
    email,
    "cognito:groups": "[exec member]",
    empty: "[]",
    identities: "[map[primary:true userId:1]]",
  });
});
