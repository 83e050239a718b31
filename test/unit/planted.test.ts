/** What the command `npm run upkeep -- planted` reads: the headers of planted faults, and jest's reports. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { faultIn, findingIn, type Report, troubleIn } from "../../tools/upkeep/repository/planted.ts";

const folder = fileURLToPath(new URL("../planted/", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const planted = readdirSync(folder)
  .filter((file) => file.endsWith(".patch"))
  .map((file) => faultIn(file, readFileSync(`${folder}${file}`, "utf8")));

test("every planted fault has its own number and name, a promise of a document, and tests", () => {
  expect(planted.length).toBeGreaterThanOrEqual(60);
  expect(new Set(planted.map(({ number }) => number)).size).toBe(planted.length);
  expect(new Set(planted.map(({ name }) => name)).size).toBe(planted.length);
  expect(planted.filter(({ breaks }) => !/\(docs\/[\w.-]+; docs|\(docs\/[\w.-]+, "/.test(breaks))).toEqual([]);
});

test("every planted fault can still be planted", () => {
  const patches = readdirSync(folder).filter((file) => file.endsWith(".patch"));
  const check = (patch: string) =>
    spawnSync("git", ["apply", "--check", patch], { cwd: root, encoding: "utf8" }).stderr;
  expect(patches.map((file) => check(`${folder}${file}`)).join("")).toBe("");
});

describe("of a report", () => {
  const report = (failure: string, message = ""): Report => ({
    testResults: [
      { name: "/a", message: "", assertionResults: [{ status: "passed", fullName: "fine" }] },
      { name: "/b", message, assertionResults: [{ status: "failed", fullName: "red", failureMessages: [failure] }] },
    ],
  });

  test.each([
    ["an assertion", "Error: expect(received).toBe(expected)\n…"],
    ["a judge of the model", "Error: Nobody noticed in 2000 rounds."],
  ])("a test that %s failed is a finding", (_, failure) => {
    expect(findingIn(report(failure))).toEqual({ file: "/b", test: "red" });
  });

  test.each([
    ["runs out of time", report('thrown: "Exceeded timeout of 60000 ms for a test."\n    at …'), /^thrown: "Exceeded/],
    [
      "is in a file that cannot be loaded",
      { testResults: [{ name: "/c", message: "  ● Test suite failed to run\n\n    No name", assertionResults: [] }] },
      /^No name$/,
    ],
  ])("a test that %s is none, but trouble", (_, trouble, line) => {
    expect(findingIn(trouble)).toBeUndefined();
    expect(troubleIn(trouble)).toMatch(line);
  });
});
