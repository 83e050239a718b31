import { simulateRush } from "./simulation/rush.ts";

const [people = 200, seats = 50, seed = 1] = process.argv.slice(2).map(Number);
const began = Date.now();
console.log(JSON.stringify(await simulateRush({ people, seats, seed }), null, 1), Date.now() - began, "ms");
