/** Points that count, and the ranks of a leaderboard (`docs/contract.md`, "Leaderboard"). Pure. */
import type { RegistrationRecord } from "../record/registration.ts";
import { propertiesOf, type Stated } from "../record/statuses.ts";

/** Of one registration. The sum over any number of events is a safe integer. */
export const mostPoints = 1_000_000_000;

/** The points of a registration that count for the person. Ended registrations count 0. */
export const pointsThatCount = (registration: Stated & Pick<RegistrationRecord, "points">): number =>
  propertiesOf(registration).points ? registration.points : 0;

/** The points of a registration that are in the person's total over all events. */
export const pointsInTotal = (
  registration: Stated & Pick<RegistrationRecord, "points" | "ofDeletedAccount">,
): number => (registration.ofDeletedAccount ? 0 : pointsThatCount(registration));

/** A row of a leaderboard index. */
export interface Score {
  readonly fname?: string;
  readonly lname?: string;
  readonly points: number;
}

/** Adds ranks to scores in descending order. Equal points have equal rank, as in 1, 2, 2, 4. */
export const ranked = (scores: readonly Score[]) =>
  scores.map(({ fname = "", lname = "", points }) => ({
    rank: 1 + scores.findIndex((other) => other.points === points),
    fname,
    lname,
    points,
  }));
