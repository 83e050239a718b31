/**
 * npm run check
 * Lint and format, types, and unused files, exports and packages. Exit code 0: nothing found.
 */
import { spawnSync } from "node:child_process";

const checks = [
  "biome ci .",
  "tsc",
  "tsc -p client/door",
  "tsc -p client/pages",
  "npm ci --silent --prefix tools/upkeep/unused",
  "tools/upkeep/unused/node_modules/.bin/knip --no-progress",
];
process.exitCode = spawnSync(checks.join(" && "), { shell: true, stdio: "inherit" }).status ?? 1;
