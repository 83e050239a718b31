/** The local stage's schedules: EventBridge's scheduled rules, and EventBridge Scheduler's schedules. */
import { Activity, closingTime } from "../service-kit/activity.ts";
import { type Clock, systemClock } from "../service-kit/clock.ts";
import type { ScheduleDefinition } from "./definition.ts";
import { readTiming } from "./timing.ts";

export {
  type ScheduleDefinition,
  type ScheduledRuleProperties,
  scheduleOfRule,
} from "./definition.ts";

export interface SchedulesOptions {
  readonly schedules: readonly ScheduleDefinition[];
  /** Whether a schedule runs when it is due. */
  readonly isOn: (name: string) => boolean;
  /** Hands a payload to a function or a queue. */
  readonly deliver: (targetArn: string, payload: unknown) => Promise<unknown>;
  /** Counts the work of all services together. */
  readonly activity?: Activity;
  readonly clock?: Clock;
}

export interface Schedules {
  /**
   * Runs a schedule at once, even when it is not due, disabled or running already.
   * @throws Error when there is no such schedule, or a target fails
   */
  runNow(name: string): Promise<void>;
  /** Resolves when no target is running. */
  settled(): Promise<void>;
  /** Starts no more runs; a run under way may end. */
  close(): Promise<void>;
}

/** The longest wait in milliseconds; a schedule that is due later is looked at again then. */
const longestWait = 12 * 3_600_000;

/**
 * Runs each schedule when it is due. A schedule that is still running is skipped, so that it never runs twice at a
 * time. Times at which the process did not run, or slept, are skipped as well.
 * @throws Error for an expression that the local stage does not understand
 */
export function startSchedules({
  schedules,
  isOn,
  deliver,
  activity: whole,
  clock = systemClock,
}: SchedulesOptions): Schedules {
  const activity = new Activity(whole);
  const waiting = new Map<ScheduleDefinition, () => void>();
  const atWork = new Set<ScheduleDefinition>();
  const startedAt = clock.now();

  const run = (schedule: ScheduleDefinition): Promise<void> =>
    activity.during(async () => {
      const at = clock.now();
      await Promise.all(schedule.targets.map((arn) => deliver(arn, schedule.payload(at))));
    });

  const runWhenDue = (schedule: ScheduleDefinition): Promise<void> =>
    activity.during(async () => {
      if (!isOn(schedule.name) || atWork.has(schedule)) return;
      atWork.add(schedule);
      await run(schedule).catch((problem: Error) => console.error(`${schedule.name} failed: ${problem.message}`));
      atWork.delete(schedule);
    });

  const timed = schedules.map((schedule) => ({ schedule, timing: readTiming(schedule.expression) }));
  for (const { schedule, timing } of timed) {
    const wait = (): void => {
      const now = clock.now();
      const due = timing(now, startedAt) ?? Number.POSITIVE_INFINITY;
      const isSoon = due - now <= longestWait;
      const cancel = clock.after(isSoon ? due - now : longestWait, () => {
        // A timer can fire a little early; then the schedule is due later.
        if (isSoon && clock.now() >= due) void runWhenDue(schedule);
        wait();
      });
      waiting.set(schedule, cancel);
    };
    wait();
  }
  return {
    runNow: async (name) => {
      const schedule = schedules.find((one) => one.name === name);
      if (!schedule) throw new Error(`There is no schedule ${name}.`);
      await run(schedule);
    },
    settled: () => activity.settled(),
    close: async () => {
      for (const cancel of waiting.values()) cancel();
      await activity.settledWithin(closingTime);
    },
  };
}
