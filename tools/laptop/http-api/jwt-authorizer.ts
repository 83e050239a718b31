/** The JWT authorizers of the template: they allow or deny a request, and pass the claims to the function. */
import type { IncomingMessage } from "node:http";
import { type Claims, claimsForLambda } from "../identity/index.ts";
import type { AuthorizerProperties } from "../template/resources.ts";
import type { JwtContext } from "./request-event.ts";

/** Returns undefined for a token that it does not trust. */
export type TokenVerifier = (token: string) => Promise<Claims | undefined>;

/** Makes the verifier of an issuer and audience. */
export type VerifierFactory = (jwt: AuthorizerProperties["JwtConfiguration"]) => TokenVerifier;

export type Authorization =
  | { readonly allowed: true; readonly jwt: JwtContext }
  /** The token is missing or not trusted. */
  | { readonly allowed: false; readonly challenge: string };

export type JwtAuthorizer = (message: IncomingMessage) => Promise<Authorization>;

/** The number of tokens whose verified signature is remembered; the oldest is dropped first. */
const maxTokens = 5_000;

const refused = { allowed: false, challenge: 'Bearer error="invalid_token"' } as const;

/** @throws Error when the template requires anything but a token in a header */
export function createJwtAuthorizer(properties: AuthorizerProperties, makeVerifier: VerifierFactory): JwtAuthorizer {
  const { AuthorizerType, IdentitySource, JwtConfiguration } = properties;
  const header = /^\$request\.header\.([\w-]+)$/.exec(IdentitySource[0] ?? "")?.[1]?.toLowerCase();
  if (AuthorizerType !== "JWT" || !header) throw new Error("The local stage only knows JWT authorizers with a header.");
  const verify = rememberVerified(makeVerifier(JwtConfiguration));
  return async (message) => {
    const sent = message.headers[header];
    if (typeof sent !== "string" || sent.trim() === "") return { allowed: false, challenge: "Bearer" };
    const claims = await verify(bareToken(sent));
    return claims ? { allowed: true, jwt: { claims: claimsForLambda(claims), scopes: null } } : refused;
  };
}

/** The token may come with or without `Bearer `. */
const bareToken = (header: string): string => header.trim().replace(/^bearer +/i, "");

/**
 * Verifies each signature once, and the times in the token with every request: a rush sends the same few tokens again
 * and again. A refused token is not remembered, since a token may become valid.
 */
function rememberVerified(verify: TokenVerifier, clock: () => number = Date.now): TokenVerifier {
  const verified = new Map<string, Promise<Claims | undefined>>();
  const check = async (token: string): Promise<Claims | undefined> => {
    const claims = await verify(token);
    if (!claims) verified.delete(token);
    return claims;
  };
  return async (token) => {
    const pending = verified.get(token) ?? check(token);
    verified.set(token, pending);
    if (verified.size > maxTokens) for (const oldest of verified.keys()) if (verified.delete(oldest)) break;
    const claims = await pending;
    if (!claims || (claims.exp ?? 0) <= clock() / 1_000) return undefined;
    return claims;
  };
}
