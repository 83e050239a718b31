/**
 * npm run once -- delivery <deploy|diff|…> <ClubDelivery|ClubMail-staging|ClubMail-production> [flags of the CDK]
 * Runs the CDK with the stacks beside the stages: `ClubMail-…` and `ClubDelivery` (docs/deploy.md). Before a deploy it
 * compares them with what is deployed, as `npm run changes` does, and stops when a change is refused.
 */
import { spawnSync } from "node:child_process";

const folder = "cdk.out.delivery";
const [command, ...words] = process.argv.slice(2);
const run = (program: string, ...args: readonly string[]) => spawnSync(program, args, { stdio: "inherit" }).status ?? 1;
const cdk = (...args: readonly string[]) =>
  run("npx", "cdk", "--app", "npx tsx bin/delivery.ts", "--output", folder, ...args);
const judged = () =>
  cdk("synth", "--quiet", ...words) ||
  words
    .filter((word) => word.startsWith("Club"))
    .reduce((code, stack) => code || run("npm", "run", "-s", "changes", "--", stack, "--from", folder), 0);

process.exitCode = (command === "deploy" && judged()) || cdk(...process.argv.slice(2));
