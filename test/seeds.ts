/**
 * The start of random searches. Every run of the tests uses the same values, so a test never fails by chance.
 * `SEED=fresh` uses other values, `SEED=<seed>` those of an earlier run, `SEED=<seed>:<path>` the one value that
 * failed. Jest loads this file before every test file.
 */
import { beforeEach, expect } from "@jest/globals";
import fc from "fast-check";

/** `test/jest.config.mjs` has replaced `fresh` by a number, the same one for all files of a run. */
const [given = "", ...path] = (process.env.SEED ?? "").split(":");
export const seed = given === "" ? 20_300_501 : Number(given);
if (!Number.isInteger(seed)) throw new Error(`SEED must be "fresh", a whole number, or a number and a path: ${given}`);

/** How many cases a random search tries: few in `npm test`, many in `npm run test:deep`. */
export const runs = ({ few, many }: { readonly few: number; readonly many: number }): number =>
  process.env.ALL_CASES === "1" ? many : few;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that repeats the current test with the same values. */
export function replayLine(where: string = String(seed)): string {
  const { testPath = "", currentTestName = "" } = expect.getState();
  const file = testPath.replace(/^.*(?=\btest\/)/, "");
  const name = `^${currentTestName.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
  return `SEED=${where} npm run test:only -- ${file} -t ${quoted(name)}`;
}

fc.configureGlobal({
  seed,
  ...(path.length > 0 && { path: path.join(":") }),
  reporter: (details) => {
    if (!details.failed) return;
    const { counterexamplePath, errorInstance: cause } = details;
    const where = counterexamplePath === null ? `${details.seed}` : `${details.seed}:${counterexamplePath}`;
    const why = cause instanceof Error ? `\n\n${cause.message}` : "";
    throw new Error(`${fc.defaultReportMessage(details)}${why}\n\nAgain: ${replayLine(where)}`, { cause });
  },
});

/**
 * A whole number that has no pattern in common with the results for neighbouring numbers (the last step of
 * MurmurHash3).
 */
function mixed(number: number): number {
  const once = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

let drawn = 0;
beforeEach(() => {
  drawn = 0;
});

/**
 * A random value for a test that is no property. It depends on the seed, the test's name, and how many values the test
 * has drawn before. (`fc.sample` would return the same value every time.)
 */
export function draw<T>(arbitrary: fc.Arbitrary<T>): T {
  drawn += 1;
  const name = expect.getState().currentTestName ?? "";
  const ofTest = [...name].reduce((hash, letter) => mixed(hash ^ (letter.codePointAt(0) ?? 0)), seed);
  const [value] = fc.sample(arbitrary, { seed: mixed(ofTest + drawn), path: "", numRuns: 1 });
  return value as T;
}
