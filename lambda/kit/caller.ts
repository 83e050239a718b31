/** The caller of a request, made from the claims of the token only here (`docs/contract.md`, "Access"). */
import { canonicalEmail, domainOf } from "./email.ts";
import { formats } from "./formats.ts";

/** A signed-in person. */
export interface Caller {
  /** Canonical email: the caller's identity. */
  readonly email: string;
  readonly isAdmin: boolean;
  /** As the identity provider knows them. Absent: it knows none, or one that no form could send. */
  readonly givenName?: string;
  readonly familyName?: string;
}

/** The claims that the service reads. HTTP APIs deliver every claim as a string. */
export interface Claims {
  readonly token_use?: unknown;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly given_name?: unknown;
  readonly family_name?: unknown;
}

/** Characters of a name, at most. A person can give their account a name of 2,048. */
const longestName = 200;

/** A claim as a name. People set these claims themselves, so they have to pass the check of a name in a form. */
function nameIn(claim: unknown): string | undefined {
  if (typeof claim !== "string" || claim.length > longestName || !formats.name.check(claim)) return undefined;
  return formats.name.canonical(claim);
}

/**
 * Whether an email belongs to the admin domain: the part after the only `@` equals the domain exactly. With an empty
 * domain there is no admin.
 */
export function inAdminDomain(email: string, adminDomain: string): boolean {
  const canonical = canonicalEmail(email);
  return adminDomain !== "" && canonical !== undefined && domainOf(canonical) === adminDomain.toLowerCase();
}

/**
 * The caller behind a set of claims; undefined when the token is no ID token or has no usable email. `token_use` is
 * checked because the gateway also lets access tokens through.
 *
 * @param verifiedOnly whether an unverified email makes no caller. A pool that lets people change their email at once
 * would let them take the email of another person.
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
