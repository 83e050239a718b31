/** The pool's tokens, and the forgeries that the comparison of the gateway (`compared/gateway.test.ts`) lacks. */
import { createHmac, createPublicKey } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from "jose";
import { createTokenVerifier } from "../identity/index.ts";
import { email, type GivenPool, givenPool, refused, signedIn } from "./identity-pool.ts";

let pool: GivenPool;
let tokens: { IdToken: string; AccessToken: string };

// Signing and checking need no listening server, so one pool serves all tests of this file.
beforeAll(async () => {
  pool = await givenPool();
  tokens = await signedIn(pool);
});

/** The gateway's check, with the pool's key or another. */
const verify = (token: string, keys: JWK[] = pool.service.jwks.keys) => {
  const { issuer, clientId } = pool.service;
  return createTokenVerifier({ issuer, audience: [clientId], jwks: { keys } })(token);
};

test("an ID token has the claims of a user pool, and an access token neither audience nor email", async () => {
  const claims = await verify(tokens.IdToken);
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
  expect(decodeProtectedHeader(tokens.IdToken)).toEqual({ alg: "RS256", kid: pool.service.jwks.keys[0]?.kid });
  const access = await verify(tokens.AccessToken);
  expect(access).not.toHaveProperty("aud");
  expect(access).not.toHaveProperty("email");
});

test("a token signed with the public key as a secret is refused; control: a verifier of any algorithm takes it", async () => {
  const [key] = pool.service.jwks.keys;
  const secret = createPublicKey({ key: key as never, format: "jwk" }).export({ type: "spki", format: "pem" });
  const header = Buffer.from(JSON.stringify({ alg: "HS256", kid: key?.kid })).toString("base64url");
  const signed = `${header}.${tokens.IdToken.split(".")[1]}`;
  const token = `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
  expect(await verify(token)).toBeUndefined();
  expect((await jwtVerify(token, Buffer.from(secret))).payload).toMatchObject({ email });
});

test.each<["RS256" | "RS512", string | undefined]>([
  ["RS256", "unknown"],
  ["RS256", undefined],
  ["RS512", "known"],
])("a token of %s that names the key %j is refused; control: the signature is good", async (alg, kid) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: "known" }];
  const token = await new SignJWT(decodeJwt(tokens.IdToken)).setProtectedHeader({ alg, kid }).sign(privateKey);
  expect(await verify(token, keys)).toBeUndefined();
  expect((await jwtVerify(token, publicKey)).payload).toMatchObject({ email });
});

test("an access token opens the account for an hour, and a refresh token the session for seven days", async () => {
  const own = await givenPool();
  const { service, call, wait } = own;
  const { AccessToken, RefreshToken } = await signedIn(own);
  wait(3600);
  expect(await call("GetUser", { AccessToken })).toMatchObject(refused("NotAuthorizedException"));
  const refresh = () => call("GetTokensFromRefreshToken", { ClientId: service.clientId, RefreshToken });
  wait(7 * 86_400 - 3660);
  expect(await refresh()).toMatchObject({ status: 200, body: { AuthenticationResult: { ExpiresIn: 3600 } } });
  wait(60);
  expect(await refresh()).toMatchObject(refused("NotAuthorizedException", /Refresh Token/));
});
