/** The record of a member and the rules for its changes (`docs/contract.md`, "Members"). Pure. */

import { inAdminDomain } from "#kit/request/caller.ts";
import type { MembershipForm } from "./form.ts";
import { endOf, type TermFields } from "./terms.ts";

/** A membership as stored. The key contains the email too. */
export interface MemberRecord extends MembershipForm, TermFields {
  readonly email: string;
  /** The id of the person's profile, if the person has one. */
  readonly profileID?: string;
  /** Set at creation from the email's domain. Access never depends on it. */
  readonly admin: boolean;
  /** How many cards the person has collected. */
  readonly cardCount?: number;
  /** The whole payment was refunded, or lost in a dispute, but no admin has ended the membership. */
  readonly refunded?: true | undefined;
  /** What is left to pay for the membership, in cents: an executive took less than its price. */
  readonly owes?: number | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts the writes of this record, from 1. */
  readonly version: number;
  /** Identifies the creation of the record: deleting and recreating it restarts the versions. */
  readonly generation: string;
}

/** The fields that the person or an admin enters. */
export type MemberDetails = MembershipForm & Pick<MemberRecord, "cardCount">;

/** The changes of details. An undefined value removes a field. */
export type MemberChanges = Readonly<Partial<Record<keyof MemberDetails, unknown>>>;

/** A new membership. @param known `now` in epoch milliseconds */
export const newMember = (
  details: MemberDetails,
  known: { readonly email: string; readonly adminDomain: string; readonly now: number; readonly generation: string },
): MemberRecord => ({
  ...details,
  email: known.email,
  admin: inAdminDomain(known.email, known.adminDomain),
  createdAt: known.now,
  updatedAt: known.now,
  version: 1,
  generation: known.generation,
});

/**
 * Whether a person is a member: according to the account, or without one the membership record.
 * @param now epoch milliseconds
 */
export const isMemberAlready = (person: Parameters<typeof endOf>[0], now: number): boolean =>
  (endOf(person) ?? Number.NEGATIVE_INFINITY) > now;

/**
 * The record after the changes.
 * @param now epoch milliseconds
 * @returns the same object when nothing changes
 */
export function changedMember(member: MemberRecord, changes: MemberChanges, now: number): MemberRecord {
  const changed = Object.entries(changes).filter(([name, value]) => !isSame(value, member[name as keyof MemberRecord]));
  return changed.length === 0 ? member : { ...member, ...Object.fromEntries(changed), updatedAt: now };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
