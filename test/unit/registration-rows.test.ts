/** The result of each row in a request about many registrations: done, refused, not begun, or unknown. */
import "./environment.ts";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { massUpdate, updateRegistration } from "#api/registrations/routes.ts";
import { assertPoints, runRow } from "#api/registrations/rows.ts";
import { Contended, NotFound } from "#kit/errors.ts";
import { systemContext } from "#kit/request/context.ts";
import { issuesOf } from "#kit/schema/validation.ts";
import { UnknownOutcome } from "#kit/table/conflict.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

const email = "ada@unit.example";
const inTime = systemContext("r", 1);
const failing = (error: Error) => () => Promise.reject(error);

describe("a row", () => {
  test("that is done reports its result", async () => {
    const done = await runRow(email, inTime, async () => ({ registrationStatus: "cancelled" }));
    expect(done).toEqual({ email, success: true, registrationStatus: "cancelled" });
  });

  test.each([
    ["is refused", new NotFound("Registration"), "Registration not found."],
    ["met others until the deadline", new Contended(), expect.stringContaining("Nothing was changed")],
  ])("that %s was not done, and is not unknown", async (_, error, message) => {
    expect(await runRow(email, inTime, failing(error))).toEqual({ email, success: false, message });
  });

  test("whose transaction stayed without an answer is unknown: it does not claim that nothing was changed", async () => {
    const row = await runRow(email, inTime, failing(new UnknownOutcome("late")));
    expect(row).toEqual({ email, success: false, unknown: true, message: expect.stringContaining("look before") });
    expect(JSON.stringify(row)).not.toContain("Nothing was changed");
  });

  test("that fails otherwise fails the request", async () => {
    await expect(runRow(email, inTime, failing(new TypeError("bug")))).rejects.toThrow("bug");
  });
});

test("whose turn comes after the shared deadline is not begun, and says so", async () => {
  let clock = 0;
  jest.spyOn(performance, "now").mockImplementation(() => clock);
  const context = { ...inTime, deadline: 15_000 };
  const run = jest.fn(async () => {
    clock += 6_000;
    return {};
  });
  const rows = [];
  for (let row = 0; row < 5; row += 1) rows.push(await runRow(email, context, run));
  expect(rows.map(({ success }) => success)).toEqual([true, true, true, false, false]);
  expect(run).toHaveBeenCalledTimes(3);
  expect(rows.at(-1)).toMatchObject({ message: expect.stringContaining("Nothing was changed") });
});

test("a row that a mass update takes is a change that PUT takes, too", () => {
  const event = { eventID: "gala", year: 2030 };
  const status = fc.oneof(fc.string({ maxLength: 41 }), fc.constantFrom("registered", 7, null));
  const points = fc.oneof(fc.maxSafeInteger(), fc.double(), fc.constantFrom(0, 1e9, 1e9 + 1, 2 ** 53 - 1, "1", null));
  const request = (body: object) => ({ pathParameters: { email, fname: "Ada" }, queryStringParameters: {}, body });
  const isTaken = (row: { points?: number }) => {
    try {
      assertPoints(row.points);
      return issuesOf(massUpdate.validate, request({ ...event, updates: [{ email, ...row }] })).length === 0;
    } catch {
      return false;
    }
  };
  const rows = fc.record(
    { registrationStatus: status, applicationStatus: status, points },
    { requiredKeys: ["points"] },
  ) as fc.Arbitrary<{ points?: number }>;
  let taken = 0;
  fc.assert(
    fc.property(rows, (row) => {
      if (!isTaken(row)) return;
      taken += 1;
      expect(issuesOf(updateRegistration.validate, request({ ...event, ...row }))).toEqual([]);
    }),
    { numRuns: 500 },
  );
  expect(taken).toBeGreaterThan(20);
});
