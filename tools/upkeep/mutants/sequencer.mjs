/**
 * The order of the test files: unit tests first, then those that import most of the mutated files themselves, then small
 * ones. Files to load once for each mutant come as often as the plan says.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, relative } from "node:path";
import { readPlan } from "./plan.mjs";

const { default: Sequencer } = createRequire(import.meta.url)("@jest/test-sequencer");

export default class Plan extends Sequencer {
  sort(tests) {
    const { loads, sources } = readPlan();
    if (loads.length === 0) return this.#closestFirst(tests, Object.keys(sources));
    const byPath = new Map(tests.map((test) => [relative(test.context.config.rootDir, test.path), test]));
    return loads.map(({ test }) => byPath.get(test));
  }

  #closestFirst(tests, mutated) {
    const ranked = tests.map((test) => {
      const text = readFileSync(test.path, "utf8");
      const imported = mutated.filter((file) => text.includes(`/${basename(file)}"`)).length;
      return { test, rank: [test.path.includes("/test/model/") ? 1 : 0, -imported, text.length] };
    });
    const order = (a, b) => a.map((rank, index) => rank - b[index]).find((difference) => difference !== 0) ?? 0;
    return ranked.sort((a, b) => order(a.rank, b.rank)).map(({ test }) => test);
  }
}
