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
/**
 * Jest runs tests in a context of `node:vm`, in which each look-up of a global is slow. CommonJS packages get these as
 * parameters instead: pictures of QR codes are drawn seven times as fast. `Date` is not among them: fake timers replace it.
 */
const languageObjects = [
  "Array",
  "ArrayBuffer",
  "BigInt",
  "Boolean",
  "Error",
  "JSON",
  "Map",
  "Math",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "Reflect",
  "RegExp",
  "Set",
  "String",
  "Symbol",
  "TypeError",
  "Uint8Array",
  "WeakMap",
];

const project = (displayName, more = {}, testMatch = `<rootDir>/test/${displayName}/**/*.test.ts`) => ({
  displayName,
  rootDir,
  testEnvironment: "node",
  testMatch: [testMatch],
  extensionsToTreatAsEsm: [".ts"],
  sandboxInjectedGlobals: [...languageObjects],
  transform: { "^.+\\.ts$": swc },
  setupFilesAfterEnv: ["<rootDir>/test/seeds.ts", "<rootDir>/test/navigator.mjs"],
  ...more,
});

/** The tests run the functions from `dist/`. */
const bundled = { globalSetup: "<rootDir>/test/built.mjs" };

/** @type {import('jest').Config} */
export default {
  rootDir,
  // A busy machine must not fail a test or a hook, but one that hangs must. Jest ignores this setting inside a project.
  testTimeout: 600_000,
  // The modules that a test file loads stay in its process, so a worker that has grown too large is replaced.
  workerIdleMemoryLimit: "1GB",
  globalSetup: "<rootDir>/test/signing-keys.mjs",
  testSequencer: "<rootDir>/test/slow-files-first.mjs",
  projects: [
    project("unit", { setupFiles: ["<rootDir>/test/unit/environment.ts"] }),
    project("infra", { setupFiles: ["<rootDir>/test/infra/environment.ts"] }),
    project("service", bundled),
    project("model"),
    project("browser", bundled),
    project("tools", bundled, "<rootDir>/tools/**/*.test.ts"),
    project("deep", bundled),
  ],
};
