/** Makes a skip of a test that the stage cannot offer something to, and writes down what became of each test. */
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { differenceFor } from "./differences.mjs";

const requireOfJest = createRequire(fileURLToPath(import.meta.resolve("jest")));
const { TestEnvironment } = requireOfJest("jest-environment-node");

const nameOf = (test) => (test.parent?.parent ? `${nameOf(test.parent)} ${test.name}` : test.name);
const errorsOf = (test) => test.errors.map((error) => (Array.isArray(error) ? (error[0] ?? error[1]) : error));

export default class StageEnvironment extends TestEnvironment {
  #suite;
  #reasons = [];

  constructor(config, context) {
    super(config, context);
    this.#suite = basename(context.testPath).replace(/\.(suite|test)\.ts$/, "");
    this.global.skipBecause = (reason) => this.#reasons.push(reason);
  }

  #told(test, outcome, reason) {
    const line = { suite: this.#suite, test: nameOf(test), outcome, reason };
    appendFileSync(process.env.STAGE_REPORT, `${JSON.stringify(line)}\n`);
  }

  handleTestEvent({ name, test }) {
    if (name === "test_start") {
      this.#reasons = [];
      const difference = differenceFor(this.#suite, nameOf(test));
      if (difference === undefined) return;
      test.mode = "skip";
      this.#told(test, "skipped", difference);
    }
    if (name === "test_done") {
      const missing = errorsOf(test).filter((error) => error?.name === "NotOnThisStage");
      const [reason] = [...this.#reasons, ...missing.map(({ message }) => message)];
      if (reason === undefined) return this.#told(test, test.errors.length > 0 ? "failed" : "passed");
      test.errors = [];
      test.status = "skip";
      this.#told(test, "skipped", reason);
    }
  }
}
