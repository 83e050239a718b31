import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";

const rootDir = fileURLToPath(new URL("..", import.meta.url));
// All files of a run share the seed; see test/seeds.ts.
if (process.env.SEED === "fresh") {
  process.env.SEED = String(randomInt(2 ** 31));
  console.error(`Random searches start from SEED=${process.env.SEED}.`);
}

const swc = [
  "@swc/jest",
  { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "es6" }, sourceMaps: "inline" },
];
const project = (displayName, more = {}) => ({
  displayName,
  rootDir,
  testEnvironment: "node",
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  extensionsToTreatAsEsm: [".ts"],
  transform: { "^.+\\.ts$": swc },
  setupFilesAfterEnv: ["<rootDir>/test/seeds.ts"],
  ...more,
});

/** @type {import('jest').Config} */
export default {
  rootDir,
  // A hang is a failure, a busy machine is not. Jest ignores it inside a project.
  testTimeout: 60_000,
  // What a test file has loaded stays in its process for ever.
  workerIdleMemoryLimit: "1GB",
  projects: [
    project("unit", { setupFiles: ["<rootDir>/test/unit/environment.ts"] }),
    project("infra"),
    project("service"),
    project("model"),
    project("browser"),
    project("deep"),
  ],
};
