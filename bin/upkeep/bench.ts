/**
 * `npm run upkeep -- bench`: measures what requests cost in about six minutes, and prints the rows for
 * docs/performance.md. Exit code 1: a budget of tools/upkeep/bench/budgets.ts is exceeded.
 */
import { bench } from "../../tools/upkeep/bench/command.ts";

process.exitCode = await bench(console.log);
