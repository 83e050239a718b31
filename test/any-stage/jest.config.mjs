/** `STAGE=<outputs file> npm run test:stage`: the suites that speak only HTTP, on a stage that runs already. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../jest.config.mjs";

if (!process.env.STAGE) throw new Error("Usage: STAGE=<outputs file> npm run test:stage");
// Under another name: the functions have a setting STAGE of their own.
process.env.DEPLOYED_STAGE = resolve(process.env.STAGE);
delete process.env.STAGE;
if (!existsSync(process.env.DEPLOYED_STAGE))
  throw new Error(`${process.env.DEPLOYED_STAGE} is missing: start or deploy the stage first.`);
process.env.STAGE_REPORT ??= join(tmpdir(), `stage-${process.pid}.jsonl`);

const own = (file) => fileURLToPath(new URL(file, import.meta.url));
const { globalSetup: _built, ...service } = config.projects.find(({ displayName }) => displayName === "service");

/** @type {import('jest').Config} */
export default {
  rootDir: config.rootDir,
  testTimeout: 300_000,
  reporters: ["default", own("reporter.mjs")],
  projects: [
    {
      ...service,
      displayName: "stage",
      testEnvironment: own("environment.mjs"),
      testMatch: ["<rootDir>/test/service/*.suite.ts", "<rootDir>/test/service/api-event-lists.test.ts"],
    },
  ],
};
