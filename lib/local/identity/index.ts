export type { FederatedPerson } from "./federation.ts";
export { type IdentityOptions, type IdentityService, type SeedUser, startIdentity } from "./identity-service.ts";
export type { CodeMessage } from "./pool.ts";
export { type PasswordPolicy, type PoolSettings, readPoolSettings } from "./pool-settings.ts";
export { type Claims, claimsForLambda, createTokenVerifier, type TrustedIssuer } from "./token-verifier.ts";
