/**
 * npm run upkeep -- node24
 * All tests on the Node of the functions, the one that `.nvmrc` names.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const version = readFileSync(".nvmrc", "utf8").trim();
const tests = `node -v && test $(node -p process.versions.node) = ${version} && npm test`;
const npx = ["-y", "--ignore-scripts=false", "-p", `node@${version}`, "-c", tests];
process.exitCode = spawnSync("npx", npx, { stdio: "inherit" }).status ?? 1;
