/**
 * Keys and transaction members of a person's records besides the account: membership, profile, and the item of the
 * profile id, which points to the person.
 */
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
} from "#kit/table.ts";
import { peopleIn } from "../list.ts";
import { hasProfileID, profileIdKey, profileKey } from "../profiles/store.ts";

export const memberKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "MEMBER" });

/** The partition of the index that lists memberships by email. */
export const listOfMembers = "MEMBERS#0";

/** Members sorted by email. */
export const allMembers = (): Query => peopleIn(listOfMembers);

/** The fields of a membership or a profile that are needed to remove it. */
export interface PersonRecord {
  /** The readable id of the profile. */
  readonly profileID?: string;
  /** Epoch milliseconds. */
  readonly createdAt?: number;
}

/** Whether a membership record exists for this email. */
export const hasMembership = async (email: string): Promise<boolean> =>
  (await getItem(memberKey(email), "strong")) !== undefined;

/** Demands that the person has a membership, or that the person has none. */
export const checkMembership = (email: string, isMember: boolean): TransactItem =>
  checkIf(memberKey(email), isMember ? exists : isAbsent);

/**
 * Removes a record. Refused when its profile id is another one by now. If no record was read, demands that there is
 * none.
 */
function dropAsRead(key: Key, read: PersonRecord | undefined): TransactItem {
  if (!read) return checkIf(key, isAbsent);
  if (read.profileID !== undefined) return deleteIf(key, hasProfileID(read.profileID));
  return deleteIf(key, { ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(profileID)" });
}

/**
 * Removes a person's membership and profile as they were read, and the items of their profile ids. Refused when a
 * record was created, removed or got another profile id since the read. Otherwise the item of an id could stay without
 * a profile, and no person could ever get that id.
 */
export function dropPersonRecords(
  email: string,
  { member, profile }: { readonly member?: PersonRecord | undefined; readonly profile?: PersonRecord | undefined },
): Record<string, TransactItem> {
  const ids = new Set([member?.profileID, profile?.profileID].filter((id) => id !== undefined));
  const pointers = [...ids].map((id, index) => [`pointer${index}`, drop(profileIdKey(id))]);
  return {
    member: dropAsRead(memberKey(email), member),
    profile: dropAsRead(profileKey(email), profile),
    ...Object.fromEntries(pointers),
  };
}
