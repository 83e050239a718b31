/** Keys, items and transaction members of accounts. */
import type { Page } from "#kit/pages.ts";
import {
  type Consistency,
  getItem,
  getItems,
  type Key,
  putNew,
  queryOnce,
  type TransactItem,
  type Transaction,
  tableName,
} from "#kit/table.ts";
import { type PeopleRequest, pageOfPeople, peopleFrom } from "../list.ts";
import { dropPersonRecords, memberKey, type PersonRecord } from "../members/person-records.ts";
import { profileKey } from "../profiles/store.ts";

/** The fields that people fill in about themselves. */
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

/** An account as stored. The key contains the email too. */
export interface UserRecord extends UserDetails {
  readonly email: string;
  /** Set at creation by the email's domain. Access never depends on it. */
  readonly admin: boolean;
  readonly isMember: boolean;
  /** `<event id>;<year>` */
  readonly favEvents: readonly string[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const list = "USERS#0";

export const userKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "USER" });

export const readUser = (email: string, consistency: Consistency = "strong") =>
  getItem<UserRecord>(userKey(email), consistency);

/** The existing accounts of these people, by email. */
export async function readUsers(emails: readonly string[]): Promise<ReadonlyMap<string, UserRecord>> {
  const users = await getItems<UserRecord>(emails.map(userKey), "strong");
  return new Map(users.map((user) => [user.email, user]));
}

/** Accounts that the first look at the list reads; each later one reads four times as many. */
const firstAccounts = 200;
/** Fewer accounts are read one by one. */
const fewAccounts = 16;
/** Read units of one account, eventually consistent. */
const unitsOfOne = 0.5;

/**
 * The existing accounts of these people, by email, as the list of accounts has them. Neighbours in the list share read
 * units, which single reads never do. So it reads the list from one of these people to the next while that is cheaper,
 * and the rest one by one: never dearer than single reads by more than two queries. One dear query does not end it,
 * because the first person may be far from the other ones.
 */
export async function readListedUsers(emails: readonly string[]): Promise<ReadonlyMap<string, UserRecord>> {
  const wanted = [...new Set(emails)].sort();
  const users = new Map<string, UserRecord>();
  const last = wanted.at(-1) as string;
  let [at, Limit, dearQueries] = [0, firstAccounts, 0];
  while (wanted.length - at > fewAccounts && dearQueries < 2) {
    const page = await queryOnce<UserRecord>({
      ...peopleFrom(list, wanted[at] as string, last),
      Limit,
      ReturnConsumedCapacity: "TOTAL",
    });
    const end = page.last ? page.items.at(-1)?.email : undefined;
    const begin = at;
    while (at < wanted.length && (end === undefined || (wanted[at] as string) <= end)) at += 1;
    const isWanted = new Set(wanted.slice(begin, at));
    for (const user of page.items) if (isWanted.has(user.email)) users.set(user.email, user);
    if (page.units > (at - begin) * unitsOfOne) dearQueries += 1;
    else Limit *= 4;
  }
  const rest = await getItems<UserRecord>(wanted.slice(at).map(userKey), "eventual");
  for (const user of rest) users.set(user.email, user);
  return users;
}

/** Accounts, sorted by email. @throws ValidationFailed the cursor is not one of this list */
export const pageOfUsers = (request: PeopleRequest): Promise<Page<UserRecord>> =>
  pageOfPeople<UserRecord>(list, request, ({ fname, lname }) => ({ first: fname, last: lname }));

/** Refused when the person has an account. */
export const putNewUser = (user: UserRecord): TransactItem =>
  putNew({ ...userKey(user.email), GSI1PK: list, GSI1SK: user.email, ...user });

/** The fields that a PATCH changes. `null` removes a field. */
export type UserChange = { readonly [F in keyof UserDetails]?: string | null } & { readonly isMember?: boolean };

/**
 * Changes exactly these fields, so that it does not undo changes of other requests. Refused when there is no account. It
 * is for a transaction: a try that comes late must not undo a change that was made after it.
 * @param now epoch milliseconds
 */
export function changeFields(email: string, change: UserChange, now: number): TransactItem {
  const fields = Object.entries(change).map(([name, value], index) => ({ name, value, at: `#field${index}` }));
  const [kept, removed] = [fields.filter(({ value }) => value !== null), fields.filter(({ value }) => value === null)];
  const set = ["updatedAt = :now", ...kept.map(({ at }) => `${at} = ${at.replace("#", ":")}`)].join(", ");
  const remove = removed.map(({ at }) => at).join(", ");
  return {
    Update: {
      TableName: tableName,
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
    },
  };
}

/** Most favourites of a person. They are stored in the account, which is read often, so it must stay small. */
export const mostFavourites = 500;

/** Adds a favourite. Refused when the list has it already or its length has changed since it was read. */
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

/** Removes a favourite. Refused when its index or the length of the list has changed since it was read. */
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

/** The records that are removed together with an account. */
export interface Person {
  readonly user?: UserRecord | undefined;
  readonly member?: PersonRecord | undefined;
  readonly profile?: PersonRecord | undefined;
}

/** Reads a person's records in one batch, strongly consistent. */
export async function readPerson(email: string): Promise<Person> {
  const items = await getItems([userKey(email), memberKey(email), profileKey(email)], "strong");
  const find = <T>(SK: string) => items.find((item) => item.SK === SK) as T | undefined;
  return {
    user: find<UserRecord>("USER"),
    member: find<PersonRecord>("MEMBER"),
    profile: find<PersonRecord>("PROFILE"),
  };
}

/** Demands that the person has no account. */
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

/** Removes the records that were read. Refused when a record was created or removed since. */
export const removePerson = (email: string, { user, ...belongings }: Person): Transaction => ({
  user: user ? dropUser(email) : checkNoUser(email),
  ...dropPersonRecords(email, belongings),
});
