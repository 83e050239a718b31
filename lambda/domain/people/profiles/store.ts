/** Keys, items and transaction members of profiles. */
import { type Consistency, getItem, type Key, putNew, type TransactItem, tableName } from "#kit/table.ts";
import type { ProfileRecord } from "./profile.ts";

export const profileKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "PROFILE" });
/** Key of the item that points from a profile id to its person. The item makes the id unique. */
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

/**
 * The email of the person with this profile id. A profile id never changes its owner, so only a miss needs a consistent
 * read.
 */
export const findOwner = async (profileID: string): Promise<string | undefined> =>
  (await readOwner(profileID, "eventual")) ?? (await readOwner(profileID, "strong"));

/** Refused when the person has a profile. */
export const putNewProfile = (profile: ProfileRecord): TransactItem =>
  putNew({ ...profileKey(profile.email), ...profile });

/** Reserves a profile id for a person. Refused when the id is taken. */
export const putProfileID = ({ profileID, email }: ProfileRecord): TransactItem =>
  putNew({ ...profileIdKey(profileID), email });

/** Replaces a profile. Refused when it has changed since it was read. */
export const replaceProfile = (profile: ProfileRecord, read: ProfileRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...profileKey(profile.email), ...profile, version: read.version + 1 },
    ConditionExpression: "version = :read AND generation = :generation",
    ExpressionAttributeValues: { ":read": read.version, ":generation": read.generation },
  },
});

/** Demands that the person still has the profile that was read, or still has none. */
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
