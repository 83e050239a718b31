/** Jest runs test files only. A suite beside them runs through the test file that imports it. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = ["test", "tools"].flatMap((folder) =>
  readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith(".ts") && !path.includes("node_modules/")),
);

/** The suites that no test file imports. */
function forgotten(paths: readonly string[], textOf: (path: string) => string): string[] {
  const tests = paths.filter((path) => path.endsWith(".test.ts"));
  const imported = tests.flatMap((path) =>
    [...textOf(path).matchAll(/\bimport\(?\s*"(\.[^"]+)"/g)].map(([, named = ""]) => join(dirname(path), named)),
  );
  return paths.filter((path) => path.endsWith(".suite.ts") && !imported.includes(path));
}

const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

test("every suite is run by a test file", () => {
  expect(files.filter((path) => path.endsWith(".suite.ts")).length).toBeGreaterThan(30);
  expect(forgotten(files, textOf)).toEqual([]);
});

test("a suite that nothing imports is found", () => {
  const withoutEvents = (path: string) => textOf(path).replace('import "./api-events.suite.ts";', "");
  expect(forgotten(files, withoutEvents)).toEqual(["test/service/api-events.suite.ts"]);
});
