/** `retried` on a clock of its own: a pause moves that clock and takes no real time. */
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { Contended } from "#kit/errors.ts";
import { Conflict, Throttled, UnknownOutcome } from "#kit/table/conflict.ts";

let now = 0;
let pauses: number[] = [];

jest.unstable_mockModule("node:timers/promises", () => ({
  setTimeout: async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  },
}));
const { retried } = await import("#kit/table/retry.ts");

/** Runs a step with a deadline fifteen seconds from now. */
const tried = <T>(step: () => Promise<T>): Promise<T> => retried(step, { deadline: now + 15_000 });

beforeEach(() => {
  now = 5_000_000;
  pauses = [];
  jest.spyOn(performance, "now").mockImplementation(() => now);
  jest.spyOn(Math, "random").mockReturnValue(0.5);
});

/** A step with these outcomes in turn; the last one is repeated. Each run takes `milliseconds`. */
function givenStep(outcomes: unknown[], milliseconds = 0) {
  let runs = 0;
  return jest.fn(async () => {
    const outcome = outcomes[Math.min(runs, outcomes.length - 1)];
    runs += 1;
    now += milliseconds;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
}
const conflict = new Conflict("conflict");
const unknown = new UnknownOutcome("unknown");

test("a throttled step waits longer, because units come back within a second", async () => {
  const throttled = new Throttled("throttled");
  expect(await tried(givenStep([throttled, throttled, throttled, throttled, "seated"]))).toBe("seated");
  expect(pauses).toEqual([200, 400, 800, 800]);
});

describe("a retried step", () => {
  test("that has conflicts is run again after longer and longer pauses", async () => {
    const conflicts = Array<Error>(3).fill(conflict);
    expect(await tried(givenStep([...conflicts, unknown, conflict, conflict, "seated"]))).toBe("seated");
    expect(pauses).toEqual([10, 20, 40, 80, 150, 150]);
  });
});

describe("after fifteen seconds", () => {
  test("a step that began in time is waited for, and another one is not begun", async () => {
    const step = givenStep([conflict], 14_990);
    const failure = await tried(step).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Contended);
    expect(failure).toHaveProperty("cause", conflict);
    expect(step).toHaveBeenCalledTimes(2);
  });

  test.each<[string, unknown[]]>([
    ["first", [unknown, conflict]],
    ["always", [unknown]],
  ])("the caller does not hear `CONTENDED` when an answer was missing %s", async (_, outcomes) => {
    await expect(tried(givenStep(outcomes, 1_000))).rejects.toBe(unknown);
  });
});
