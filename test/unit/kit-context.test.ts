/** The deadline of a request, and the context of work without a caller. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { deadlineWithin, systemContext } from "#kit/request/context.ts";

beforeEach(() => {
  jest.spyOn(performance, "now").mockReturnValue(1_000_000);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const withLeft = (milliseconds: number) => deadlineWithin({ getRemainingTimeInMillis: () => milliseconds });

describe("a request may begin calls", () => {
  test.each([
    ["for fifteen seconds where the function has long", 900_000, 15_000],
    ["for fifteen seconds where it has just enough for one call more", 25_000, 15_000],
    ["until a last call still fits", 24_999, 14_999],
    ["no more when no call fits", 10_000, 0],
    ["no more when the end has come", -5, 0],
  ])("for %s: %i ms left", (_, left, allowed) => {
    expect(withLeft(left)).toBe(1_000_000 + allowed);
  });

  test("for fifteen seconds where no time limit is known", () => {
    expect(deadlineWithin(undefined)).toBe(1_015_000);
    expect(deadlineWithin({})).toBe(1_015_000);
  });
});

describe("a system context", () => {
  const now = 1_800_000_000_000;

  test("has a name, a time and a place in line of its own", () => {
    const context = systemContext("r1", now);
    expect(context).toMatchObject({ now, actor: "system", requestId: "r1", deadline: 1_015_000 });
    expect(context.queueKey).toMatch(new RegExp(`^${now}#[0-9A-HJKMNP-TV-Z]{26}$`));
    expect(systemContext("r1", now).queueKey).not.toBe(context.queueKey);
  });
});
