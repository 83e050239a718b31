/** Whose failure it is: the emulator's, which is tried once more, or the stage's, which is not. */
import { afterEach, expect, test } from "@jest/globals";
import { NoPythonTool, withoutTool } from "../../kit/python/environment.ts";
import { faultIn } from "../ministack.ts";
import { type Outcome, reportTo, withSecondTry } from "../report.ts";

const frame = (file: string) =>
  `Traceback (most recent call last):\n  File "${file}", line 7, in put\n    del items[key]\n`;
const own = `${frame("lib/python3.11/site-packages/ministack/services/sqs.py")}RuntimeError: dictionary changed size`;
const ofFunction = `${frame("asset/index.py")}KeyError: 'RequestType'`;

test.each<[string, string, string | undefined]>([
  ["an exception of its own", `WARNING busy\n${own}\nWARNING on`, "RuntimeError: dictionary changed size"],
  ["one of a function in Python", ofFunction, undefined],
  ["both", `${ofFunction}\n${own}`, "RuntimeError: dictionary changed size"],
  ["an error of a function in JavaScript", "ERROR TypeError: x\n    at site-packages/ministack/x.js:1", undefined],
  ["a refused request", "WARNING ministack: ValidationError: no such queue", undefined],
  [
    "a race of its threads",
    "\n2030-01-01 10:00:00 ERROR [lambda] Warm worker execution error for Members: dictionary changed size during iteration\n",
    "ERROR [lambda] Warm worker execution error for Members: dictionary changed size during iteration",
  ],
  [
    "an error of a function",
    "\n2030-01-01 10:00:00 ERROR [lambda] Warm worker execution error for Members: timeout\n",
    undefined,
  ],
])("in its output %s is found to be %s", (_what, output, fault) => expect(faultIn(output)).toBe(fault));

/** The outcome of steps, each with what the emulator has said until it failed; undefined: it succeeds. */
async function outcomeOf(...steps: readonly (string | undefined)[]): Promise<Outcome> {
  let said = "";
  const words = () => {
    said = "";
    return [];
  };
  const report = reportTo(
    () => undefined,
    () => ({ words, fault: () => faultIn(said) }),
  );
  for (const failing of steps) {
    await report.step("step", async () => {
      said += failing ?? own;
      if (failing !== undefined) throw new Error("failed");
      return "done";
    });
  }
  return report.end();
}

test.each<[string, readonly (string | undefined)[], Outcome]>([
  ["nothing failed, whatever the emulator said", [undefined], "succeeded"],
  ["the emulator failed, and then what depends on it", [own, ""], "emulator failed"],
  ["the stage failed", [""], "failed"],
  ["the stage failed, and then the emulator", ["", own], "failed"],
  ["the stage failed after a step in which the emulator complained", [undefined, ofFunction], "failed"],
])("%s", async (_what, steps, outcome) => expect(await outcomeOf(...steps)).toBe(outcome));

test.each<[string, readonly Outcome[], number, Outcome]>([
  ["a failure of the stage is not tried again", ["failed", "succeeded"], 1, "failed"],
  ["one of the emulator is, once", ["emulator failed", "succeeded"], 2, "succeeded"],
  ["what fails the second time has failed", ["emulator failed", "failed"], 2, "failed"],
  [
    "and so has an emulator that fails twice",
    ["emulator failed", "emulator failed", "succeeded"],
    2,
    "emulator failed",
  ],
])("%s", async (_what, outcomes, tries, outcome) => {
  let tried = 0;
  expect(
    await withSecondTry(
      async () => outcomes[tried++] ?? "failed",
      () => undefined,
    ),
  ).toBe(outcome);
  expect(tried).toBe(tries);
});

const { CI: before } = process.env;
afterEach(() => {
  if (before === undefined) delete process.env.CI;
  else process.env.CI = before;
});

test.each([
  ["true", 1, "FAILED: nothing is rehearsed here, because there is no python3."],
  ["", 0, "SKIPPED: nothing is rehearsed here, because there is no python3."],
])("with CI=%s a missing tool ends with %d", (value, code, line) => {
  process.env.CI = value;
  const lines: string[] = [];
  const missing = new NoPythonTool("there is no python3");
  expect(withoutTool("nothing is rehearsed here", missing, (one) => lines.push(one))).toBe(code);
  expect(lines).toEqual([line]);
});
