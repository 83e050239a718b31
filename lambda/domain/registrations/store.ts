/** Keys, items and transaction members of registrations. */

import type { EventKey } from "#domain/events/event.ts";
import { type ListShape, part, sortKeyOf } from "#kit/cursor.ts";
import { type Consistency, getItem, type Key, type Query, type TransactItem, tableName } from "#kit/table.ts";
import { leaderboardKeys } from "./points/store.ts";
import type { RegistrationRecord } from "./registration.ts";
import type { Place } from "./seats/seats.ts";

/** Names a person's registration for an event. */
export interface RegistrationKey {
  readonly email: string;
  readonly event: EventKey;
}

export const registrationKey = ({ email, event }: RegistrationKey): Key => ({
  PK: `USER#${email}`,
  SK: `REG#${event.id}#${event.year}`,
});

/** Sorts an event's registrations by year, then by creation. */
export const listSortKey = ({ year, createdAt, email }: RegistrationRecord): string => `${year}#${createdAt}#${email}`;

/** The shape of the sort keys in the list of an event and year. */
export const listShape = (year: number): ListShape => sortKeyOf(part.only(year, part.year), part.time, part.email);

const listKeys = (registration: RegistrationRecord) => ({
  GSI1PK: `REG#${registration.eventID}`,
  GSI1SK: listSortKey(registration),
});

export const readRegistration = (key: RegistrationKey, consistency: Consistency) =>
  getItem<RegistrationRecord>(registrationKey(key), consistency);

/** A registration with the key and index attributes of its item. */
type Stored = RegistrationRecord & Partial<Record<"PK" | "SK" | "GSI1PK" | "GSI1SK" | "lb" | "lname", unknown>>;

/** The item of a registration. A tombstone is in no index. */
function itemOf(registration: Stored) {
  const { PK, SK, GSI1PK, GSI1SK, lb, lname, ...fields } = registration;
  const event = { id: registration.eventID, year: registration.year };
  return {
    ...fields,
    ...registrationKey({ email: registration.email, event }),
    ...(registration.status !== "deleted" && listKeys(registration)),
    ...leaderboardKeys(registration),
  };
}

/**
 * Puts a registration in place of the one that was read. Refused when the stored version is another one, or when there
 * is one although none was read. The refusal returns the stored record.
 */
export const putRegistration = (
  registration: RegistrationRecord,
  known: RegistrationRecord | undefined,
): TransactItem<RegistrationRecord> => ({
  Put: {
    TableName: tableName,
    Item: itemOf(registration),
    ...(known
      ? {
          ConditionExpression: "version = :known",
          ExpressionAttributeValues: { ":known": known.version },
        }
      : { ConditionExpression: "attribute_not_exists(PK)" }),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
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
export const byPerson = (email: string): Query => ({
  KeyConditionExpression: "PK = :person AND begins_with(SK, :registrations)",
  ExpressionAttributeValues: { ":person": `USER#${email}`, ":registrations": "REG#" },
  ConsistentRead: true,
});

/**
 * The registrations for an event id, of one year or of all, sorted by year and creation. With `after`, behind that key.
 */
export const byEvent = (id: string, year?: number, after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :event AND GSI1SK BETWEEN :from AND :to",
  ExpressionAttributeValues: {
    ":event": `REG#${id}`,
    // No character of a key sorts before the space, so this is the first possible key behind `after`.
    ":from": after !== undefined ? `${after} ` : year === undefined ? "0" : `${year}#`,
    ":to": year === undefined ? "~" : `${year}#~`,
  },
});
