/**
 * npm run smoke -- <outputs file>
 * Tries a running stage and deletes what it made. One line for each step. Exit code 0: all is well, 1: a step failed or
 * something is left, 2: wrong use (docs/deploy.md, "Smoke run"). Ctrl-C ends the steps and deletes what was made; a
 * second one ends at once.
 */
import { smoke } from "../tools/smoke/command.ts";

const interrupted = new AbortController();
let first = 0;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // npm may hand on the signal that the terminal has sent already.
    if (first > 0 && Date.now() - first > 1_000) process.exit(130);
    first ||= Date.now();
    interrupted.abort();
  });
}

process.exitCode = await smoke(process.argv.slice(2), console.log, interrupted.signal);
