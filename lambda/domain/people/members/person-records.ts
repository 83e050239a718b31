/**
 * Keys and transaction members of what belongs to a person besides the account: membership, profile, and the pointer
 * from the profile's identifier to the person.
 */
import { getItem, type Key, type Query, type TransactItem, tableName } from "#kit/table.ts";
import { profileIdKey, profileKey } from "../profiles/store.ts";

export const memberKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "MEMBER" });

/** The partition of the index that lists memberships by email. */
export const listOfMembers = "MEMBERS#0";

/** Members by email; behind the email `after`, if given. */
export const everyMember = (after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: after === undefined ? "GSI1PK = :list" : "GSI1PK = :list AND GSI1SK > :after",
  ExpressionAttributeValues: { ":list": listOfMembers, ...(after !== undefined && { ":after": after }) },
});

/** A membership or a profile, as far as whoever removes it must know it. */
export interface PersonRecord {
  /** Human-readable identifier of the profile. */
  readonly profileID?: string;
  /** Epoch milliseconds. */
  readonly createdAt?: number;
}

/** Whether a membership record exists for this email. */
export const hasMembership = async (email: string): Promise<boolean> =>
  (await getItem(memberKey(email), "strong")) !== undefined;

/** Holds while there is a membership, or while there is none. */
export const checkMembership = (email: string, exists: boolean): TransactItem => ({
  ConditionCheck: {
    TableName: tableName,
    Key: memberKey(email),
    ConditionExpression: exists ? "attribute_exists(PK)" : "attribute_not_exists(PK)",
  },
});

/** Removes what was read, with the profile identifier that was read; nothing read demands that nothing is there. */
function dropAsRead(key: Key, read: PersonRecord | undefined): TransactItem {
  const at = { TableName: tableName, Key: key };
  if (!read) return { ConditionCheck: { ...at, ConditionExpression: "attribute_not_exists(PK)" } };
  if (read.profileID === undefined) {
    return { Delete: { ...at, ConditionExpression: "attribute_exists(PK) AND attribute_not_exists(profileID)" } };
  }
  return {
    Delete: {
      ...at,
      ConditionExpression: "profileID = :profileID",
      ExpressionAttributeValues: { ":profileID": read.profileID },
    },
  };
}

/**
 * Removes a person's membership and profile as they were read, and the pointers that lead to them. Refused when any of
 * them has come, gone or got another identifier since: a pointer without its profile would block that name for ever.
 */
export function dropPersonRecords(
  email: string,
  { member, profile }: { readonly member?: PersonRecord | undefined; readonly profile?: PersonRecord | undefined },
): Record<string, TransactItem> {
  const ids = new Set([member?.profileID, profile?.profileID].filter((id) => id !== undefined));
  const pointers = [...ids].map((id, index) => [
    `pointer${index}`,
    { Delete: { TableName: tableName, Key: profileIdKey(id) } },
  ]);
  return {
    member: dropAsRead(memberKey(email), member),
    profile: dropAsRead(profileKey(email), profile),
    ...Object.fromEntries(pointers),
  };
}
