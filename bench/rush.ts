/**
 * The rush: many people register for one event at the same moment, in AWS-like time and in real time on the laptop.
 * Alone: `npx tsx bench/rush.ts`, with `simulated` or `laptop` for one half.
 */
import { fileURLToPath } from "node:url";
import { type LaptopRush, rushOnLaptop } from "./laptop-rush.ts";
import { type SimulatedRush, simulateRush } from "./simulation/rush.ts";

/** The rushes of a bench, smaller ones first. */
export interface RushReport {
  /** In AWS-like time. The same on every machine. */
  readonly simulated: readonly SimulatedRush[];
  /** In the real time of this machine, the function alone and over HTTP. */
  readonly laptop: readonly LaptopRush[];
}

/** People and seats of the rushes in AWS-like time. */
export const simulatedSizes = [
  { people: 100, seats: 100 },
  { people: 600, seats: 100 },
  { people: 2_000, seats: 100 },
  { people: 1_000, seats: 1_000 },
] as const;

const laptopSizes = [
  { people: 600, seats: 100 },
  { people: 2_000, seats: 100 },
] as const;

/**
 * Runs the rushes, one after the other. It takes minutes.
 * @param halves the halves that are run; both when absent
 */
export async function rushReport(halves: readonly (keyof RushReport)[] = ["simulated", "laptop"]): Promise<RushReport> {
  const simulated: SimulatedRush[] = [];
  const laptop: LaptopRush[] = [];
  if (halves.includes("simulated")) for (const size of simulatedSizes) simulated.push(await simulateRush(size));
  if (halves.includes("laptop")) {
    for (const size of laptopSizes) {
      for (const through of ["function", "http"] as const) laptop.push(await rushOnLaptop({ ...size, through }));
    }
  }
  return { simulated, laptop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const half = (["simulated", "laptop"] as const).find((one) => process.argv.includes(one));
  console.log(JSON.stringify(await rushReport(half && [half]), null, 2));
}
