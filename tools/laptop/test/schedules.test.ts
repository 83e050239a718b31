/** Schedules: their due times. */
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { type FakeClock, fakeClock } from "../../../test/unit/local-time.ts";
import { type ScheduleDefinition, type Schedules, startSchedules } from "../schedules/index.ts";

const functionArn = "arn:aws:lambda:us-west-2:000000000000:function:Sweep";
const minute = 60_000;
const open: Schedules[] = [];
let clock: FakeClock;

beforeEach(() => {
  // A Sunday.
  clock = fakeClock(Date.parse("2026-03-01T12:00:30Z"));
});
afterEach(async () => {
  for (const schedules of open.splice(0)) await schedules.close();
  jest.restoreAllMocks();
});

const given = (expression: string, more: Partial<ScheduleDefinition> = {}): ScheduleDefinition => ({
  name: "Sweep",
  expression,
  targets: [functionArn],
  payload: (at) => new Date(at).toISOString(),
  ...more,
});

/** A schedule, and the times at which its target was called. */
function givenSchedule(
  schedule: ScheduleDefinition,
  work: () => Promise<unknown> = async () => null,
  isOn: () => boolean = () => true,
) {
  const calls: unknown[] = [];
  const deliver = async (_: string, payload: unknown) => {
    calls.push(payload);
    await work();
  };
  const schedules = startSchedules({ schedules: [schedule], isOn, deliver, clock });
  open.push(schedules);
  return { schedules, calls };
}

/** Moves the clock minute by minute, and waits for the schedules that are due. */
async function pass(schedules: Schedules, minutes: number): Promise<void> {
  for (let count = 0; count < minutes; count += 1) {
    clock.advance(minute);
    await schedules.settled();
  }
}

test.each([
  ["rate(1 minute)", 2, ["2026-03-01T12:01:30.000Z", "2026-03-01T12:02:30.000Z"]],
  ["rate(15 minutes)", 30, ["2026-03-01T12:15:30.000Z", "2026-03-01T12:30:30.000Z"]],
  ["cron(5 * * * ? *)", 120, ["2026-03-01T12:05:00.000Z", "2026-03-01T13:05:00.000Z"]],
  ["cron(5 13 1 3 ? 2026)", 120, ["2026-03-01T13:05:00.000Z"]],
  ["cron(5 13 ? * 2 *)", 120, []],
])("%s is due at its times", async (expression, minutes, times) => {
  const { schedules, calls } = givenSchedule(given(expression));
  await pass(schedules, minutes);
  expect(calls).toEqual(times);
});

test.each(["rate(0 minutes)", "every day", "cron(0 12 L * ? *)", "cron(61 * * * ? *)", "cron(0/20 * * * ? *)"])(
  "%s does not start",
  (expression) => {
    expect(() => givenSchedule(given(expression))).toThrow();
  },
);

test("a schedule that still runs is skipped, and runs again afterwards", async () => {
  let finish: () => void = () => undefined;
  const { schedules, calls } = givenSchedule(
    given("rate(1 minute)"),
    () => new Promise<void>((resolve) => (finish = resolve)),
  );
  for (let count = 0; count < 5; count += 1) clock.advance(minute);
  expect(calls).toHaveLength(1);
  finish();
  await schedules.settled();
  clock.advance(minute);
  expect(calls).toHaveLength(2);
  finish();
});

test("a schedule runs at once when a test wants it, also one that is switched off, and says when it failed", async () => {
  let isOn = false;
  const off = givenSchedule(given("rate(1 day)"), undefined, () => isOn);
  await off.schedules.runNow("Sweep");
  expect(off.calls).toHaveLength(1);
  await pass(off.schedules, 48 * 60);
  expect(off.calls).toHaveLength(1);
  isOn = true;
  await pass(off.schedules, 24 * 60);
  expect(off.calls).toHaveLength(2);
  const failing = givenSchedule(given("rate(1 day)"), () => Promise.reject(new Error("no table")));
  await expect(failing.schedules.runNow("Sweep")).rejects.toThrow("no table");
  await expect(failing.schedules.runNow("Other")).rejects.toThrow("no schedule Other");
});
