/**
 * npm run bench [-- --quick]
 * Measures what requests cost and how long they take, and writes docs/performance.md. Ends with 1 when a budget of
 * tools/bench/budgets.ts is exceeded. `--quick` measures less, in about a minute, and writes nothing.
 */
import { bench } from "../tools/bench/command.ts";

process.exitCode = await bench(process.argv.slice(2), console.log);
