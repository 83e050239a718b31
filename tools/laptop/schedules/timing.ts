/** When a schedule is due. */
import { cronTest } from "./cron.ts";

const minute = 60_000;
const units: Readonly<Record<string, number>> = { minute, hour: 60 * minute, day: 24 * 60 * minute };

/** The next due time after a time, in epoch milliseconds; undefined when there is none within the search. */
export type Timing = (after: number, startedAt: number) => number | undefined;

/** Minutes that are searched ahead; the caller searches again later. */
const horizon = 24 * 60;

/**
 * Reads `rate(5 minutes)` or `cron(0 12 * * ? *)`.
 * @throws Error when it is neither
 */
export function readTiming(expression: string): Timing {
  const [, kind, argument = ""] = /^(rate|cron)\((.+)\)$/.exec(expression.trim()) ?? [];
  if (kind === "cron") return cronTiming(cronTest(argument));
  const [, count, unit = ""] = /^(\d+) (minute|hour|day)s?$/.exec(argument) ?? [];
  const period = Number(count) * (units[unit] ?? 0);
  if (!(period > 0)) throw new Error(`The local stage does not understand the schedule ${expression}.`);
  return (after, startedAt) => startedAt + (Math.floor((after - startedAt) / period) + 1) * period;
}

const cronTiming =
  (isDue: (time: number) => boolean): Timing =>
  (after) => {
    const first = (Math.floor(after / minute) + 1) * minute;
    for (let step = 0; step < horizon; step += 1) if (isDue(first + step * minute)) return first + step * minute;
    return undefined;
  };
