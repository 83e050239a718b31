/**
 * npm run preflight -- <staging|production> [--deploy] | --github
 * Checks, read-only, what a deploy of the stage and its service depend on, and AWS says late, unclearly or never. One line for
 * each check. `npm run preflight -- --github` checks the repository's settings.
 * Exit code 0: no problem, 1: a problem, 2: usage error (docs/deploy.md, "Preflight").
 */
import { preflight } from "../tools/preflight/command.ts";

process.exitCode = await preflight(process.argv.slice(2), console.log);
