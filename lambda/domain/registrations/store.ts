/** Keys, items and transaction members of registrations. */

import type { EventKey } from "#domain/events/event.ts";
import { type ListShape, part, sortKeyOf } from "#kit/cursor.ts";
import { type Consistency, getItem, type Key, type Query, type TransactItem, tableName } from "#kit/table.ts";
import { leaderboardKeys } from "./points/store.ts";
import type { RegistrationRecord } from "./registration.ts";
import type { Place } from "./seats/seats.ts";

/** A person's registration for an event. */
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

/** What the sort keys of the list of an event and year look like. */
export const listShape = (year: number): ListShape => sortKeyOf(part.only(year, part.year), part.time, part.email);

const listKeys = (registration: RegistrationRecord) => ({
  GSI1PK: `REG#${registration.eventID}`,
  GSI1SK: listSortKey(registration),
});

export const readRegistration = (key: RegistrationKey, consistency: Consistency) =>
  getItem<RegistrationRecord>(registrationKey(key), consistency);

/** What a stored registration carries besides itself. */
type Stored = RegistrationRecord & Partial<Record<"PK" | "SK" | "GSI1PK" | "GSI1SK" | "lb" | "lname", unknown>>;

/** A tombstone is in no list. */
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
 * A registration in the place of the one that was known: none, or exactly the version that was read. A refusal answers
 * with the one that is there.
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

/** What somebody who waits becomes when a seat is theirs. */
export interface Seating {
  readonly status: "registered" | "incomplete";
  /** Epoch milliseconds, of an unpaid seat. */
  readonly holdExpiresAt?: number | undefined;
}

/** Somebody who waits gets a seat: exactly the registration whose place was read. */
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

/** All registrations of one person, tombstones among them. */
export const byPerson = (email: string): Query => ({
  KeyConditionExpression: "PK = :person AND begins_with(SK, :registrations)",
  ExpressionAttributeValues: { ":person": `USER#${email}`, ":registrations": "REG#" },
  ConsistentRead: true,
});

/** The registrations for an event, of one year or of all, by creation; behind the sort key `after`, if given. */
export const byEvent = (id: string, year?: number, after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: "GSI1PK = :event AND GSI1SK BETWEEN :from AND :to",
  ExpressionAttributeValues: {
    ":event": `REG#${id}`,
    // No character of a key sorts before the blank, so this is the first key behind `after`.
    ":from": after !== undefined ? `${after} ` : year === undefined ? "0" : `${year}#`,
    ":to": year === undefined ? "~" : `${year}#~`,
  },
});
