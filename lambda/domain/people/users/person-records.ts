/**
 * Keys and transaction members of a person's records other than the account: membership, profile, and the item of the
 * profile id, which points to the person.
 */

import { timeText } from "#kit/table/item.ts";
import {
  checkIf,
  deleteIf,
  drop,
  exists,
  getItem,
  isAbsent,
  type Key,
  type Query,
  type TransactItem,
} from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { peopleIn } from "../list.ts";
import { hasProfileID, profileIdKey, profileKey } from "../profiles/store.ts";

export const memberKey = (email: string): Key => keyOf("membership", { email });

/** Key of the note for the night about a membership that ends. @param dueAt epoch milliseconds */
export const termNoteKey = (email: string, dueAt: number): Key =>
  keyOf("end of a term", { ms: timeText(dueAt), email });

/** The partition of the index that lists memberships by email. */
export const listOfMembers = "MEMBERS#0";

/** Members sorted by email. */
export const allMembers = (): Query => peopleIn(listOfMembers);

/** The fields of a membership or profile that are needed to remove it. */
export interface PersonRecord {
  /** The readable id of the profile. */
  readonly profileID?: string;
  /** Epoch milliseconds. */
  readonly createdAt?: number;
  /** Of a membership: where its note is, epoch milliseconds. */
  readonly dueAt?: number | undefined;
}

/** Whether a membership record exists for this email. */
export const hasMembership = async (email: string): Promise<boolean> =>
  (await getItem(memberKey(email), "strong")) !== undefined;

/** The condition that the person has, or does not have, a membership. */
export const checkMembership = (email: string, isMember: boolean): TransactItem =>
  checkIf(memberKey(email), isMember ? exists : isAbsent);

/**
 * Removes a record. Refused when its profile id or note has changed, or there is a record although none was read.
 */
function dropIfUnchanged(key: Key, read: PersonRecord | undefined): TransactItem {
  if (!read) return checkIf(key, isAbsent);
  const { profileID, dueAt } = read;
  const id =
    profileID === undefined
      ? "attribute_exists(PK) AND attribute_not_exists(profileID)"
      : hasProfileID(profileID).ConditionExpression;
  const note = dueAt === undefined ? "attribute_not_exists(dueAt)" : "dueAt = :dueAt";
  const values = {
    ...(profileID !== undefined && { ":profileID": profileID }),
    ...(dueAt !== undefined && { ":dueAt": dueAt }),
  };
  return deleteIf(key, {
    ConditionExpression: `${id} AND ${note}`,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });
}

/**
 * Removes a person's membership and profile, and the items of their profile ids. Refused when a record was created,
 * removed or got another profile id since the read: otherwise the item of an id could remain without a profile, and block
 * that id forever.
 */
export function dropPersonRecords(
  email: string,
  { member, profile }: { readonly member?: PersonRecord | undefined; readonly profile?: PersonRecord | undefined },
): Record<string, TransactItem> {
  const ids = new Set([member?.profileID, profile?.profileID].filter((id) => id !== undefined));
  const pointers = [...ids].map((id, index) => [`pointer${index}`, drop(profileIdKey(id), "beside a condition")]);
  return {
    ...(member?.dueAt !== undefined && { termNote: drop(termNoteKey(email, member.dueAt), "beside a condition") }),
    member: dropIfUnchanged(memberKey(email), member),
    profile: dropIfUnchanged(profileKey(email), profile),
    ...Object.fromEntries(pointers),
  };
}
