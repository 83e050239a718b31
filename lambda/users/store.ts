/** Keys, items and transaction members of accounts. */
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import { again } from "#kit/retry.ts";
import {
  type Consistency,
  commit,
  getItem,
  getItems,
  type Key,
  type Query,
  type TransactItem,
  tableName,
  updateIf,
} from "#kit/table.ts";
import { type Belonging, checkMembership, dropBelongings, memberKey } from "../members/belongings.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
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
  /** The request that created it, so that its retry recognizes its own work. */
  readonly createdBy?: string;
}

const list = "USERS#0";

export const userKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "USER" });

export const readUser = (email: string, consistency: Consistency = "strong") =>
  getItem<UserRecord>(userKey(email), consistency);

/** Those of these people who have a record, by email. */
export async function readUsers(emails: readonly string[]): Promise<ReadonlyMap<string, UserRecord>> {
  const users = (await getItems(emails.map(userKey), "strong")) as unknown as UserRecord[];
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
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

/**
 * @param hasMembership what was read of the membership that `isMember` was decided by, if it was: still so at commit
 * @returns the person as created, now or by an earlier try of the same request; undefined when there is another record
 * already; `again` when a membership has begun or ended since it was read
 */
export async function insertUser(
  user: UserRecord,
  hasMembership: boolean | undefined,
  origin: Origin,
): Promise<UserRecord | undefined | typeof again> {
  const record = { ...user, createdBy: origin.correlationId };
  const members: Record<string, TransactItem> = {
    user: putNewUser(record),
    outbox: outboxRow({ type: "user.created", data: { email: user.email } }, origin),
    ...(hasMembership !== undefined && { membership: checkMembership(user.email, hasMembership) }),
  };
  const outcome = await commit(members);
  if (outcome.committed) return record;
  if (!("user" in outcome.refused)) return again;
  const there = outcome.refused.user as unknown as UserRecord | null;
  return there?.createdBy === origin.correlationId ? there : undefined;
}

/** What a PATCH changes: `null` removes a field. */
export type UserChange = { readonly [F in keyof UserDetails]?: string | null } & { readonly isMember?: boolean };

/**
 * Changes exactly these fields, whatever others change at the same moment.
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

/**
 * Adds a favourite behind those that are there.
 * @returns the person as they are then; undefined when it is there already, or they are too many
 */
export const addFavourite = (email: string, favourite: string, now: number): Promise<UserRecord | undefined> =>
  updateIf<UserRecord>({
    Key: userKey(email),
    UpdateExpression: "SET favEvents = list_append(favEvents, :added), updatedAt = :now",
    ConditionExpression: "attribute_exists(PK) AND NOT contains(favEvents, :favourite) AND size(favEvents) < :most",
    ExpressionAttributeValues: {
      ":added": [favourite],
      ":favourite": favourite,
      ":most": mostFavourites,
      ":now": now,
    },
  });

/**
 * Removes the favourite that was read at this index.
 * @returns the person as they are then; undefined when it is not there any more
 */
export const removeFavourite = (
  email: string,
  favourite: string,
  index: number,
  now: number,
): Promise<UserRecord | undefined> =>
  updateIf<UserRecord>({
    Key: userKey(email),
    UpdateExpression: `SET updatedAt = :now REMOVE favEvents[${index}]`,
    ConditionExpression: `favEvents[${index}] = :favourite`,
    ExpressionAttributeValues: { ":favourite": favourite, ":now": now },
  });

/** All that is removed with an account. */
export interface Person {
  readonly user?: UserRecord | undefined;
  readonly member?: Belonging | undefined;
  readonly profile?: Belonging | undefined;
}

/** In one round trip, consistently. */
export async function readPerson(email: string): Promise<Person> {
  const items = await getItems([userKey(email), memberKey(email), profileKey(email)], "strong");
  const find = <T>(SK: string) => items.find((item) => item.SK === SK) as T | undefined;
  return { user: find<UserRecord>("USER"), member: find<Belonging>("MEMBER"), profile: find<Belonging>("PROFILE") };
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

/**
 * Removes all that was read of a person, in one transaction with the news.
 * @returns false when something has come or gone since it was read
 */
export async function removePerson(email: string, { user, ...belongings }: Person, origin: Origin): Promise<boolean> {
  const members: Record<string, TransactItem> = {
    user: user ? dropUser(email) : checkNoUser(email),
    ...dropBelongings(email, belongings),
    news: outboxRow({ type: "user.deleted", data: { email } }, origin),
  };
  return (await commit(members)).committed;
}
