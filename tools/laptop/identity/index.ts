export { type IdentityService, startIdentity } from "./identity-service.ts";
export type { CodeMessage } from "./pool/pool.ts";
export { readPoolSettings } from "./pool/pool-settings.ts";
export { type Claims, claimsForLambda, createTokenVerifier } from "./token-verifier.ts";
