/** What registrations cost, out of counts that were measured and one table of prices. Pure. */
import { prices } from "./prices.ts";
import type { Sample } from "./stage.ts";

/** One line of a bill. */
export interface Line {
  readonly what: string;
  /** Quantity, in the unit of `prices`. */
  readonly count: number;
  readonly usd: number;
}

export const line = (what: string, count: number, price: { readonly usd: number }): Line => ({
  what,
  count,
  usd: count * price.usd,
});

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

/** Bytes of the lines that Lambda writes at the start and the end of each run. */
const bytesOfRun = 600;
/** Bytes of a request's line in the API's access log. */
const bytesOfRequest = 400;
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
    line("GB of log lines", (sample.logged + bytesOfRequest + runs.length * bytesOfRun) / gigabyte, prices.log),
  ];
  return each.map(({ what, count, usd }) => ({ what, count: count * registrations, usd: usd * registrations }));
}

/** USD of the table alone, for this many registrations. */
export const tableBillOf = ({ writeUnits, readUnits, triggered }: Registration, registrations: number): number =>
  registrations *
  ((writeUnits + triggered.writeUnits) * prices.writeUnit.usd +
    (readUnits + triggered.readUnits) * prices.readUnit.usd);
