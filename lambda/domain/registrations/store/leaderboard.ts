/** Keys and transaction members of points, per event and over all events, for the leaderboards. */

import type { EventKey } from "#domain/events/event.ts";
import { deleteIf, type Key, type Query, type TransactItem, updateIf } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { pointsInTotal } from "./points.ts";

const overall = "ALL";

const leaderboardOf = ({ id, year }: EventKey): string => `E#${id}#${year}`;

/**
 * The attributes for the event's leaderboard, including the displayed last name. Only a registration with points that
 * count has them, and not after its person's deletion.
 */
export const leaderboardKeys = (registration: RegistrationRecord) => {
  const { eventID, year, basicInformation } = registration;
  if (pointsInTotal(registration) === 0) return {};
  return { leaderboard: leaderboardOf({ id: eventID, year }), lname: basicInformation.lname };
};

/** Key of a person's points over all events. */
export const pointsKey = (email: string): Key => keyOf("total points", { email });

/** Adds to the person's points over all events, and stores the name from this registration. */
export const addPoints = ({ email, fname, basicInformation }: RegistrationRecord, gained: number): TransactItem =>
  updateIf(pointsKey(email), {
    UpdateExpression: `SET leaderboard = :overall, email = :email${fname ? ", fname = :fname, lname = :lname" : ""} ADD points :gained`,
    ExpressionAttributeValues: {
      ":overall": overall,
      ":email": email,
      ...(fname && { ":fname": fname, ":lname": basicInformation.lname ?? "" }),
      ":gained": gained,
    },
  });

/** Removes the person's total over all events. Refused when it is not 0. */
export const dropNoPoints = (email: string): TransactItem =>
  deleteIf(pointsKey(email), {
    ConditionExpression: "attribute_not_exists(PK) OR points = :none",
    ExpressionAttributeValues: { ":none": 0 },
  });

const shown = 50;

/** The 50 people with the most points at an event, or over all events. Equal points come in any order. */
export const highestScores = (event: EventKey | undefined): Query => ({
  IndexName: "LEADERBOARD",
  KeyConditionExpression: "leaderboard = :board AND points > :none",
  ExpressionAttributeValues: { ":board": event ? leaderboardOf(event) : overall, ":none": 0 },
  ScanIndexForward: false,
  Limit: shown,
});
