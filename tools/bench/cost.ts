/** What registrations cost, out of counts that were measured and one table of prices. Pure. */
import { prices } from "./prices.ts";
import type { Sample } from "./stage.ts";

/** One line of a bill. */
export interface Line {
  readonly what: string;
  /** How many, of what `prices` names. */
  readonly count: number;
  readonly usd: number;
}

export const line = (what: string, count: number, price: { readonly usd: number }): Line => ({
  what,
  count,
  usd: count * price.usd,
});

export const totalOf = (lines: readonly Line[]): number => lines.reduce((sum, { usd }) => sum + usd, 0);

/** Lambda writes a line at the start and at the end of each run, together about so many bytes. */
const bytesOfRun = 600;
const gigabyte = 1e9;

/** One registration, with what followed. */
export type Registration = Pick<Sample, "functionName" | "run" | "readUnits" | "writeUnits" | "logged" | "behind">;

/** Megabytes by the name of the function in the stack. */
export type MemoryOf = (functionName: string) => number;

/**
 * The bill of so many registrations that come one by one, so that no queue gathers several messages for one run. The
 * time of runs is that on the machine that measured.
 */
export function billOf(sample: Registration, registrations: number, memoryOf: MemoryOf): Line[] {
  const { behind } = sample;
  const runs = [{ functionName: sample.functionName, milliseconds: sample.run }, ...behind.runs];
  const gigabyteSeconds = runs.reduce(
    (sum, { functionName, milliseconds }) => sum + (memoryOf(functionName) / 1_024) * (milliseconds / 1_000),
    0,
  );
  // The relay reads the stream, which is free for Lambda. Every other run took a message from a queue.
  const deliveries = behind.runs.filter(({ functionName }) => functionName !== "Relay").length;
  const each = [
    line("request to the API", 1, prices.apiRequest),
    line("write units", sample.writeUnits + behind.writeUnits, prices.writeUnit),
    line("read units", sample.readUnits + behind.readUnits, prices.readUnit),
    line("runs of functions", runs.length, prices.run),
    line("GB-seconds", gigabyteSeconds, prices.gigabyteSecond),
    line("events on the bus", behind.messages, prices.busEvent),
    // Sent, received and deleted.
    line("requests to queues", 3 * deliveries, prices.queueRequest),
    line("mails", behind.mails, prices.mail),
    line("GB of log lines", (sample.logged + runs.length * bytesOfRun) / gigabyte, prices.log),
  ];
  return each.map(({ what, count, usd }) => ({ what, count: count * registrations, usd: usd * registrations }));
}

/** USD of the table alone, for so many registrations. */
export const tableBillOf = ({ writeUnits, readUnits, behind }: Registration, registrations: number): number =>
  registrations *
  ((writeUnits + behind.writeUnits) * prices.writeUnit.usd + (readUnits + behind.readUnits) * prices.readUnit.usd);
