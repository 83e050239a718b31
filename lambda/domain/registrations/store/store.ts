/** Keys, items and transaction members of registrations. */

import { placeKey } from "#domain/capacity/line.ts";
import { type Place, pools, type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { type ListShape, part, sortKeyOf } from "#kit/lists/cursor.ts";
import { allOf, itemsBeginning, type Portion, queryItems, queryPortion } from "#kit/lists/pages.ts";
import { timeText } from "#kit/table/item.ts";
import {
  type Consistency,
  getItem,
  getNamed,
  type Item,
  isAsRead,
  type Key,
  listFromStart,
  putIf,
  type Query,
  type TransactItem,
  updateIf,
} from "#kit/table/table.ts";
import { keyOf, partitionOf, prefixOf, sortOf } from "#outbox/stored-kinds.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import {
  type ListedRegistration,
  listedRegistrationIn,
  registrationIn,
  type StoredRegistration,
  storedForm,
} from "../record/stored-form.ts";
import { leaderboardKeys } from "./leaderboard.ts";

/** Identifies a person's registration for an event. */
export interface RegistrationKey {
  readonly email: string;
  readonly event: EventKey;
}

export const registrationKey = ({ email, event: { id, year } }: RegistrationKey): Key =>
  keyOf("registration", { email, id, year });

/** Where the registration's place in line is, if it waits. */
export const placeKeysOf = ({ eventID: id, year, ...place }: RegistrationRecord): Key[] =>
  pools.map((pool) => placeKey({ id, year }, { ...place, pool }));

/**
 * The sort order of lists: by creation, like the index. The other parts identify the registration, because keys of an
 * index are not unique.
 */
export const listKeyOf = ({ queueKey, eventID, year, email }: ListedRegistration): string =>
  `${queueKey}#${eventID}#${year}#${email}`;

/** The required shape of a list's keys: registrations of an event, a year, a person, or all of these. */
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

/** A registration as identified by its key in a list. */
interface Listed extends RegistrationKey {
  readonly queueKey: string;
}

/** Parses a key of a list. */
function listedAt(listKey: string): Listed {
  const [time, ulid, id = "", year, ...email] = listKey.split("#");
  return { queueKey: `${time}#${ulid}`, event: { id, year: Number(year) }, email: email.join("#") };
}

/** @returns the registration, or its tombstone */
export async function readRegistration(
  key: RegistrationKey,
  consistency: Consistency,
): Promise<StoredRegistration | undefined> {
  const item = await getItem<Item>(registrationKey(key), consistency);
  return item && registrationIn(item);
}

/** Reads a registration and its event's seats in one call, strongly consistent, but not as a snapshot. */
export async function readWithSeats(
  key: RegistrationKey,
): Promise<{ readonly registration?: StoredRegistration | undefined; readonly seats?: Seats | undefined }> {
  const keys = { seats: seatsKey(key.event), registration: registrationKey(key) };
  const { registration, seats } = await getNamed<{ seats: Seats; registration: Item }>(keys, "strong");
  return { registration: registration && registrationIn(registration), seats };
}

/** The item of a registration. Its sort key and queueKey list it under its event; a tombstone is in no list. */
export function registrationItem(registration: RegistrationRecord) {
  const event = { id: registration.eventID, year: registration.year };
  return {
    ...storedForm(registration),
    ...registrationKey({ email: registration.email, event }),
    ...leaderboardKeys(registration),
    ...departureKeys(registration),
  };
}

type EventGeneration = EventKey & Pick<RegistrationRecord, "generation">;

const departureList = ({ id, year, generation }: EventGeneration): string => `LEFT#${id}#${year}#${generation}`;

/** Lists a tombstone among the departures of its event, for the report. Its index has nothing else of a registration. */
const departureKeys = ({ status, left, leftAt = 0, eventID: id, year, generation }: RegistrationRecord) =>
  status === "deleted" && left ? { GSI1PK: departureList({ id, year, generation }), GSI1SK: timeText(leftAt) } : {};

/** The tombstones of people who have left this generation of the event. */
export const departuresOf = async (event: EventGeneration): Promise<RegistrationRecord[]> =>
  (await allOf(queryItems<Item>(listFromStart(departureList(event))))).map(registrationIn);

/**
 * Replaces a registration. Refused when it has changed since it was read, or exists although none was read.
 */
export const putRegistration = (
  registration: RegistrationRecord,
  known: RegistrationRecord | undefined,
): TransactItem => putIf(registrationItem(registration), isAsRead(known));

/** The result for a waiting person who gets a seat. */
export interface Seating {
  readonly status: "registered" | "incomplete";
  /** End of the hold of an unpaid seat, epoch milliseconds. */
  readonly holdExpiresAt?: number | undefined;
}

/** Gives a seat to a waiting person. Refused when the registration has changed since its place was read. */
export const seatRegistration = (event: EventKey, place: Place, seating: Seating, now: number): TransactItem =>
  updateIf(registrationKey({ email: place.email, event }), {
    UpdateExpression: `SET #status = :status, version = :next, noticeVersion = :next, updatedAt = :now, changedBy = :system${
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
      ":system": "system",
      ...(seating.holdExpiresAt !== undefined && { ":holdExpiresAt": seating.holdExpiresAt }),
    },
  });

/** All registrations of one person, including tombstones. */
export async function readRegistrationsOf(email: string): Promise<StoredRegistration[]> {
  const query = itemsBeginning(partitionOf("registration", { email }), prefixOf("registration"));
  return (await allOf(queryItems<Item>(query))).map(registrationIn);
}

/** All registrations of an event, sorted by creation. */
export const byEvent = (event: EventKey): Query => ({
  IndexName: "REGISTRATIONS",
  // The sort key of the table is the partition key here.
  KeyConditionExpression: "SK = :event",
  ExpressionAttributeValues: { ":event": sortOf("registration", event) },
});

/**
 * The registrations of an event after a registration in a list. After one of the same event DynamoDB continues by its
 * complete key, so that no other one with the same queueKey is skipped. After one of another event, the result begins at
 * the time of that queueKey, and may include registrations before it in the list.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html
 */
function byEventBehind(event: EventKey, { queueKey, ...key }: Listed): Query {
  const query = byEvent(event);
  const { PK, SK } = registrationKey(key);
  if (SK === registrationKey({ ...key, event }).SK) return { ...query, ExclusiveStartKey: { PK, SK, queueKey } };
  return {
    ...query,
    KeyConditionExpression: `${query.KeyConditionExpression} AND queueKey > :time`,
    // The time without the rest sorts before all queueKeys of that time.
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ":time": queueKey.split("#", 1)[0] },
  };
}

/**
 * The registrations of an event in the index, of all generations, sorted by creation.
 * @param after the list key of the registration after which the result begins
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
