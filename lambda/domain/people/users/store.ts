/** Keys, items and transaction members of accounts. */
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import {
  type Consistency,
  getItem,
  getItems,
  type Key,
  type Query,
  type TransactItem,
  type Transaction,
  tableName,
  updateIf,
} from "#kit/table.ts";
import { dropPersonRecords, memberKey, type PersonRecord } from "../members/person-records.ts";
import { profileKey } from "../profiles/store.ts";

/** What people tell about themselves. */
export interface UserDetails {
  readonly fname?: string;
  readonly lname?: string;
  readonly faculty?: string;
  readonly major?: string;
  readonly year?: string;
  readonly studentId?: string;
  readonly diet?: string;
  readonly gender?: string;
  readonly education?: string;
  readonly university?: string;
}

/** A person as stored. The email is in the key as well. */
export interface UserRecord extends UserDetails {
  readonly email: string;
  /** By the email's domain at creation; never consulted for access. */
  readonly admin: boolean;
  readonly isMember: boolean;
  /** `<event id>;<year>` */
  readonly favEvents: readonly string[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The request that created it. */
  readonly createdBy?: string;
}

const list = "USERS#0";

export const userKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "USER" });

export const readUser = (email: string, consistency: Consistency = "strong") =>
  getItem<UserRecord>(userKey(email), consistency);

/** Those of these people who have a record, by email. */
export async function readUsers(emails: readonly string[]): Promise<ReadonlyMap<string, UserRecord>> {
  const users = await getItems<UserRecord>(emails.map(userKey), "strong");
  return new Map(users.map((user) => [user.email, user]));
}

const everybody = (after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: after === undefined ? "GSI1PK = :list" : "GSI1PK = :list AND GSI1SK > :after",
  ExpressionAttributeValues: { ":list": list, ...(after !== undefined && { ":after": after }) },
});

/** By email. */
export const pageOfUsers = ({ limit, after }: PageRequest): Promise<Page<UserRecord>> =>
  queryPage<UserRecord>(everybody(after), { limit, sortKeyOf: ({ email }) => email });

/** Refused when the person has a record. */
export const putNewUser = (user: UserRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...userKey(user.email), GSI1PK: list, GSI1SK: user.email, ...user },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/** What a PATCH changes: `null` removes a field. */
export type UserChange = { readonly [F in keyof UserDetails]?: string | null } & { readonly isMember?: boolean };

/**
 * Changes exactly these fields, whatever others change at the same moment. Doing it again changes nothing more.
 * @returns the person as they are then; undefined when there is no record
 */
export function changeUser(email: string, change: UserChange, now: number): Promise<UserRecord | undefined> {
  const fields = Object.entries(change).map(([name, value], index) => ({ name, value, at: `#field${index}` }));
  const [kept, removed] = [fields.filter(({ value }) => value !== null), fields.filter(({ value }) => value === null)];
  const set = ["updatedAt = :now", ...kept.map(({ at }) => `${at} = ${at.replace("#", ":")}`)].join(", ");
  const remove = removed.map(({ at }) => at).join(", ");
  return updateIf<UserRecord>({
    Key: userKey(email),
    UpdateExpression: `SET ${set}${remove && ` REMOVE ${remove}`}`,
    ConditionExpression: "attribute_exists(PK)",
    ...(fields.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(fields.map(({ at, name }) => [at, name])),
    }),
    ExpressionAttributeValues: {
      ":now": now,
      ...Object.fromEntries(kept.map(({ at, value }) => [at.replace("#", ":"), value])),
    },
  });
}

/** Most favourites of a person: the record is read with every answer about them. */
export const mostFavourites = 500;

/** Adds a favourite to those that were read. Refused when there are more or fewer by now. */
export const addFavourite = (read: UserRecord, favourite: string, now: number): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: userKey(read.email),
    UpdateExpression: "SET favEvents = list_append(favEvents, :added), updatedAt = :now",
    ConditionExpression: "NOT contains(favEvents, :favourite) AND size(favEvents) = :size",
    ExpressionAttributeValues: {
      ":added": [favourite],
      ":favourite": favourite,
      ":size": read.favEvents.length,
      ":now": now,
    },
  },
});

/** Removes a favourite from those that were read. Refused when it is elsewhere, or there are more or fewer by now. */
export function removeFavourite(read: UserRecord, favourite: string, now: number): TransactItem {
  const place = `favEvents[${read.favEvents.indexOf(favourite)}]`;
  return {
    Update: {
      TableName: tableName,
      Key: userKey(read.email),
      UpdateExpression: `SET updatedAt = :now REMOVE ${place}`,
      ConditionExpression: `${place} = :favourite AND size(favEvents) = :size`,
      ExpressionAttributeValues: { ":favourite": favourite, ":size": read.favEvents.length, ":now": now },
    },
  };
}

/** All that is removed with an account. */
export interface Person {
  readonly user?: UserRecord | undefined;
  readonly member?: PersonRecord | undefined;
  readonly profile?: PersonRecord | undefined;
}

/** In one round trip, consistently. */
export async function readPerson(email: string): Promise<Person> {
  const items = await getItems([userKey(email), memberKey(email), profileKey(email)], "strong");
  const find = <T>(SK: string) => items.find((item) => item.SK === SK) as T | undefined;
  return {
    user: find<UserRecord>("USER"),
    member: find<PersonRecord>("MEMBER"),
    profile: find<PersonRecord>("PROFILE"),
  };
}

/** Holds while the person has no account. */
export const checkNoUser = (email: string): TransactItem => ({
  ConditionCheck: {
    TableName: tableName,
    Key: userKey(email),
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

const dropUser = (email: string): TransactItem => ({
  Delete: { TableName: tableName, Key: userKey(email), ConditionExpression: "attribute_exists(PK)" },
});

/** Removes all that was read of a person. Refused when something has come or gone since. */
export const removePerson = (email: string, { user, ...belongings }: Person): Transaction => ({
  user: user ? dropUser(email) : checkNoUser(email),
  ...dropPersonRecords(email, belongings),
});
