/** Writes accounts, memberships and profiles, without messages, so that no mails are sent. */
import { copiedFrom, grantedTo } from "#domain/people/members/granting.ts";
import type { MemberRecord } from "#domain/people/members/member.ts";
import { markUser, moveNote, putNewMember } from "#domain/people/members/store.ts";
import { newProfile, type ProfileRecord } from "#domain/people/profiles/profile.ts";
import { drawProfileID } from "#domain/people/profiles/profile-id.ts";
import { profileIdKey, profileKey, putNewProfile, putProfileID } from "#domain/people/profiles/store.ts";
import { memberKey } from "#domain/people/users/person-records.ts";
import { putNewUser, type UserRecord, userKey } from "#domain/people/users/store.ts";
import { isMemberAt } from "#domain/people/users/user.ts";
import type { Item, Transaction } from "#kit/table/table.ts";
import { importedGeneration } from "../map/member.ts";
import type { Mapping, Taken } from "../source/survey.ts";
import type { Decided, Find, Plan } from "./batches.ts";
import { noteKey, putNote } from "./notes.ts";
import { type Verdict, verdictOn } from "./verdict.ts";

const stamped = <R extends { readonly createdAt: number; readonly updatedAt: number }>(record: R, now: number): R => ({
  ...record,
  createdAt: record.createdAt || now,
  updatedAt: record.updatedAt || now,
});

const untouched = (verdict: Verdict): Decided => ({ verdict, members: {} });

export const userPlan = ({ now }: Pick<Mapping, "now">): Plan<UserRecord> => ({
  most: 40,
  keysOf: ({ name }) => [userKey(name), noteKey("users", name)],
  decide({ record, name }, find) {
    const verdict = verdictOn(find(noteKey("users", name)), find(userKey(name)));
    if (verdict !== "new") return untouched(verdict);
    return { verdict, members: { user: putNewUser(stamped(record, now)), note: putNote("users", name, now) } };
  },
});

/** The profile id of a new member: the one of the source, unless another person has it. */
function profileIdFor({ email, profileID }: MemberRecord, { source }: Pick<Mapping, "source">, find: Find): string {
  if (profileID === undefined || source.ownerOf(profileID) !== email) return drawProfileID();
  const owner = find(profileIdKey(profileID)) as { email?: string } | undefined;
  return owner === undefined || owner.email === email ? profileID : drawProfileID();
}

/** The account of a new member: a new one, or an existing one with `isMember`. */
function accountOf(member: MemberRecord, find: Find, adminDomain: string, now: number): Transaction {
  const { email, until } = member;
  const stored = find(userKey(email)) as unknown as (UserRecord & Item) | undefined;
  if (stored)
    return {
      user: markUser(email, stored, { isMember: isMemberAt({ isMember: true, memberUntil: until }, now), until, now }),
    };
  const grant = { email, adminDomain, now: member.createdAt, profileID: "", generation: importedGeneration };
  const isMember = isMemberAt({ isMember: true, memberUntil: until }, now);
  const user = {
    ...grantedTo({}, member, grant).user,
    ...(until !== undefined && { isMember, memberUntil: until }),
  };
  return { user: putNewUser(user), userNote: putNote("users", email, now) };
}

/** The profile of a new member without one in the source. Absent when the source has one, which is written later. */
function profileOf(member: MemberRecord, profileID: string, { values, now }: Pick<Mapping, "values" | "now">) {
  const known = { email: member.email, profileID, adminDomain: values.adminDomain, now: member.createdAt };
  const profile = newProfile(copiedFrom(member), { ...known, generation: importedGeneration });
  return {
    profile: putNewProfile(profile),
    profileID: putProfileID(profile),
    profileNote: putNote("profiles", profileID, now),
  };
}

export const memberPlan = (mapping: Pick<Mapping, "source" | "values" | "now">): Plan<MemberRecord> => ({
  // A new membership needs at most eight transaction members.
  most: 12,
  keysOf: ({ record: { profileID }, name }) => [
    memberKey(name),
    userKey(name),
    profileKey(name),
    noteKey("members", name),
    noteKey("users", name),
    ...(profileID === undefined ? [] : [profileIdKey(profileID)]),
  ],
  decide: (taken, find) => decideMember(taken, find, mapping),
});

function decideMember(
  { record, name }: Taken<MemberRecord>,
  find: Find,
  mapping: Pick<Mapping, "source" | "values" | "now">,
): Decided {
  const { now, values } = mapping;
  const verdict = verdictOn(find(noteKey("members", name)), find(memberKey(name)));
  if (verdict !== "new") return untouched(verdict);
  const hasUser = find(userKey(name)) !== undefined;
  // The person has deleted the account here, and the membership with it.
  if (!hasUser && find(noteKey("users", name)) !== undefined) return untouched("deleted here");
  const known = find(profileKey(name)) as unknown as ProfileRecord | undefined;
  const profileID = known?.profileID ?? profileIdFor(record, mapping, find);
  // Of one that has ended the night has nothing to tell.
  const isOver = record.until !== undefined && record.until <= now;
  const member: MemberRecord = { ...stamped(record, now), ...(isOver && { dueAt: undefined }), profileID };
  const comesLater = profileID === record.profileID && mapping.source.hasProfile(profileID);
  return {
    verdict,
    members: {
      member: putNewMember(member),
      ...moveNote(name, undefined, member),
      note: putNote("members", name, now),
      ...accountOf(member, find, values.adminDomain, now),
      ...(!known && !comesLater && profileOf(member, profileID, mapping)),
    },
  };
}

/** @param dry in a dry run the member may not exist yet */
export const profilePlan = ({ now }: Pick<Mapping, "now">, dry: boolean): Plan<ProfileRecord> => ({
  most: 20,
  keysOf: ({ record: { email, profileID } }) => [
    profileKey(email),
    memberKey(email),
    profileIdKey(profileID),
    noteKey("profiles", profileID),
    noteKey("members", email),
  ],
  decide({ record }, find) {
    const { email, profileID } = record;
    const member = find(memberKey(email)) as unknown as MemberRecord | undefined;
    const verdict = verdictOn(find(noteKey("profiles", profileID)), find(profileKey(email)));
    if (verdict !== "new") return untouched(verdict);
    if (!member && !(dry && find(noteKey("members", email)) === undefined)) return untouched("deleted here");
    if ((member && member.profileID !== profileID) || find(profileIdKey(profileID))) return untouched("made here");
    const profile = stamped(record, now);
    const note = putNote("profiles", profileID, now);
    return { verdict, members: { profile: putNewProfile(profile), profileID: putProfileID(profile), note } };
  },
});
