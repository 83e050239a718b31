/**
 * npm run upkeep -- bench
 * Measures what requests cost, and prints the rows of docs/performance.md.
 */
import { bench } from "../../tools/upkeep/bench/command.ts";

await bench(console.log);
