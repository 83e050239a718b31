/** Keys, items and transaction members of registrations. */
import { type Consistency, getItem, type Key, type Query, type TransactItem, tableName } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import type { Place } from "../seats/seats.ts";
import type { RegistrationRecord } from "./registration.ts";

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

const listKeys = (registration: RegistrationRecord) => ({
  GSI1PK: `REG#${registration.eventID}`,
  GSI1SK: listSortKey(registration),
});

export const readRegistration = (key: RegistrationKey, consistency: Consistency) =>
  getItem<RegistrationRecord>(registrationKey(key), consistency);

/**
 * A new registration, in the place of the one that was known: none, or one that has ended. A refusal answers with the
 * one that is in the way.
 */
export function putRegistration(registration: RegistrationRecord, known: RegistrationRecord | undefined): TransactItem {
  const event = { id: registration.eventID, year: registration.year };
  return {
    Put: {
      TableName: tableName,
      Item: { ...registrationKey({ email: registration.email, event }), ...listKeys(registration), ...registration },
      ...(known
        ? {
            ConditionExpression: "version = :known",
            ExpressionAttributeValues: { ":known": known.version },
          }
        : { ConditionExpression: "attribute_not_exists(PK)" }),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

/** Somebody who waits is registered: exactly the registration whose place was read. */
export const seatRegistration = (event: EventKey, place: Place, now: number): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: registrationKey({ email: place.email, event }),
    UpdateExpression: "SET #status = :registered, version = :next, updatedAt = :now",
    ConditionExpression: "#status = :waitlist AND waitKey = :waitKey AND version = :version",
    ExpressionAttributeNames: { "#status": "status" },
    ExpressionAttributeValues: {
      ":registered": "registered",
      ":waitlist": "waitlist",
      ":waitKey": place.waitKey,
      ":version": place.version,
      ":next": place.version + 1,
      ":now": now,
    },
  },
});

/**
 * Leaves a tombstone in the place of a registration: its version and arrival stay, so that late news of it can be told
 * from new ones; it is in no list any more.
 */
export const buryRegistration = (
  registration: RegistrationRecord,
  { now, arrival }: { now: number; arrival: string },
): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: {
      ...registrationKey({ email: registration.email, event: { id: registration.eventID, year: registration.year } }),
      ...tombstone(registration, { now, arrival }),
    },
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: { ":version": registration.version },
  },
});

/** Nothing that the person told us stays in it. */
const tombstone = (
  { email, eventID, year, waitKey, incarnation, isPartner, version, createdAt }: RegistrationRecord,
  { now, arrival }: { now: number; arrival: string },
): RegistrationRecord => ({
  email,
  eventID,
  year,
  status: "deleted",
  fname: "",
  basicInformation: {},
  dynamicResponses: {},
  choices: {},
  isPartner,
  points: 0,
  waitKey,
  incarnation,
  version: version + 1,
  endedBy: arrival,
  createdAt,
  updatedAt: now,
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
