/**
 * npm run smoke -- <outputs file> [--minutes <number>] [--hidden] [--yes-production]
 * Tests a running stage and deletes the test data. One line for each step. Exit code 0: success, 1: a step failed or
 * data is left, 2: usage error (docs/deploy.md, "Smoke run"). Ctrl-C stops the steps and deletes the test data; a
 * second one ends at once.
 */
import { interrupted } from "../tools/kit/interrupted.ts";
import { smoke } from "../tools/smoke/command.ts";

process.exitCode = await smoke(process.argv.slice(2), console.log, interrupted());
