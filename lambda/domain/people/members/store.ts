/** Keys, items and transaction members of memberships, and of `isMember` in the account. */
import { type Page, queryItems } from "#kit/lists/pages.ts";
import { timeText } from "#kit/table/item.ts";
import {
  checkIf,
  deleteIf,
  drop,
  getRecord,
  type Item,
  isAbsent,
  type Key,
  put,
  putIf,
  putNew,
  type Query,
  queryOnce,
  recordOf,
  type Stored,
  setting,
  type TransactItem,
  type Transaction,
  updateIf,
} from "#kit/table/table.ts";
import { partitionOf } from "#outbox/stored-kinds.ts";
import { type PeopleRequest, pageOfPeople } from "../list.ts";
import type { ProfileRecord } from "../profiles/profile.ts";
import { profileKey, unchanged } from "../profiles/store.ts";
import { listOfMembers, memberKey, termNoteKey } from "../users/person-records.ts";
import { checkNoUser, readUser, type UserRecord, userKey } from "../users/store.ts";
import { changedFields } from "./completion.ts";
import type { Held } from "./granting.ts";
import type { MemberRecord } from "./member.ts";
import { isCurrent, type TermFields } from "./terms.ts";

/** One query reads membership and profile, which are adjacent in the partition. Up to 4 KB cost one read unit. */
const memberAndProfile = (email: string): Query => ({
  KeyConditionExpression: "PK = :person AND SK BETWEEN :member AND :profile",
  ExpressionAttributeValues: {
    ":person": memberKey(email).PK,
    ":member": memberKey(email).SK,
    ":profile": profileKey(email).SK,
  },
  ConsistentRead: true,
});

export async function readMemberAndProfile(email: string): Promise<Pick<Held, "member" | "profile">> {
  const { items } = await queryOnce<Stored<MemberRecord> | Stored<ProfileRecord>>(memberAndProfile(email));
  const member = items.find((item): item is Stored<MemberRecord> => item.SK === memberKey(email).SK);
  const profile = items.find((item): item is Stored<ProfileRecord> => item.SK === profileKey(email).SK);
  return { member: member && recordOf<MemberRecord>(member), profile: profile && recordOf<ProfileRecord>(profile) };
}

/** The three records of a member, strongly consistent and in parallel. */
export async function readHeld(email: string): Promise<Held> {
  const [user, rest] = await Promise.all([readUser(email), readMemberAndProfile(email)]);
  return { user, ...rest };
}

export const readMember = (email: string) => getRecord<MemberRecord>(memberKey(email), "strong");

interface MembersRequest extends PeopleRequest {
  /** Absent: both. */
  readonly state?: "current" | "former";
}

/**
 * Members, sorted by email; also former ones.
 * @param now epoch milliseconds
 * @throws ValidationFailed the cursor is not one of this list
 */
export async function pageOfMembers({ state, ...request }: MembersRequest, now: number): Promise<Page<MemberRecord>> {
  const page = await pageOfPeople<Stored<MemberRecord>>(listOfMembers, request, {
    namesOf: ({ firstName, lastName }) => ({ first: firstName, last: lastName }),
    only: state && [state, (member) => isCurrent(member, now) === (state === "current")],
  });
  return { ...page, rows: page.rows.map(recordOf<MemberRecord>) };
}

const memberItem = (member: MemberRecord) => ({
  ...memberKey(member.email),
  GSI1PK: listOfMembers,
  GSI1SK: member.email,
  ...member,
});

/** Refused when the person has a membership. */
export const putNewMember = (member: MemberRecord): TransactItem => putNew(memberItem(member));

/** Replaces a membership. Refused when it has changed since it was read. */
export const replaceMember = (member: MemberRecord, read: MemberRecord): TransactItem =>
  putIf(memberItem({ ...member, version: read.version + 1 }), unchanged(read));

/** Removes a membership. Refused when it has changed since it was read. */
export const removeMember = (read: MemberRecord): TransactItem => deleteIf(memberKey(read.email), unchanged(read));

/** The end of a term, or its reminder, which the night looks for. */
interface TermNote extends Key {
  readonly email: string;
}

const notes = partitionOf("end of a term", {});

const noteOf = (email: string, dueAt: number): TermNote & Item => ({ ...termNoteKey(email, dueAt), email });

/** The members that keep a membership's note where its `dueAt` is. Beside a condition on the membership. */
export function moveNote(email: string, before: TermFields | undefined, after: TermFields | undefined): Transaction {
  const [was, is] = [before?.dueAt, after?.dueAt];
  if (was === is) return {};
  return {
    ...(was !== undefined && { oldTermNote: drop(termNoteKey(email, was), "beside a condition") }),
    ...(is !== undefined && { termNote: put(noteOf(email, is), "beside a condition") }),
  };
}

/** Removes a note that belongs to no membership any more. Beside a condition on the membership. */
export const dropNote = (note: Key): TransactItem => drop(note, "beside a condition");

/** The notes that are due, as they are due. @param now epoch milliseconds */
export const dueNotes = (now: number): AsyncGenerator<TermNote> =>
  queryItems<TermNote>({
    KeyConditionExpression: "PK = :all AND SK < :now",
    ExpressionAttributeValues: { ":all": notes, ":now": timeText(now + 1) },
    ConsistentRead: true,
    Limit: 100,
  });

/** When a note is due, epoch milliseconds. */
export const dueIn = ({ SK }: Key): number => Number(SK.slice(0, 13));

/** The condition that a membership has not changed since it was read. */
export const sameMember = (read: MemberRecord): TransactItem => checkIf(memberKey(read.email), unchanged(read));

/** The condition that the person has no membership. */
export const checkNoMember = (email: string): TransactItem => checkIf(memberKey(email), isAbsent);

/**
 * Sets `isMember` and fills blank fields of an account, without writing other fields, so that it does not undo changes of
 * other requests. Refused when such a field has a value now, `isMember` has changed, or the account is gone.
 */
export function completeUser(user: UserRecord, read: UserRecord): TransactItem {
  const filled = changedFields(user, read).filter((name) => !["isMember", "memberUntil", "updatedAt"].includes(name));
  const gaps = filled.map((name) => `(attribute_not_exists(#${name}) OR #${name} = :blank)`);
  const [until, wasUntil] = [user.memberUntil, read.memberUntil];
  const written = [
    "isMember",
    "updatedAt",
    ...filled,
    ...(until === undefined ? [] : (["memberUntil"] as const)),
  ] as const;
  const { parts, names, values } = setting(Object.fromEntries(written.map((name) => [name, user[name]])));
  const ends = wasUntil === undefined ? "attribute_not_exists(memberUntil)" : "memberUntil = :wasUntil";
  return updateIf(userKey(user.email), {
    UpdateExpression: `SET ${parts.join(", ")}${until === undefined && wasUntil !== undefined ? " REMOVE memberUntil" : ""}`,
    ConditionExpression: ["isMember = :wasMember", ends, ...gaps].join(" AND "),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: {
      ...{ ...values, ":wasMember": read.isMember },
      ...(wasUntil !== undefined && { ":wasUntil": wasUntil }),
      ...(filled.length > 0 && { ":blank": "" }),
    },
  });
}

/** The condition that an account's `isMember` is unchanged. */
export const sameMark = (email: string, isMember: boolean): TransactItem =>
  checkIf(userKey(email), {
    ConditionExpression: "isMember = :isMember",
    ExpressionAttributeValues: { ":isMember": isMember },
  });

/** Sets `isMember` and its end in the account, if the person has one. `until` and `now` are in epoch milliseconds. */
export function markUser(
  email: string,
  read: UserRecord | undefined,
  { isMember, until, now }: { readonly isMember: boolean; readonly until?: number | undefined; readonly now: number },
): TransactItem {
  // An account that another request creates concurrently would miss the change, so there must be none.
  if (!read) return checkNoUser(email);
  if (read.isMember === isMember && read.memberUntil === until) return sameMark(email, isMember);
  return completeUser({ ...read, isMember, memberUntil: until, updatedAt: now }, read);
}

/**
 * The members that give a membership's new end to the account and the night. An account that an admin has marked as no
 * member's stays so. `now` is in epoch milliseconds.
 */
export function moveEnd({ member: read, user }: Held, member: MemberRecord, now: number): Transaction {
  const { email, until } = member;
  const counts = user !== undefined && (user.isMember || user.memberUntil !== undefined);
  return {
    ...moveNote(email, read, member),
    user: markUser(email, user, { isMember: counts, until: counts ? until : undefined, now }),
  };
}
