/** Writes accounts, memberships and profiles, without messages, so that no mails are sent. */
import { copiedFrom, grantedTo } from "#domain/people/members/granting.ts";
import type { MemberRecord } from "#domain/people/members/member.ts";
import { memberKey } from "#domain/people/members/person-records.ts";
import { markUser, putNewMember, replaceMember } from "#domain/people/members/store.ts";
import { newProfile, type ProfileRecord } from "#domain/people/profiles/profile.ts";
import { drawProfileID } from "#domain/people/profiles/profile-id.ts";
import {
  profileIdKey,
  profileKey,
  putNewProfile,
  putProfileID,
  replaceProfile,
} from "#domain/people/profiles/store.ts";
import { putNewUser, type UserRecord, userKey } from "#domain/people/users/store.ts";
import { type Item, type TransactItem, type Transaction, tableName } from "#kit/table/table.ts";
import { fingerprintOfStored } from "../fingerprint.ts";
import { importedGeneration } from "../map/member.ts";
import type { Mapping, Taken } from "../survey.ts";
import { type Verdict, verdictOn } from "../verdict.ts";
import type { Decided, Find, Plan } from "./batches.ts";
import { type Note, noteKey, putNote } from "./notes.ts";

const stamped = <R extends { readonly createdAt: number; readonly updatedAt: number }>(record: R, now: number): R => ({
  ...record,
  createdAt: record.createdAt || now,
  updatedAt: record.updatedAt || now,
});

const untouched = (verdict: Verdict): Decided => ({ verdict, members: {} });

const noteIn = (find: Find, ...name: Parameters<typeof noteKey>) =>
  find(noteKey(...name)) as unknown as Note | undefined;

/** Replaces an account. Refused when it has changed since it was read. */
const replaceUser = (user: UserRecord, { PK, SK, GSI1PK, GSI1SK, ...read }: UserRecord & Item): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { PK, SK, GSI1PK, GSI1SK, ...user },
    ConditionExpression: "updatedAt = :read AND isMember = :wasMember",
    ExpressionAttributeValues: { ":read": read.updatedAt, ":wasMember": read.isMember },
  },
});

export const userPlan = ({ now }: Pick<Mapping, "now">): Plan<UserRecord> => ({
  most: 40,
  keysOf: ({ name }) => [userKey(name), noteKey("users", name)],
  decide({ record, name, source, updatedAt }, find) {
    const stored = find(userKey(name)) as unknown as (UserRecord & Item) | undefined;
    const row = { source, updatedAt };
    const verdict = verdictOn(row, noteIn(find, "users", name), stored && fingerprintOfStored(stored));
    const user: UserRecord = {
      ...stamped(record, now),
      ...(stored && { createdAt: stored.createdAt }),
    };
    const note = putNote("users", name, { ...row, written: fingerprintOfStored(user) }, now);
    if (verdict === "new") return { verdict, members: { user: putNewUser(user), note } };
    if (verdict === "update" && stored) return { verdict, members: { user: replaceUser(user, stored), note } };
    return untouched(verdict);
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
  const { email } = member;
  const stored = find(userKey(email)) as unknown as (UserRecord & Item) | undefined;
  if (stored) return { user: markUser(email, stored, { isMember: true, now }) };
  const grant = { email, adminDomain, now: member.createdAt, profileID: "", generation: importedGeneration };
  const user = grantedTo({}, member, grant).user;
  const remembered = { source: "", updatedAt: 0, written: fingerprintOfStored(user) };
  return { user: putNewUser(user), userNote: putNote("users", email, remembered, now) };
}

/** The profile of a new member without one in the source. Absent when the source has one, which is written later. */
function profileOf(member: MemberRecord, profileID: string, { values, now }: Pick<Mapping, "values" | "now">) {
  const known = { email: member.email, profileID, adminDomain: values.adminDomain, now: member.createdAt };
  const profile = newProfile(copiedFrom(member), { ...known, generation: importedGeneration });
  const remembered = { source: "", updatedAt: 0, written: fingerprintOfStored(profile) };
  return {
    profile: putNewProfile(profile),
    profileID: putProfileID(profile),
    profileNote: putNote("profiles", profileID, remembered, now),
  };
}

export const memberPlan = (mapping: Pick<Mapping, "source" | "values" | "now">): Plan<MemberRecord> => ({
  // A new membership needs at most seven transaction members.
  most: 14,
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
  { record, name, source, updatedAt }: Taken<MemberRecord>,
  find: Find,
  mapping: Pick<Mapping, "source" | "values" | "now">,
): Decided {
  const { now, values } = mapping;
  const stored = find(memberKey(name)) as unknown as (MemberRecord & Item) | undefined;
  const verdict = verdictOn(
    { source, updatedAt },
    noteIn(find, "members", name),
    stored && fingerprintOfStored(stored),
  );
  const noted = (member: MemberRecord) =>
    putNote("members", name, { source, updatedAt, written: fingerprintOfStored(member) }, now);
  if (verdict === "update" && stored) {
    const { PK: _pk, SK: _sk, GSI1PK: _index, GSI1SK: _sort, ...read } = stored;
    const member = { ...stamped(record, now), profileID: read.profileID, createdAt: read.createdAt };
    const after = { ...member, version: read.version + 1 } as MemberRecord;
    return { verdict, members: { member: replaceMember(member as MemberRecord, read), note: noted(after) } };
  }
  if (verdict !== "new") return untouched(verdict);
  const hasUser = find(userKey(name)) !== undefined;
  // The person has deleted the account here, and the membership with it.
  if (!hasUser && noteIn(find, "users", name) !== undefined) return untouched("deleted here");
  const known = find(profileKey(name)) as unknown as ProfileRecord | undefined;
  const profileID = known?.profileID ?? profileIdFor(record, mapping, find);
  const member: MemberRecord = { ...stamped(record, now), profileID };
  const comesLater = profileID === record.profileID && mapping.source.hasProfile(profileID);
  return {
    verdict,
    members: {
      member: putNewMember(member),
      note: noted(member),
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
  decide({ record, source, updatedAt }, find) {
    const { email, profileID } = record;
    const stored = find(profileKey(email)) as unknown as (ProfileRecord & Item) | undefined;
    const member = find(memberKey(email)) as unknown as MemberRecord | undefined;
    const row = { source, updatedAt };
    const verdict = verdictOn(row, noteIn(find, "profiles", profileID), stored && fingerprintOfStored(stored));
    const noted = (profile: ProfileRecord) =>
      putNote("profiles", profileID, { ...row, written: fingerprintOfStored(profile) }, now);
    if (verdict === "update" && stored) {
      const { PK: _pk, SK: _sk, ...read } = stored;
      if (read.profileID !== profileID) return untouched("changed here");
      const after = { ...stamped(record, now), createdAt: read.createdAt, version: read.version + 1 };
      return { verdict, members: { profile: replaceProfile(after, read), note: noted(after) } };
    }
    if (verdict !== "new") return untouched(verdict);
    if (!member && !(dry && noteIn(find, "members", email) === undefined)) return untouched("deleted here");
    if ((member && member.profileID !== profileID) || find(profileIdKey(profileID))) return untouched("made here");
    const profile = stamped(record, now);
    const members = { profile: putNewProfile(profile), profileID: putProfileID(profile), note: noted(profile) };
    return { verdict, members };
  },
});
