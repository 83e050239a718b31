/** What a member record is and looks like (`spec.md`, "Member"). Pure. */

import { inAdminDomain } from "#kit/caller.ts";
import type { MembershipForm } from "./form.ts";

/** A membership as stored. The email is in the key as well. */
export interface MemberRecord extends MembershipForm {
  readonly email: string;
  /** The person's profile, once there is one. */
  readonly profileID?: string;
  /** By the email's domain at creation; never consulted for access. */
  readonly admin: boolean;
  readonly discordId?: string;
  /** How many cards the person has collected. */
  readonly cardCount?: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts the writes of this record, from 1. */
  readonly version: number;
  /** The request that created it: tells it from one that is created later. */
  readonly createdBy: string;
}

/** Everything that the person or an admin fills in. */
export type MemberDetails = MembershipForm & Pick<MemberRecord, "discordId" | "cardCount">;

/** A membership as it begins. */
export const newMember = (
  details: MemberDetails,
  known: { readonly email: string; readonly adminDomain: string; readonly now: number; readonly createdBy: string },
): MemberRecord => ({
  ...details,
  email: known.email,
  admin: inAdminDomain(known.email, known.adminDomain),
  createdAt: known.now,
  updatedAt: known.now,
  version: 1,
  createdBy: known.createdBy,
});

/**
 * Whether somebody is a member, as far as money goes: the mark of the account decides, and the membership of somebody
 * who has no account.
 */
export const isMemberAlready = ({
  user,
  member,
}: {
  readonly user?: { readonly isMember: boolean } | undefined;
  readonly member?: object | undefined;
}): boolean => user?.isMember ?? member !== undefined;

/** The record with the changes; an undefined value removes a field. The same object when that changes nothing. */
export function changedMember(
  member: MemberRecord,
  changes: Readonly<Partial<Record<keyof MemberDetails, unknown>>>,
  now: number,
): MemberRecord {
  const changed = Object.entries(changes).filter(([name, value]) => !isSame(value, member[name as keyof MemberRecord]));
  return changed.length === 0 ? member : { ...member, ...Object.fromEntries(changed), updatedAt: now };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
