/** Keys, items and transaction members of profiles. */

import { checkIf, getItem, getRecord, isAbsent, type Key, putIf, putNew, type TransactItem } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import type { ProfileRecord } from "./profile.ts";

export const profileKey = (email: string): Key => keyOf("profile", { email });
/** Key of the item that points from a profile id to its person, and makes the id unique. */
export const profileIdKey = (profile: string): Key => keyOf("profile id", { profile });

/** The condition that a record has not changed since it was read. */
export const unchanged = ({ version, generation }: Pick<ProfileRecord, "version" | "generation">) => ({
  ConditionExpression: "version = :read AND generation = :generation",
  ExpressionAttributeValues: { ":read": version, ":generation": generation },
});

/** The condition that a record has this profile id. */
export const hasProfileID = (profileID: string) => ({
  ConditionExpression: "profileID = :profileID",
  ExpressionAttributeValues: { ":profileID": profileID },
});

export const readProfile = (email: string) => getRecord<ProfileRecord>(profileKey(email), "strong");

/** The email of the person with this profile id. */
export const findOwner = async (profileID: string): Promise<string | undefined> =>
  (await getItem<{ readonly email: string }>(profileIdKey(profileID), "strong"))?.email;

/** Refused when the person has a profile. */
export const putNewProfile = (profile: ProfileRecord): TransactItem =>
  putNew({ ...profileKey(profile.email), ...profile });

/** Reserves a profile id for a person. Refused when the id is taken. */
export const putProfileID = ({ profileID, email }: ProfileRecord): TransactItem =>
  putNew({ ...profileIdKey(profileID), email });

/** Replaces a profile. Refused when it has changed since it was read. */
export const replaceProfile = (profile: ProfileRecord, read: ProfileRecord): TransactItem =>
  putIf({ ...profileKey(profile.email), ...profile, version: read.version + 1 }, unchanged(read));

/** The condition that the person still has the profile that was read, or still has none. */
export const sameProfile = (email: string, read: ProfileRecord | undefined): TransactItem =>
  checkIf(profileKey(email), read ? hasProfileID(read.profileID) : isAbsent);
