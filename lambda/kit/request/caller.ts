/** The only place where a caller is made from a token's claims (`docs/contract.md`, "Access"). */

import { formats } from "../schema/formats.ts";
import { canonicalEmail, domainOf } from "../text/email.ts";

/** A signed-in person. */
export interface Caller {
  /** Canonical email: the caller's identity. */
  readonly email: string;
  readonly isAdmin: boolean;
  /** From the identity provider. Absent: it has none, or one that a form would refuse. */
  readonly givenName?: string;
  readonly familyName?: string;
}

/** The claims that the service uses. HTTP APIs deliver every claim as a string. */
export interface Claims {
  readonly token_use?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly given_name?: unknown;
  readonly family_name?: unknown;
}

/** Maximum characters of a name. Accounts allow 2,048. */
const longestName = 200;

/** A claim as a name. People set these claims themselves, so they are validated like a name in a form. */
function nameIn(claim: unknown): string | undefined {
  if (typeof claim !== "string" || claim.length > longestName || !formats.name.check(claim)) return undefined;
  return formats.name.canonical(claim);
}

/**
 * Whether an email belongs to the admin domain: the part after `@` equals the domain exactly. With an empty domain there
 * are no admins.
 */
export function inAdminDomain(email: string, adminDomain: string): boolean {
  const canonical = canonicalEmail(email);
  return adminDomain !== "" && canonical !== undefined && domainOf(canonical) === adminDomain.toLowerCase();
}

/**
 * The caller from a set of claims; undefined when the token is not an ID token or has no usable email. `token_use` is
 * checked because the gateway also accepts access tokens.
 *
 * @param verifiedOnly whether to reject unverified emails. In a pool that applies email changes before verification,
 * people could otherwise take another person's email.
 */
export function callerFrom(claims: Claims | undefined, adminDomain: string, verifiedOnly = false): Caller | undefined {
  if (claims?.token_use !== "id" || typeof claims.email !== "string") return undefined;
  const email = canonicalEmail(claims.email);
  if (email === undefined) return undefined;
  const verified = claims.email_verified === true || claims.email_verified === "true";
  if (verifiedOnly && !verified) return undefined;
  const [givenName, familyName] = [nameIn(claims.given_name), nameIn(claims.family_name)];
  return {
    email,
    isAdmin: verified && inAdminDomain(email, adminDomain),
    ...(givenName !== undefined && { givenName }),
    ...(familyName !== undefined && { familyName }),
  };
}
