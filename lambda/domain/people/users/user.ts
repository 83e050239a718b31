/** The rules for user records (`docs/contract.md`, "Users"). Pure. */

import { NotAllowed } from "#kit/errors.ts";
import { inAdminDomain } from "#kit/request/caller.ts";
import { refuseImmutable, type UserDetails } from "./details.ts";
import type { UserChange, UserRecord } from "./store.ts";

/** The request for a new account, by the person or an admin. */
export interface NewUser extends UserDetails {
  readonly email?: string;
  /** An alias of `email`, used by the web application. */
  readonly id?: string;
  readonly isMember?: boolean;
}

/** The fields of a PATCH. `null` removes a field. */
export type UserChanges = { readonly [detail in keyof UserDetails]: string | null } & {
  readonly isMember?: boolean;
  /** These three are immutable, and in the type only so that a PATCH with one of them is refused. */
  readonly id?: unknown;
  readonly email?: unknown;
  readonly admin?: unknown;
};

/**
 * Whether a person is a member at a time: of an act's rules and prices, the time of the act, so that a seat keeps the price
 * under which it was allocated.
 * @param at epoch milliseconds
 */
export const isMemberAt = (user: Pick<UserRecord, "isMember" | "memberUntil"> | undefined, at: number): boolean =>
  user?.memberUntil === undefined ? (user?.isMember ?? false) : at < user.memberUntil;

/** A new account. `admin` depends on the email's domain at creation (`docs/contract.md`, "Users"). */
export function newUser(
  { id: _id, email: _email, isMember: _isMember, ...details }: NewUser,
  { email, isMember, adminDomain, now }: { email: string; isMember: boolean; adminDomain: string; now: number },
): UserRecord {
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
 * The allowed changes of a PATCH.
 * @throws ValidationFailed the changes contain an immutable field, even with the same value
 * @throws NotAllowed a caller who is not an admin changes `isMember`
 */
export function changeFrom(changes: UserChanges, { isAdmin }: { readonly isAdmin: boolean }): UserChange {
  refuseImmutable(changes);
  if (changes.isMember !== undefined && !isAdmin) throw new NotAllowed("Only an admin can change isMember.");
  const { id: _id, email: _email, admin: _admin, ...change } = changes;
  return change;
}
