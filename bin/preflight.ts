/**
 * npm run preflight -- staging
 * Asks the AWS account, read-only, whether a deploy of the stage will succeed. One line for each check. Exit code 0: no
 * problem, 1: a problem, 2: wrong use (docs/deploy.md, "Preflight").
 */
import { preflight } from "../tools/preflight/command.ts";

process.exitCode = await preflight(process.argv.slice(2), console.log);
