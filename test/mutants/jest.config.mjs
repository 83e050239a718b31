/** The unit and model tests, each file loaded once for all mutants. */
import base from "../jest.config.mjs";

const here = "<rootDir>/tools/upkeep/mutants";

const ofMutants = (project) => ({
  ...project,
  setupFilesAfterEnv: [...project.setupFilesAfterEnv, `${here}/first-failure.mjs`],
  testEnvironment: `${here}/environment.mjs`,
  transform: { "^.+\\.ts$": [`${here}/transform.mjs`, project.transform["^.+\\.ts$"][1]] },
});
const [unit, model] = ["unit", "model"].map((name) => base.projects.find(({ displayName }) => displayName === name));

/** @type {import('jest').Config} */
export default {
  ...base,
  reporters: [],
  testSequencer: `${here}/sequencer.mjs`,
  // The last one is that of this tool's own test.
  projects: [unit, model, { ...model, displayName: "planted", testMatch: [`${here}/test/planted/*.ts`] }].map(
    ofMutants,
  ),
};
