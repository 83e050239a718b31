/** Points of people: which of them count, and who is where on a leaderboard. Pure. */
import type { RegistrationRecord } from "../registration.ts";

const ended = new Set<RegistrationRecord["status"]>(["cancelled", "deleted", "rejected"]);

/** What a registration adds to the person's points. */
export const pointsThatCount = ({ status, points }: Pick<RegistrationRecord, "status" | "points">): number =>
  ended.has(status) ? 0 : points;

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
