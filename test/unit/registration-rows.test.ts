/** The result of each row in a request about many registrations: done, refused, not begun, or unknown. */
import "./environment.ts";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { runRow } from "#api/registrations/rows.ts";
import { Contended, NotFound } from "#kit/errors.ts";
import { systemContext } from "#kit/request/context.ts";
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
