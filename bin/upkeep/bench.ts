/**
 * npm run upkeep -- bench [--quick]
 * Measures the cost and the latency of requests, and writes docs/performance.md. Exit code 1: a budget of
 * tools/upkeep/bench/budgets.ts is exceeded. `--quick` measures less, in about a minute, and writes nothing.
 */
import { bench } from "../../tools/upkeep/bench/command.ts";

process.exitCode = await bench(process.argv.slice(2), console.log);
