/** Keys, items and transaction members of registrations. */

import type { EventKey } from "#domain/events/event.ts";
import { type ListShape, part, sortKeyOf } from "#kit/cursor.ts";
import { allOf, type Portion, queryItems, queryPortion } from "#kit/pages.ts";
import {
  type Consistency,
  getItem,
  type Item,
  type Key,
  type Query,
  type TransactItem,
  tableName,
} from "#kit/table.ts";
import { leaderboardKeys } from "./points/store.ts";
import type { RegistrationRecord } from "./registration.ts";
import type { Place } from "./seats/seats.ts";
import {
  type ListedRegistration,
  listedRegistrationIn,
  registrationIn,
  type StoredRegistration,
  storedForm,
} from "./stored-form.ts";

/** Names a person's registration for an event. */
export interface RegistrationKey {
  readonly email: string;
  readonly event: EventKey;
}

export const registrationKey = ({ email, event }: RegistrationKey): Key => ({
  PK: `USER#${email}`,
  SK: `REG#${event.id}#${event.year}`,
});

/** The sort keys of an event's list: when a registration began, and the ULID of its request. */
export const listShape: ListShape = sortKeyOf(part.time, part.ulid);

/** @returns also a tombstone */
export async function readRegistration(
  key: RegistrationKey,
  consistency: Consistency,
): Promise<StoredRegistration | undefined> {
  const item = await getItem<Item>(registrationKey(key), consistency);
  return item && registrationIn(item);
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
): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: itemOf(registration),
    ...(known
      ? {
          ConditionExpression: "version = :known",
          ExpressionAttributeValues: { ":known": known.version },
        }
      : { ConditionExpression: "attribute_not_exists(PK)" }),
  },
});

/** The result for a waiting person who gets a seat. */
export interface Seating {
  readonly status: "registered" | "incomplete";
  /** End of the hold of an unpaid seat, epoch milliseconds. */
  readonly holdExpiresAt?: number | undefined;
}

/** Gives a seat to a waiting person. Refused when the registration is not the one whose place was read. */
export const seatRegistration = (event: EventKey, place: Place, seating: Seating, now: number): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: registrationKey({ email: place.email, event }),
    UpdateExpression: `SET #status = :status, version = :next, noticeVersion = :next, updatedAt = :now${
      seating.holdExpiresAt === undefined ? "" : ", holdExpiresAt = :holdExpiresAt"
    }`,
    ConditionExpression: "#status = :waitlist AND waitKey = :waitKey AND version = :version",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":status": seating.status,
      ":waitlist": "waitlist",
      ":waitKey": place.waitKey,
      ":version": place.version,
      ":next": place.version + 1,
      ":now": now,
      ...(seating.holdExpiresAt !== undefined && { ":holdExpiresAt": seating.holdExpiresAt }),
    },
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

/** The registrations of an event, sorted by their beginning. With `after`, behind that queueKey. */
export const byEvent = ({ id, year }: EventKey, after = ""): Query => ({
  IndexName: "REGISTRATIONS",
  // The sort key of the table is the partition key here.
  KeyConditionExpression: `SK = :event${after && " AND waitKey > :after"}`,
  ExpressionAttributeValues: { ":event": `REG#${id}#${year}`, ...(after && { ":after": after }) },
});

/** The registrations that the index of an event has, of every generation, sorted by their beginning. */
export async function* registrationsOf(
  event: EventKey,
  portion: Portion = {},
  after?: string,
): AsyncGenerator<ListedRegistration> {
  for await (const row of queryPortion<Item>(byEvent(event, after), portion)) {
    yield listedRegistrationIn(row);
  }
}
