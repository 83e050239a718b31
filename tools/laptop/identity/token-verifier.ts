import { createLocalJWKSet, type JWK, type JWTPayload, jwtVerify } from "jose";

/** The claims of a token that passed. */
export type Claims = JWTPayload;

/** The issuer whose tokens are accepted. `clock` gives epoch milliseconds. */
export interface TrustedIssuer {
  issuer: string;
  audience: readonly string[];
  jwks: { keys: JWK[] };
  clock?: () => number;
}

/**
 * Makes the check of an HTTP API's JWT authorizer: RS256 by a key of the set named by `kid`, `iss`, `aud` (or `client_id`
 * where there is no `aud`, so that access tokens pass), `exp`, `nbf` and `iat`. The check returns undefined for any
 * other token.
 *
 * Source: API Gateway developer guide, "Control access to HTTP APIs with JWT authorizers".
 */
export function createTokenVerifier({ issuer, audience, jwks, clock = Date.now }: TrustedIssuer) {
  const keySet = createLocalJWKSet(jwks);
  return async (token: string): Promise<Claims | undefined> => {
    try {
      const now = new Date(clock());
      const { payload } = await jwtVerify(
        token,
        (header, jws) => {
          // A set with a single key would otherwise serve a token that names none.
          if (typeof header.kid !== "string") throw new Error("token names no key");
          return keySet(header, jws);
        },
        { algorithms: ["RS256"], issuer, requiredClaims: ["exp"], currentDate: now },
      );
      if (!isForAudience(payload, audience)) return undefined;
      if (payload.iat !== undefined && payload.iat > Math.floor(now.getTime() / 1000)) return undefined;
      return payload;
    } catch {
      // The caller does not learn why a token was refused.
      return undefined;
    }
  };
}

function isForAudience(claims: Claims, audience: readonly string[]): boolean {
  const named = claims.aud ?? claims.client_id;
  return [named].flat().some((entry) => typeof entry === "string" && audience.includes(entry));
}

/**
 * Claims as an HTTP API hands them to a function (`requestContext.authorizer.jwt.claims`): every value a string, lists as
 * `[a b]`, objects as `map[key:value]`.
 */
export function claimsForLambda(claims: Claims): Record<string, string> {
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, claimText(value)]));
}

function claimText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(claimText).join(" ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, inner]) => `${key}:${claimText(inner)}`).join(" ")}]`;
  }
  return String(value);
}
