/** Decides on the records after a grant of membership (`docs/contract.md`, "Members"). Pure. */
import { newProfile, type ProfileRecord } from "../profiles/profile.ts";
import type { UserRecord } from "../users/store.ts";
import { newUser } from "../users/user.ts";
import { completed } from "./completion.ts";
import type { MembershipForm } from "./form.ts";
import { type MemberDetails, type MemberRecord, newMember } from "./member.ts";

/** The records of a membership that a person has. */
export interface Held {
  readonly user?: UserRecord;
  readonly member?: MemberRecord;
  readonly profile?: ProfileRecord;
}

/** The three records of a member. */
export type Granted = Required<Held>;

/** The values of a grant besides the form. */
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

/** The form under the names of the user record. */
const userDetails = ({ firstName, lastName, studentNumber, ...form }: MembershipForm): Partial<UserRecord> => ({
  fname: firstName,
  lname: lastName,
  studentId: studentNumber,
  faculty: form.faculty,
  major: form.major,
  year: form.year,
  diet: form.diet,
  education: form.education,
  university: form.university,
});

/** The user record under the names of the form. */
const formOfUser = (user: UserRecord): MembershipForm => ({
  firstName: user.fname,
  lastName: user.lname,
  studentNumber: user.studentId,
  faculty: user.faculty,
  major: user.major,
  year: user.year,
  diet: user.diet,
  education: user.education,
  university: user.university,
});

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
  const details = userDetails(form);
  if (!user) return completed(newUser({}, { ...grant, isMember: true }), details);
  const marked = user.isMember ? user : { ...user, isMember: true };
  return stamped(completed(marked, details), user, grant.now);
}

/**
 * The three records after a grant. Blank fields are filled from the form, and those of the membership also from the
 * user record. Fields with a value stay. A record without a change is the same object as before.
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

/** Whether the person was no member before the grant: no membership record, or an account without the mark. */
export const isNewMembership = ({ user, member }: Held): boolean =>
  member === undefined || (user !== undefined && !user.isMember);
