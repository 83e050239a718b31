/** What a user record is and looks like, without I/O. */
import { inAdminDomain } from "#kit/caller.ts";
import type { NewUser, User } from "./schemas.ts";
import type { UserRecord } from "./store.ts";

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

export function userAnswer({ email, favEvents, createdBy: _createdBy, ...user }: UserRecord): User {
  const { PK, SK, GSI1PK, GSI1SK, ...fields } = user as typeof user & Record<string, unknown>;
  return { id: email, email, ...fields, favEvents: [...favEvents], "favedEventsID;year": [...favEvents] };
}
