/** Points of people, per event and over all events: what the leaderboards read. */
import { type Query, type TransactItem, tableName } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import type { RegistrationRecord } from "./registration.ts";

const overall = "ALL";
const ended = new Set<RegistrationRecord["status"]>(["cancelled", "deleted", "rejected"]);

/** What a registration adds to the person's points. */
export const pointsThatCount = ({ status, points }: Pick<RegistrationRecord, "status" | "points">): number =>
  ended.has(status) ? 0 : points;

const leaderboardOf = ({ id, year }: EventKey): string => `E#${id}#${year}`;

/** The attributes that put a registration on its event's leaderboard: only with points, only while it counts. */
export const leaderboardKeys = (registration: RegistrationRecord) =>
  pointsThatCount(registration) > 0
    ? {
        lb: leaderboardOf({ id: registration.eventID, year: registration.year }),
        lname: registration.basicInformation.lname ?? "",
      }
    : {};

/** The person's points over all events, under the name of their latest registration. */
export const addPoints = ({ email, fname, basicInformation }: RegistrationRecord, gained: number): TransactItem => ({
  Update: {
    TableName: tableName,
    Key: { PK: `USER#${email}`, SK: "POINTS" },
    UpdateExpression: `SET lb = :overall, email = :email${fname ? ", fname = :fname, lname = :lname" : ""} ADD points :gained`,
    ExpressionAttributeValues: {
      ":overall": overall,
      ":email": email,
      ...(fname && { ":fname": fname, ":lname": basicInformation.lname ?? "" }),
      ":gained": gained,
    },
  },
});

const shown = 50;

/** The people with the most points at an event, or over all events; equal points in any order. */
export const mostPoints = (event: EventKey | undefined): Query => ({
  IndexName: "LEADERBOARD",
  KeyConditionExpression: "lb = :board AND points > :none",
  ExpressionAttributeValues: { ":board": event ? leaderboardOf(event) : overall, ":none": 0 },
  ScanIndexForward: false,
  Limit: shown,
});

/** A row of a leaderboard index. */
export interface Score {
  readonly fname?: string;
  readonly lname?: string;
  readonly points: number;
}

/** Scores in descending order with their ranks: equal points share one, and the next rank counts them all. */
export const ranked = (scores: readonly Score[]) =>
  scores.map(({ fname = "", lname = "", points }) => ({
    rank: 1 + scores.findIndex((other) => other.points === points),
    fname,
    lname,
    points,
  }));
