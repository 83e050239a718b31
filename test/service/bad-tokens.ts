/** Tokens that must not be trusted, and tokens that do not say who the caller is. */
import { SignJWT, UnsecuredJWT } from "jose";
import { newKeyPair } from "../../tools/laptop/identity/pool/signing-key.ts";
import { exec, user } from "./given.ts";
import type { ServiceStage } from "./stage.ts";

const epoch = (): number => Math.floor(Date.now() / 1000);
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

/** A key pair that no pool of the tests has. */
const foreignKey = newKeyPair();

/** The claims of an admin's token, signed by a key that is not the pool's. */
async function ofAnotherKey(stage: ServiceStage, kid: string): Promise<string> {
  const key = await foreignKey;
  return new SignJWT(claimsOf(await stage.identity.idToken(exec))).setProtectedHeader({ alg: "RS256", kid }).sign(key);
}

/** ID tokens with the admin's email. Each is wrong in one thing that the gateway checks. */
export const forgedTokens: Readonly<Record<string, (stage: ServiceStage) => Promise<string | undefined>>> = {
  "no token": async () => undefined,
  garbage: async () => "garbage",
  "three parts of garbage": async () => "e30.e30.e30",
  "an expired token": (stage) => stage.identity.idToken(exec, { exp: epoch() - 1 }),
  "a token for later": (stage) => stage.identity.idToken(exec, { nbf: epoch() + 600 }),
  "a token of another pool's key": (stage) => ofAnotherKey(stage, "another-key"),
  "a token of another key with the id of the pool's": (stage) =>
    ofAnotherKey(stage, String(stage.identity.jwks.keys[0]?.kid)),
  "a token of another issuer": (stage) => stage.identity.idToken(exec, { iss: "https://issuer.example" }),
  "a token for another client": (stage) => stage.identity.idToken(exec, { aud: "another-client" }),
  "alg none": async (stage) => new UnsecuredJWT(claimsOf(await stage.identity.idToken(exec))).encode(),
  "the public key as an HMAC secret": async (stage) => {
    const [key] = stage.identity.jwks.keys;
    return new SignJWT(claimsOf(await stage.identity.idToken(exec)))
      .setProtectedHeader({ alg: "HS256", kid: key?.kid })
      .sign(new TextEncoder().encode(JSON.stringify(key)));
  },
  "claims changed after signing": async (stage) => {
    const [head, , signature] = (await stage.identity.idToken(user)).split(".");
    const claims = { ...claimsOf(await stage.identity.idToken(user)), email: exec };
    return [head, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  },
};

/** Tokens that the gateway accepts, but that do not say who the caller is. */
export const anonymousTokens: Readonly<Record<string, (stage: ServiceStage) => Promise<string>>> = {
  "an access token": (stage) =>
    stage.identity.idToken(exec, {
      token_use: "access",
      aud: undefined,
      client_id: stage.outputs.userPoolClientId,
      email: undefined,
    }),
  "an access token with an email": (stage) => stage.identity.idToken(exec, { token_use: "access" }),
  "an ID token without an email": (stage) => stage.identity.idToken(exec, { email: undefined }),
  "an ID token with an empty email": (stage) => stage.identity.idToken(exec, { email: "" }),
  "an email with two @": (stage) => stage.identity.idToken(exec, { email: "a@evil.example@club.example" }),
  "the admin domain between two @": (stage) =>
    stage.identity.idToken("user@student.example", { email: "exec@club.example@evil.test" }),
  "the admin domain with a dot behind it": (stage) => stage.identity.idToken(exec, { email: `${exec}.` }),
  "the admin domain with a Cyrillic letter": (stage) =>
    stage.identity.idToken(exec, { email: "exec@\u0441lub.example" }),
  "a full-width @": (stage) => stage.identity.idToken(exec, { email: "exec\uff20club.example" }),
  "the admin domain behind a line break": (stage) =>
    stage.identity.idToken(exec, { email: "user@student.example\nexec@club.example" }),
  "an email that is not ASCII": (stage) => stage.identity.idToken(exec, { email: "ex\u0435c@club.example" }),
  "a list of emails": (stage) => stage.identity.idToken(exec, { email: [exec] }),
};
