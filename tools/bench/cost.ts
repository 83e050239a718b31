/** The cost of registrations and of an idle stage, from measured counts and a table of prices. Pure. */
import { monitoring, prices } from "./prices.ts";
import type { Sample, TableCost } from "./stage.ts";

/** One line of a bill. */
export interface Line {
  readonly what: string;
  /** Quantity, in the unit of `prices`. */
  readonly count: number;
  readonly usd: number;
}

const line = (what: string, count: number, price: { readonly usd: number }): Line => ({
  what,
  count,
  usd: count * price.usd,
});

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

/** Bytes of the lines that Lambda writes at the start and the end of each run. */
const bytesOfRun = 600;
const gigabyte = 1e9;

/** One registration, with what it triggered. */
export type Registration = Pick<Sample, "functionName" | "run" | "readUnits" | "writeUnits" | "logged" | "triggered">;

/** Megabytes by the name of the function in the stack. */
export type MemoryOf = (functionName: string) => number;

/**
 * The bill of this many registrations, one at a time, so that no batch has several messages. The duration of runs is
 * that of the measuring machine.
 */
export function billOf(sample: Registration, registrations: number, memoryOf: MemoryOf): Line[] {
  const { triggered } = sample;
  const runs = [{ functionName: sample.functionName, milliseconds: sample.run }, ...triggered.runs];
  const gigabyteSeconds = runs.reduce(
    (sum, { functionName, milliseconds }) => sum + (memoryOf(functionName) / 1_024) * (milliseconds / 1_000),
    0,
  );
  // The relay reads the stream, which is free for Lambda. Every other run consumed a message from a queue.
  const deliveries = triggered.runs.filter(({ functionName }) => functionName !== "Relay").length;
  const each = [
    line("request to the API", 1, prices.apiRequest),
    line("write units", sample.writeUnits + triggered.writeUnits, prices.writeUnit),
    line("read units", sample.readUnits + triggered.readUnits, prices.readUnit),
    line("runs of functions", runs.length, prices.run),
    line("GB-seconds", gigabyteSeconds, prices.gigabyteSecond),
    line("events on the bus", triggered.messages, prices.busEvent),
    // Sent, received and deleted.
    line("requests to queues", 3 * deliveries, prices.queueRequest),
    line("mails", triggered.mails, prices.mail),
    line("GB of log lines", (sample.logged + runs.length * bytesOfRun) / gigabyte, prices.log),
  ];
  return each.map(({ what, count, usd }) => ({ what, count: count * registrations, usd: usd * registrations }));
}

/** USD of the table alone, for this many registrations. */
export const tableBillOf = ({ writeUnits, readUnits, triggered }: Registration, registrations: number): number =>
  registrations *
  ((writeUnits + triggered.writeUnits) * prices.writeUnit.usd +
    (readUnits + triggered.readUnits) * prices.readUnit.usd);

const minutesOfMonth = 43_800;
/**
 * Lambda polls an empty queue continuously, and each of these requests is billed
 * (https://repost.aws/knowledge-center/sqs-high-charges). The rate is observed, not documented:
 * https://github.com/getlift/lift/issues/132.
 */
const pollsPerMinute = 15;
const secrets = 3;

export interface Idle {
  /** One run of the sweeper. */
  readonly sweep: TableCost;
  /** Its duration in milliseconds, and the memory of its function in megabytes. */
  readonly sweepMilliseconds: number;
  readonly sweeperMemory: number;
  /** Queues that functions read. */
  readonly queues: number;
}

/** The bill of a month in which no request comes. */
export function idleBillOf({ sweep, sweepMilliseconds, sweeperMemory, queues }: Idle): Line[] {
  const runs = minutesOfMonth;
  return [
    line("metrics in alarms", monitoring.metricsInAlarms, { usd: monitoring.metricInAlarm }),
    { what: "key of the alarms' topic", count: 1, usd: monitoring.key },
    line("secrets", secrets, prices.secret),
    line("requests that find a queue empty", queues * pollsPerMinute * minutesOfMonth, prices.queueRequest),
    line("read units of the sweeper", runs * sweep.readUnits, prices.readUnit),
    line("runs of the sweeper", runs, prices.run),
    line(
      "GB-seconds of the sweeper",
      (runs * sweepMilliseconds * sweeperMemory) / 1_024 / 1_000,
      prices.gigabyteSecond,
    ),
    line("GB of the sweeper's log lines", (runs * bytesOfRun) / gigabyte, prices.log),
  ];
}
