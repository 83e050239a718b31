/** Decides on the records after a grant of membership (`docs/contract.md`, "Members"). Pure. */
import { newProfile, type ProfileRecord } from "../profiles/profile.ts";
import type { UserDetails } from "../users/details.ts";
import type { UserRecord } from "../users/store.ts";
import { newUser } from "../users/user.ts";
import { completed } from "./completion.ts";
import type { MembershipForm } from "./form.ts";
import { type MemberDetails, type MemberRecord, newMember } from "./member.ts";
import { type Giving, mayRenew, type TermFields, type TermsOfStage, withTerm } from "./terms.ts";

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
  /** Absent: memberships have no end. */
  readonly terms?: TermsOfStage;
  /** What gives the term. Absent: the grant itself. */
  readonly giving?: Giving;
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

/** @param until the end that the membership gets; absent: the account's own stays */
function grantedUser(
  form: MembershipForm,
  user: UserRecord | undefined,
  grant: Grant,
  ending: Pick<TermFields, "until"> | undefined,
): UserRecord {
  const details = detailsIn(form);
  const end = ending && { memberUntil: ending.until };
  if (!user) return completed({ ...newUser({}, { ...grant, isMember: true }), ...end }, details);
  const marked = user.isMember && !end ? user : { ...user, isMember: true, ...end };
  return stamped(completed(marked, details), user, grant.now);
}

/** The fields of the term that a grant gives. Undefined: none, since the membership has no end, or not soon. */
function termOf(held: Held, { now, terms, giving = { at: now } }: Grant): TermFields | undefined {
  if (!terms || !mayRenew(held, giving.at, terms.rule)) return undefined;
  const hadEnd = held.member?.until !== undefined || held.user?.memberUntil !== undefined;
  return terms.rule === "forever" && !hadEnd ? undefined : withTerm(held.member, giving, terms);
}

/**
 * The three records after a grant. Blank fields are filled from the form, and those of the membership also from the user
 * record. A new membership, and one that ends soon, gets a term. An unchanged record is the same object.
 */
export function grantedTo(
  { user: heldUser, member: heldMember, profile: heldProfile }: Held,
  form: MemberDetails,
  grant: Grant,
): Granted {
  const term = termOf({ user: heldUser, member: heldMember }, grant);
  const user = grantedUser(
    form,
    heldUser,
    grant,
    term ?? (heldUser ? undefined : heldMember?.until !== undefined ? heldMember : undefined),
  );
  const start = heldMember ?? newMember({}, grant);
  const details = completed(completed<MemberRecord>(start, form), formOfUser(user));
  const profileID = heldProfile?.profileID ?? grant.profileID;
  const named = details.profileID === profileID ? details : { ...details, profileID };
  const member = term ? { ...named, ...term } : named;
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
