/**
 * The rush: many people register for one event at the same moment, in AWS-like time and in real time on the laptop.
 * Alone: `npx tsx tools/bench/rush.ts`, with `simulated` or `laptop` for one half.
 */
import { fileURLToPath } from "node:url";
import { type LaptopRush, rushOnLaptop } from "./laptop-rush.ts";
import { type SimulatedRush, simulateRush } from "./simulation/rush.ts";

/** The rushes of a bench, smallest first. */
export interface RushReport {
  /** In AWS-like time: the same on every machine. */
  readonly simulated: readonly SimulatedRush[];
  /** The same rushes without people who join the line because of conflicts. */
  readonly withoutCrowds: readonly SimulatedRush[];
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

const laptopRushes = [
  { people: 600, seats: 100, through: "function" },
  { people: 600, seats: 100, through: "http" },
  { people: 2_000, seats: 100, through: "http" },
] as const;

const halves = ["simulated", "laptop"] as const;

/**
 * Runs the rushes, one after the other. It takes minutes.
 * @param chosen the halves that are run
 */
async function rushReport(chosen: readonly (typeof halves)[number][]): Promise<RushReport> {
  const simulated: SimulatedRush[] = [];
  const withoutCrowds: SimulatedRush[] = [];
  const laptop: LaptopRush[] = [];
  const lastMails: Awaited<ReturnType<typeof rushOnLaptop>>[] = [];
  if (chosen.includes("laptop")) {
    for (const rush of laptopRushes) lastMails.push(await rushOnLaptop(rush));
  }
  // Runs while the last mails are pending for three minutes: the simulation has its own clock.
  if (chosen.includes("simulated")) {
    for (const size of simulatedSizes) {
      simulated.push(await simulateRush(size));
      withoutCrowds.push(await simulateRush({ ...size, withoutCrowds: true }));
    }
  }
  for (const untilLastMail of lastMails) laptop.push(await untilLastMail());
  return { simulated, withoutCrowds, laptop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = halves.filter((one) => process.argv.includes(one));
  console.log(JSON.stringify(await rushReport(named.length > 0 ? named : halves), null, 2));
}
