/** What a user record is and looks like, without I/O. */

import { inAdminDomain } from "#kit/caller.ts";
import { NotAllowed } from "#kit/errors.ts";
import { refuseImmutable } from "./immutable.ts";
import type { UserChange, UserDetails, UserRecord } from "./store.ts";

/** What a person, or an admin for them, says of a new account. */
export interface NewUser extends UserDetails {
  readonly email?: string;
  /** The web application sends the email under either name. */
  readonly id?: string;
  readonly isMember?: boolean;
}

/** What a PATCH names; `null` removes a field. */
export type UserChanges = { readonly [detail in keyof UserDetails]: string | null } & {
  readonly isMember?: boolean;
  /** Immutable: refused by name. */
  readonly id?: unknown;
  readonly email?: unknown;
  readonly admin?: unknown;
};

/** `admin` follows from the email's domain, once, at creation (`spec.md`, "Authentication", 7). */
export function newUser(
  { id: _id, email: _email, isMember: _isMember, ...details }: NewUser,
  known: { email: string; isMember: boolean; adminDomain: string; now: number },
): UserRecord {
  const { email, isMember, adminDomain, now } = known;
  return {
    ...details,
    email,
    admin: inAdminDomain(email, adminDomain),
    isMember,
    favEvents: [],
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * What a PATCH may change.
 * @throws ValidationFailed it names what cannot be changed, even if it would stay the same
 * @throws NotAllowed only an admin decides who is a member
 */
export function changeFrom(changes: UserChanges, { isAdmin }: { readonly isAdmin: boolean }): UserChange {
  refuseImmutable(changes);
  if (changes.isMember !== undefined && !isAdmin) throw new NotAllowed();
  const { id: _id, email: _email, admin: _admin, ...change } = changes;
  return change;
}
