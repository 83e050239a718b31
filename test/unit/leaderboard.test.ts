/** Points and ranks of the leaderboard. */
import { expect, test } from "@jest/globals";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { leaderboardKeys } from "#domain/registrations/store/leaderboard.ts";
import { pointsThatCount, ranked } from "#domain/registrations/store/points.ts";

const registration = (more: Partial<RegistrationRecord>): RegistrationRecord =>
  ({
    eventID: "e",
    year: 2030,
    status: "registered",
    points: 5,
    basicInformation: { lname: "L" },
    ...more,
  }) as RegistrationRecord;

test("equal points share a rank, and the next rank counts each of them", () => {
  const scores = [9, 7, 7, 7, 2].map((points, n) => ({ fname: `p${n}`, lname: "", points }));
  expect(ranked(scores).map(({ rank }) => rank)).toEqual([1, 2, 2, 2, 5]);
});

test("a row has name and points, never an email", () => {
  const stored = { fname: "Ada", lname: "L", points: 1, email: "ada@unit.example", PK: "USER#ada@unit.example" };
  expect(ranked([stored])).toEqual([{ rank: 1, fname: "Ada", lname: "L", points: 1 }]);
  expect(ranked([{ points: 1 }])).toEqual([{ rank: 1, fname: "", lname: "", points: 1 }]);
});

test("points count for a live registration only, and so does the place on the leaderboard", () => {
  for (const [status, counted] of [
    ["waitlist", 5],
    ["rejected", 0],
  ] as const) {
    expect(pointsThatCount({ status, points: 5 })).toBe(counted);
    const keys = leaderboardKeys(registration({ status }));
    expect(keys).toEqual(counted > 0 ? { leaderboard: "E#e#2030", lname: "L" } : {});
  }
});

test("a person without points is on no leaderboard", () => {
  expect(leaderboardKeys(registration({ points: 0 }))).toEqual({});
});
