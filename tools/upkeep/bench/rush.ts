/**
 * Prints the results of rushes in AWS-like time as JSON: many people register for one event at the same moment. It takes
 * minutes, and a process of its own, because each rush needs its own clock: `npx tsx tools/upkeep/bench/rush.ts`.
 */
import { fileURLToPath } from "node:url";
import { type SimulatedRush, simulateRush } from "./simulation/rush.ts";

/** People and seats of the rushes, smallest first. */
export const simulatedSizes = [
  { people: 100, seats: 100 },
  { people: 600, seats: 100 },
  { people: 2_000, seats: 100 },
  { people: 1_000, seats: 1_000 },
] as const;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rushes: SimulatedRush[] = [];
  for (const size of simulatedSizes) rushes.push(await simulateRush(size));
  console.log(JSON.stringify(rushes, null, 2));
}
