/** Keys, items and transaction members of accounts. */

import type { Page } from "#kit/lists/pages.ts";
import {
  type Consistency,
  checkIf,
  deleteIf,
  drop,
  exists,
  getItem,
  getItems,
  getNamed,
  isAbsent,
  type Key,
  putNew,
  setting,
  type TransactItem,
  type Transaction,
  updateIf,
} from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { type PeopleRequest, pageOfPeople } from "../list.ts";
import type { Again } from "../once-more.ts";
import { profileKey } from "../profiles/store.ts";
import type { UserDetails } from "./details.ts";
import { dropPersonRecords, memberKey, type PersonRecord } from "./person-records.ts";

/** An account as stored. The key contains the email too. */
export interface UserRecord extends UserDetails {
  readonly email: string;
  /** Set at creation from the email's domain. Access never depends on it. */
  readonly admin: boolean;
  /** Until `memberUntil`, if there is one: `isMemberAt` says whether the person is a member. */
  readonly isMember: boolean;
  /** Epoch milliseconds: the first moment after the membership, also once it is over. */
  readonly memberUntil?: number | undefined;
  /** `<event id>;<year>` */
  readonly favEvents: readonly string[];
  /** How often the person has recently changed favourites. */
  readonly favoured?: Again;
  /** A random text in the address of the calendar feed, unless `calendarKey` has one. */
  readonly calendarId?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const list = "USERS#0";

export const userKey = (email: string): Key => keyOf("account", { email });

export const readUser = (email: string, consistency: Consistency = "strong") =>
  getItem<UserRecord>(userKey(email), consistency);

/** The existing accounts of these people, by email. */
export async function readUsers(
  emails: readonly string[],
  consistency: Consistency,
): Promise<ReadonlyMap<string, UserRecord>> {
  const users = await getItems<UserRecord>(emails.map(userKey), consistency);
  return new Map(users.map((user) => [user.email, user]));
}

/** Accounts, sorted by email. @throws ValidationFailed the cursor is not one of this list */
export const pageOfUsers = (request: PeopleRequest): Promise<Page<UserRecord>> =>
  pageOfPeople<UserRecord>(list, request, { namesOf: ({ fname, lname }) => ({ first: fname, last: lname }) });

/** Refused when the person has an account. */
export const putNewUser = (user: UserRecord): TransactItem =>
  putNew({ ...userKey(user.email), GSI1PK: list, GSI1SK: user.email, ...user });

/** The fields that a PATCH changes. `null` removes a field. */
export type UserChange = { readonly [F in keyof UserDetails]?: string | null } & { readonly isMember?: boolean };

/**
 * Changes only these fields, so that it does not undo changes of other requests. Refused when there is no account. Only
 * for transactions: a late retry must not undo a later change.
 * @param now epoch milliseconds
 * @param read refused when `isMember` has changed since this read
 * @param endless whether the membership's end goes, which must be the one read: `isMember` then counts by itself
 */
export function changeFields(
  email: string,
  change: UserChange,
  now: number,
  read?: Pick<UserRecord, "isMember" | "memberUntil">,
  endless = false,
): TransactItem {
  const fields = Object.entries(change);
  const kept = setting({ ...Object.fromEntries(fields.filter(([, value]) => value !== null)), updatedAt: now });
  const removed = setting(Object.fromEntries(fields.filter(([, value]) => value === null)));
  const remove = [...Object.keys(removed.names), ...(endless ? ["memberUntil"] : [])].join(", ");
  return updateIf(userKey(email), {
    UpdateExpression: `SET ${kept.parts.join(", ")}${remove && ` REMOVE ${remove}`}`,
    ConditionExpression: read
      ? `isMember = :wasMember${endless ? " AND memberUntil = :wasUntil" : ""}`
      : exists.ConditionExpression,
    ExpressionAttributeNames: { ...kept.names, ...removed.names },
    ExpressionAttributeValues: {
      ...kept.values,
      ...(read && { ":wasMember": read.isMember }),
      ...(endless && { ":wasUntil": read?.memberUntil }),
    },
  });
}

/** Maximum favourites of a person. They are stored in the account, which is read often and must stay small. */
export const maxFavourites = 500;

/** The condition that no other request has been counted since the read. The length may be the same after two changes. */
const uncounted = ({ favoured }: UserRecord) =>
  favoured
    ? { condition: "favoured = :counted", values: { ":counted": favoured } }
    : { condition: "attribute_not_exists(favoured)", values: {} };

/** A change of the favourites, which is counted. */
interface Favoured {
  readonly favourite: string;
  readonly favoured: Again;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Adds a favourite. Refused when it is in the list already, or the favourites have changed since the read. */
export const addFavourite = (read: UserRecord, { favourite, favoured, now }: Favoured): TransactItem =>
  updateIf(userKey(read.email), {
    UpdateExpression: "SET favEvents = list_append(favEvents, :added), favoured = :favoured, updatedAt = :now",
    ConditionExpression: `NOT contains(favEvents, :favourite) AND size(favEvents) = :size AND ${uncounted(read).condition}`,
    ExpressionAttributeValues: {
      ...uncounted(read).values,
      ":added": [favourite],
      ":favoured": favoured,
      ":favourite": favourite,
      ":size": read.favEvents.length,
      ":now": now,
    },
  });

/** Removes a favourite. Refused when its index or the favourites have changed since the read. */
export function removeFavourite(read: UserRecord, { favourite, favoured, now }: Favoured): TransactItem {
  const place = `favEvents[${read.favEvents.indexOf(favourite)}]`;
  return updateIf(userKey(read.email), {
    UpdateExpression: `SET favoured = :favoured, updatedAt = :now REMOVE ${place}`,
    ConditionExpression: `${place} = :favourite AND size(favEvents) = :size AND ${uncounted(read).condition}`,
    ExpressionAttributeValues: {
      ...uncounted(read).values,
      ":favoured": favoured,
      ":favourite": favourite,
      ":size": read.favEvents.length,
      ":now": now,
    },
  });
}

/** The records that are removed together with an account. */
export interface Person {
  readonly user?: UserRecord | undefined;
  readonly member?: PersonRecord | undefined;
  readonly profile?: PersonRecord | undefined;
}

/** Reads a person's records in one batch, strongly consistent. */
export const readPerson = (email: string): Promise<Person> =>
  getNamed<Required<Person>>({ user: userKey(email), member: memberKey(email), profile: profileKey(email) }, "strong");

/** The condition that the person has an account. */
export const checkUser = (email: string): TransactItem => checkIf(userKey(email), exists);

/** The condition that the person has no account. */
export const checkNoUser = (email: string): TransactItem => checkIf(userKey(email), isAbsent);

/** Removes the records that were read. Refused when one was created or removed since. */
export const removePerson = (email: string, { user, ...belongings }: Person): Transaction => ({
  user: user ? deleteIf(userKey(email), exists) : checkNoUser(email),
  calendar: drop(keyOf("address of a calendar", { email }), "beside a condition"),
  forgiven: drop(keyOf("forgiven no-shows", { email }), "beside a condition"),
  ...dropPersonRecords(email, belongings),
});
