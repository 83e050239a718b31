/** Which bundles a changed file concerns, and how a failed build is shown. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildProblem } from "../build-problem.ts";
import { concerned, sourcesOf } from "../bundle-inputs.ts";

const inputs = {
  build: ["bin/build.ts", "lambda/kit/schema/compile.ts"],
  functions: {
    events: ["lambda/kit/table/table.ts", "lambda/api/events/list.ts"],
    users: ["lambda/kit/table/table.ts"],
    relay: [],
  },
};

test.each([
  ["a file of one function", ["lambda/api/events/list.ts"], ["events"]],
  ["a file of two functions", ["lambda/kit/table/table.ts"], ["events", "users"]],
  ["a file that makes the bundles", ["lambda/kit/schema/compile.ts"], ["events", "users", "relay"]],
  ["a file of the stack", ["lib/stages.ts"], []],
  ["a file of nothing", ["lambda/kit/new.ts"], []],
])("%s", (_name, changed, names) => {
  expect(concerned(inputs, changed)).toEqual(names);
});

test("the sources of declared routes contain the schemas, which no bundle names", async () => {
  const sources = await sourcesOf("lambda/api/events/routes.ts");
  expect(sources).toEqual(expect.arrayContaining(["lambda/api/events/routes.ts", "lambda/api/events/schemas.ts"]));
  expect(sources.filter((path) => path.includes("node_modules"))).toEqual([]);
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "build-problem-"));
  await writeFile(join(folder, "a.ts"), "const ok = 1;\n\tconst a = ;\n");
});
afterAll(() => rm(folder, { recursive: true }));

const message = (text: string, more: object = {}) => ({ errors: [{ text, location: null, ...more }] });
const location = { file: "a.ts", line: 2, column: 11 };
const block = (text: string) => `a.ts:2:12: ${text}\n   const a = ;\n             ^`;

test("an error of the bundler has its place and its line", () => {
  expect(buildProblem(message('Unexpected ";"', { location }), folder)).toBe(block('Unexpected ";"'));
});

test("a source that a plugin imports has its own place", () => {
  const text = `Transform failed with 1 error:\n${join(folder, "a.ts")}:2:11: ERROR: Unexpected ";"`;
  const importer = { file: "b.ts", line: 1, column: 0 };
  expect(buildProblem(message(text, { location: importer }), folder)).toBe(block('Unexpected ";"'));
});

test("an error that a source throws has its name", () => {
  expect(buildProblem(message("no", { location, detail: new TypeError("no") }), folder)).toBe(block("TypeError: no"));
  expect(buildProblem(message("no", { location, detail: new Error("no") }), folder)).toBe(block("no"));
});
