/**
 * npm run preflight -- staging
 * Checks, read-only, whether a deploy of the stage to the AWS account will succeed. One line for each check. With --mend
 * it plans changes, and with --apply it makes them. `npm run preflight -- --github` checks the repository's settings.
 * Exit code 0: no problem, 1: a problem or a failed change, 2: usage error (docs/deploy.md, "Preflight").
 */
import { preflight } from "../tools/preflight/command.ts";

process.exitCode = await preflight(process.argv.slice(2), console.log);
