/** Decides on the records after a grant of membership (`docs/contract.md`, "Members"). Pure. */
import { newProfile, type ProfileRecord } from "../profiles/profile.ts";
import type { UserDetails } from "../users/details.ts";
import type { UserRecord } from "../users/store.ts";
import { newUser } from "../users/user.ts";
import { completed } from "./completion.ts";
import type { MembershipForm } from "./form.ts";
import { type MemberDetails, type MemberRecord, newMember } from "./member.ts";

/** The existing records of a person. */
export interface Held {
  readonly user?: UserRecord;
  readonly member?: MemberRecord;
  readonly profile?: ProfileRecord;
}

/** The three records of a member. */
export type Granted = Required<Held>;

/** The values of a grant in addition to the form. */
export interface Grant {
  readonly email: string;
  readonly adminDomain: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The id for a new profile. Not used when the person has a profile. */
  readonly profileID: string;
  /** The generation of the records that the grant creates. */
  readonly generation: string;
}

/** The fields of the form that the user record has too, with their names there. */
const inUser = {
  firstName: "fname",
  lastName: "lname",
  studentNumber: "studentId",
  faculty: "faculty",
  major: "major",
  year: "year",
  diet: "diet",
  education: "education",
  university: "university",
} as const satisfies Partial<Record<keyof MembershipForm, keyof UserDetails>>;
const shared = Object.entries(inUser) as [keyof typeof inUser, keyof UserDetails][];

/** The form with the names of the user record. */
const detailsIn = (form: MembershipForm): UserDetails =>
  Object.fromEntries(shared.map(([name, inRecord]) => [inRecord, form[name]]));

/** The user record with the names of the form. */
export const formOfUser = (user: UserRecord): MembershipForm =>
  Object.fromEntries(shared.map(([name, inRecord]) => [name, user[inRecord]]));

/** The fields that a profile copies from the member record. */
export const copiedFrom = (member: MembershipForm) => ({
  fname: member.firstName ?? "",
  lname: member.lastName ?? "",
  pronouns: member.pronouns ?? "",
  major: member.major ?? "",
  year: member.year ?? "",
});

const stamped = <R extends { readonly updatedAt: number }>(record: R, before: R, now: number): R =>
  record === before ? before : { ...record, updatedAt: now };

function grantedUser(form: MembershipForm, user: UserRecord | undefined, grant: Grant): UserRecord {
  const details = detailsIn(form);
  if (!user) return completed(newUser({}, { ...grant, isMember: true }), details);
  const marked = user.isMember ? user : { ...user, isMember: true };
  return stamped(completed(marked, details), user, grant.now);
}

/**
 * The three records after a grant. Blank fields are filled from the form, and those of the membership also from the user
 * record. An unchanged record is the same object.
 */
export function grantedTo(
  { user: heldUser, member: heldMember, profile: heldProfile }: Held,
  form: MemberDetails,
  grant: Grant,
): Granted {
  const user = grantedUser(form, heldUser, grant);
  const start = heldMember ?? newMember({}, grant);
  const details = completed(completed<MemberRecord>(start, form), formOfUser(user));
  const profileID = heldProfile?.profileID ?? grant.profileID;
  const member = details.profileID === profileID ? details : { ...details, profileID };
  const profile = heldProfile
    ? completed(heldProfile, copiedFrom(member))
    : newProfile(copiedFrom(member), { ...grant, profileID });
  return {
    user,
    member: stamped(member, start, grant.now),
    profile: heldProfile ? stamped(profile, heldProfile, grant.now) : profile,
  };
}

/** Whether the person was not a member before the grant: no membership record, or an account without `isMember`. */
export const isNewMembership = ({ user, member }: Held): boolean =>
  member === undefined || (user !== undefined && !user.isMember);
