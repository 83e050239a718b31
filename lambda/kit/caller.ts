/** Who calls: made from the token's claims, in this one place (`spec.md`, "Authentication"). */
import { canonicalEmail, domainOf } from "./email.ts";

/** A signed-in person. */
export interface Caller {
  /** Canonical email: the caller's identity. */
  readonly email: string;
  readonly isAdmin: boolean;
}

/** The claims that matter here. HTTP APIs deliver every claim as a string. */
export interface Claims {
  readonly token_use?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

/**
 * Whether an email belongs to the admin domain: the part after the only `@` equals it exactly. An empty domain means
 * that nobody is an admin.
 */
export function inAdminDomain(email: string, adminDomain: string): boolean {
  const canonical = canonicalEmail(email);
  return adminDomain !== "" && canonical !== undefined && domainOf(canonical) === adminDomain.toLowerCase();
}

/**
 * The caller behind a set of claims; undefined when they are not those of an ID token with an email. The gateway
 * also lets access tokens through, therefore `token_use` is checked.
 */
export function callerFrom(claims: Claims | undefined, adminDomain: string): Caller | undefined {
  if (claims?.token_use !== "id" || typeof claims.email !== "string") return undefined;
  const email = canonicalEmail(claims.email);
  if (email === undefined) return undefined;
  const verified = claims.email_verified === true || claims.email_verified === "true";
  return { email, isAdmin: verified && inAdminDomain(email, adminDomain) };
}
