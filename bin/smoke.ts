/**
 * npm run smoke -- <outputs file>
 * Tests a running stage and deletes the test data. One line for each step. Exit code 0: success, 1: a step failed or
 * data is left, 2: usage error (docs/deploy.md, "Smoke run"). Ctrl-C stops the steps and deletes the test data; a
 * second one ends at once.
 */
import { smoke } from "../tools/smoke/command.ts";

const interrupted = new AbortController();
let first = 0;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // npm may forward the signal that the terminal has sent already.
    if (first > 0 && Date.now() - first > 1_000) process.exit(130);
    first ||= Date.now();
    interrupted.abort();
  });
}

process.exitCode = await smoke(process.argv.slice(2), console.log, interrupted.signal);
