/**
 * npm run once -- delivery deploy ClubMail-staging
 * Runs the CDK with the stacks beside the stages: `ClubMail-…` and `ClubDelivery` (docs/deploy.md).
 */
import { spawnSync } from "node:child_process";

const app = ["--app", "npx tsx bin/delivery.ts", "--output", "cdk.out.delivery"];
process.exitCode = spawnSync("npx", ["cdk", ...app, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1;
