/**
 * npm test [-- <options and paths of jest>]
 * npm run test:tools [-- <options and paths of jest>]
 * npm run test:deep [-- <options and paths of jest>]
 * Builds the functions and pages, then runs the tests: of the product, of tools/, or the long ones (docs/developing.md).
 * What jest knows: npm run test:only -- --help
 */
import { spawnSync } from "node:child_process";

const run = (variables: NodeJS.ProcessEnv, ...args: readonly string[]): number =>
  spawnSync(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...variables } }).status ?? 1;

const jest = ["node_modules/jest/bin/jest.js", "--config", "test/jest.config.mjs"];
process.exitCode =
  run({}, "bin/start.mjs", "build") ||
  run({ NODE_OPTIONS: "--experimental-vm-modules --no-warnings" }, ...jest, ...process.argv.slice(2));
