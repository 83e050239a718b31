/**
 * npm run upkeep -- screens
 * Pictures of the five main pages and of the desk, on a phone and a laptop, into `docs/screens`. Needs a Chromium.
 */
import { spawnSync } from "node:child_process";

process.exitCode = spawnSync("npx", ["tsx", "test/browser/screens.ts"], { stdio: "inherit" }).status ?? 1;
