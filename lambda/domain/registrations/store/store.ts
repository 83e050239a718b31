/** Keys, items and transaction members of registrations. */

import { type Place, type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { type ListShape, part, sortKeyOf } from "#kit/cursor.ts";
import { allOf, type Portion, queryItems, queryPortion } from "#kit/pages.ts";
import {
  type Consistency,
  getItem,
  getNamed,
  type Item,
  isAbsent,
  type Key,
  putIf,
  type Query,
  type TransactItem,
  updateIf,
} from "#kit/table.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import {
  type ListedRegistration,
  listedRegistrationIn,
  registrationIn,
  type StoredRegistration,
  storedForm,
} from "../record/stored-form.ts";
import { leaderboardKeys } from "./leaderboard.ts";

/** Names a person's registration for an event. */
export interface RegistrationKey {
  readonly email: string;
  readonly event: EventKey;
}

export const registrationKey = ({ email, event }: RegistrationKey): Key => ({
  PK: `USER#${email}`,
  SK: `REG#${event.id}#${event.year}`,
});

/**
 * The order of lists: by the beginning, as the index is. The other parts name the registration, because the keys of an
 * index need not be unique.
 */
export const listKeyOf = ({ queueKey, eventID, year, email }: ListedRegistration): string =>
  `${queueKey}#${eventID}#${year}#${email}`;

/** What the keys of a list have in common: the registrations of an event, a year, a person, or all of these. */
export const listShape = ({
  id,
  year,
  email,
}: Partial<EventKey> & { readonly email?: string | undefined }): ListShape =>
  sortKeyOf(
    part.time,
    part.ulid,
    part.only(id, part.eventId),
    part.only(year, part.year),
    part.only(email, part.email),
  );

/** A registration as its key in a list names it. */
interface Listed extends RegistrationKey {
  readonly queueKey: string;
}

/** The registration that a key of a list names. */
function listedAt(listKey: string): Listed {
  const [time, ulid, id = "", year, ...email] = listKey.split("#");
  return { queueKey: `${time}#${ulid}`, event: { id, year: Number(year) }, email: email.join("#") };
}

/** @returns also a tombstone */
export async function readRegistration(
  key: RegistrationKey,
  consistency: Consistency,
): Promise<StoredRegistration | undefined> {
  const item = await getItem<Item>(registrationKey(key), consistency);
  return item && registrationIn(item);
}

/** Reads a registration and the seats of its event in one call, strongly consistent; the two are no snapshot. */
export async function readWithSeats(
  key: RegistrationKey,
): Promise<{ readonly registration?: StoredRegistration | undefined; readonly seats?: Seats | undefined }> {
  const keys = { seats: seatsKey(key.event), registration: registrationKey(key) };
  const { registration, seats } = await getNamed<{ seats: Seats; registration: Item }>(keys, "strong");
  return { registration: registration && registrationIn(registration), seats };
}

/** The item of a registration. Its own key and its queueKey put it into the list of its event; a tombstone is in no list. */
function itemOf(registration: RegistrationRecord) {
  const event = { id: registration.eventID, year: registration.year };
  return {
    ...storedForm(registration),
    ...registrationKey({ email: registration.email, event }),
    ...leaderboardKeys(registration),
  };
}

/**
 * Puts a registration in place of the one that was read. Refused when the stored version is another one, or when there
 * is one although none was read.
 */
export const putRegistration = (
  registration: RegistrationRecord,
  known: RegistrationRecord | undefined,
): TransactItem =>
  putIf(
    itemOf(registration),
    known
      ? { ConditionExpression: "version = :known", ExpressionAttributeValues: { ":known": known.version } }
      : isAbsent,
  );

/** The result for a waiting person who gets a seat. */
export interface Seating {
  readonly status: "registered" | "incomplete";
  /** End of the hold of an unpaid seat, epoch milliseconds. */
  readonly holdExpiresAt?: number | undefined;
}

/** Gives a seat to a waiting person. Refused when the registration is not the one whose place was read. */
export const seatRegistration = (event: EventKey, place: Place, seating: Seating, now: number): TransactItem =>
  updateIf(registrationKey({ email: place.email, event }), {
    UpdateExpression: `SET #status = :status, version = :next, noticeVersion = :next, updatedAt = :now${
      seating.holdExpiresAt === undefined ? "" : ", holdExpiresAt = :holdExpiresAt"
    }`,
    ConditionExpression: "#status = :waitlist AND queueKey = :queueKey AND version = :version",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":status": seating.status,
      ":waitlist": "waitlist",
      ":queueKey": place.queueKey,
      ":version": place.version,
      ":next": place.version + 1,
      ":now": now,
      ...(seating.holdExpiresAt !== undefined && { ":holdExpiresAt": seating.holdExpiresAt }),
    },
  });

/** All registrations of one person, also tombstones. */
const byPerson = (email: string): Query => ({
  KeyConditionExpression: "PK = :person AND begins_with(SK, :registrations)",
  ExpressionAttributeValues: { ":person": `USER#${email}`, ":registrations": "REG#" },
  ConsistentRead: true,
});

/** All registrations of one person, also tombstones. */
export const readRegistrationsOf = async (email: string): Promise<StoredRegistration[]> =>
  (await allOf(queryItems<Item>(byPerson(email)))).map(registrationIn);

/** All registrations of an event, sorted by their beginning. */
export const byEvent = ({ id, year }: EventKey): Query => ({
  IndexName: "REGISTRATIONS",
  // The sort key of the table is the partition key here.
  KeyConditionExpression: "SK = :event",
  ExpressionAttributeValues: { ":event": `REG#${id}#${year}` },
});

/**
 * The registrations of an event that stand behind a registration in a list. Behind one of the same event DynamoDB itself
 * goes on, by its whole key, so that it passes over no other one with the same queueKey. Of another event these are the
 * registrations from the time of that queueKey on; those before it in the list are among them.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html
 */
function byEventBehind(event: EventKey, { queueKey, ...key }: Listed): Query {
  const query = byEvent(event);
  const { PK, SK } = registrationKey(key);
  if (SK === registrationKey({ ...key, event }).SK) return { ...query, ExclusiveStartKey: { PK, SK, queueKey } };
  return {
    ...query,
    KeyConditionExpression: `${query.KeyConditionExpression} AND queueKey > :time`,
    // The time alone sorts before every queueKey of that time.
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ":time": queueKey.split("#", 1)[0] },
  };
}

/**
 * The registrations that the index of an event has, of every generation, sorted by their beginning.
 * @param after the key in a list of the registration behind which the list goes on
 */
export async function* registrationsOf(
  event: EventKey,
  portion: Portion = {},
  after?: string,
): AsyncGenerator<ListedRegistration> {
  const query = after === undefined ? byEvent(event) : byEventBehind(event, listedAt(after));
  for await (const row of queryPortion<Item>(query, portion)) {
    yield listedRegistrationIn(row);
  }
}
