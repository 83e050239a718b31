/** What a user record is and looks like, without I/O. */

import type { NewUser, User, UserChanges } from "#api/users/schemas.ts";
import { inAdminDomain } from "#kit/caller.ts";
import { NotAllowed } from "#kit/errors.ts";
import { refuseImmutable } from "./immutable.ts";
import type { UserChange, UserRecord } from "./store.ts";

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

/** A user record as the person and admins see it; the favourites under both names that the web application uses. */
export function userAnswer({ email, favEvents, createdBy: _createdBy, ...user }: UserRecord): User {
  const { PK, SK, GSI1PK, GSI1SK, ...fields } = user as typeof user & Record<string, unknown>;
  return { id: email, email, ...fields, favEvents: [...favEvents], "favedEventsID;year": [...favEvents] };
}
