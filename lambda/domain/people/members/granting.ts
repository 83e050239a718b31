/** What a grant of membership makes of what there is (`contract.md`, section 3). Pure. */
import { newProfile, type ProfileRecord } from "../profiles/profile.ts";
import type { UserRecord } from "../users/store.ts";
import { newUser } from "../users/user.ts";
import { completed } from "./completion.ts";
import type { MembershipForm } from "./form.ts";
import { type MemberRecord, newMember } from "./member.ts";

/** What somebody has of a membership. */
export interface Held {
  readonly user?: UserRecord;
  readonly member?: MemberRecord;
  readonly profile?: ProfileRecord;
}

/** All that makes somebody a member. */
export type Granted = Required<Held>;

/** What is known of a grant besides the form. */
export interface Grant {
  readonly email: string;
  readonly adminDomain: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The id of the profile, if there is to be one. */
  readonly profileID: string;
  /** Names the request. */
  readonly createdBy: string;
}

/** The form in the words of the user record. */
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

/** What the user record tells, in the words of the form. */
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

/** What a profile copies from the member record. */
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
 * What somebody has after a grant: all of it, with the gaps filled from the form (and a member's from the user record),
 * and nothing overwritten that was filled in. What needs no change is the same object as before.
 */
export function grantedTo(
  { user: heldUser, member: heldMember, profile: heldProfile }: Held,
  form: MembershipForm,
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

/** Whether the grant makes somebody a member who was none, as far as anybody could see. */
export const isNewMembership = ({ user, member }: Held): boolean =>
  member === undefined || (user !== undefined && !user.isMember);
