import { simulateRush } from "./simulation/rush.ts";

const [people = 200, seats = 50, within = 1000, without = 0] = process.argv.slice(2).map(Number);
const began = Date.now();
const c = process.cpuUsage();
console.log(
  JSON.stringify(await simulateRush({ people, seats, within, withoutCrowds: !!without })),
  Date.now() - began,
  "ms",
  process.cpuUsage(c).user / 1e3,
);
