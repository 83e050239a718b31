/** Keys, items and transaction members of profiles. */
import { type Consistency, getItem, type Key, type TransactItem, tableName } from "#kit/table.ts";
import type { ProfileRecord } from "./profile.ts";

export const profileKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "PROFILE" });
/** Of the pointer from an id to its person: what makes the id unique. */
export const profileIdKey = (profileID: string): Key => ({ PK: `PID#${profileID}`, SK: "PID" });

/** A stored profile without its key. */
export function profileOf({ PK, SK, ...profile }: ProfileRecord & Key): ProfileRecord {
  return profile;
}

export async function readProfile(email: string): Promise<ProfileRecord | undefined> {
  const item = await getItem<ProfileRecord>(profileKey(email), "strong");
  return item && profileOf(item);
}

const readOwner = async (profileID: string, consistency: Consistency): Promise<string | undefined> =>
  (await getItem<{ readonly email: string }>(profileIdKey(profileID), consistency))?.email;

/** Whose profile has this id. A profile id never changes owner: only a miss needs a consistent read. */
export const findOwner = async (profileID: string): Promise<string | undefined> =>
  (await readOwner(profileID, "eventual")) ?? (await readOwner(profileID, "strong"));

/** Refused when the person has a profile. */
export const putNewProfile = (profile: ProfileRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...profileKey(profile.email), ...profile },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/** Takes an id for a person. Refused when it is taken. */
export const putProfileID = ({ profileID, email }: ProfileRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...profileIdKey(profileID), email },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/** Replaces a profile that is still as it was read. */
export const replaceProfile = (profile: ProfileRecord, read: ProfileRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...profileKey(profile.email), ...profile, version: read.version + 1 },
    ConditionExpression: "version = :read AND createdBy = :createdBy",
    ExpressionAttributeValues: { ":read": read.version, ":createdBy": read.createdBy },
  },
});

/** Demands that a person's profile is still the one that was read, or that there is still none. */
export const sameProfile = (email: string, read: ProfileRecord | undefined): TransactItem => ({
  ConditionCheck: {
    TableName: tableName,
    Key: profileKey(email),
    ...(read
      ? {
          ConditionExpression: "profileID = :profileID",
          ExpressionAttributeValues: { ":profileID": read.profileID },
        }
      : { ConditionExpression: "attribute_not_exists(PK)" }),
  },
});
