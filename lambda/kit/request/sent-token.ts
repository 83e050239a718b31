/**
 * Tokens on routes that the stage has made public. The gateway does not verify them there, so the function does: admins see
 * drafts on public routes too (`docs/contract.md`, "Access").
 */

import { requiredEnv } from "../env.ts";
import { Unauthenticated, Unavailable } from "../errors.ts";
import type { Claims } from "./caller.ts";

/** Milliseconds per try to read the pool's keys. */
const keysTimeout = 3_000;

/**
 * The URL of the pool's keys: the issuer in AWS; on the laptop and in an emulator the service that the AWS SDK calls, too.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function keysAddress(issuer: string): string {
  const { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: ofService, AWS_ENDPOINT_URL: ofAll } = process.env;
  const local = ofService ?? ofAll;
  const pool = local === undefined ? issuer : `${local}/${issuer.slice(issuer.lastIndexOf("/") + 1)}`;
  return `${pool}/.well-known/jwks.json`;
}

async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const answer = await fetch(uri, { signal: AbortSignal.timeout(keysTimeout) });
  if (!answer.ok) throw new Error(`The pool's keys: ${answer.status}`);
  return answer.arrayBuffer();
}

/** The verifier of this stage's ID tokens. It caches the pool's keys, and reads unknown keys at most every ten seconds. */
async function createVerifier() {
  // Loaded on first use, because most callers of a public route send no token.
  const { JwtVerifier } = await import("aws-jwt-verify");
  const { SimpleJwksCache } = await import("aws-jwt-verify/jwk");
  const { CognitoJwtInvalidTokenUseError, FetchError } = await import("aws-jwt-verify/error");
  const issuer = requiredEnv("TOKEN_ISSUER");
  const jwksCache = new SimpleJwksCache({
    fetcher: { fetch: (uri) => fetchKeys(uri).catch((error: Error) => Promise.reject(new FetchError(uri, error))) },
  });
  const verifier = JwtVerifier.create(
    {
      issuer,
      audience: requiredEnv("TOKEN_AUDIENCE"),
      jwksUri: keysAddress(issuer),
      customJwtCheck({ payload: { token_use: use } }) {
        if (use !== "id") throw new CognitoJwtInvalidTokenUseError("not an ID token", use, "id");
      },
    },
    { jwksCache },
  );
  return { verifier, FetchError };
}

let created: ReturnType<typeof createVerifier> | undefined;

/**
 * The claims of an ID token from this stage's pool, for this stage's client.
 * @throws Unauthenticated the token is invalid, expired, from another pool or client, or not an ID token
 * @throws Unavailable the pool's keys cannot be read
 */
export async function claimsOf(token: string): Promise<Claims> {
  created ??= createVerifier();
  const { verifier, FetchError } = await created;
  try {
    return (await verifier.verify(token)) as Claims;
  } catch (error) {
    if (error instanceof FetchError) {
      throw new Unavailable("The service cannot check the token right now. Please try again.");
    }
    throw new Unauthenticated();
  }
}
