/**
 * The floors of `lambda/` (`docs/design.md`, "Repository layout"): imports go down, and the areas of the domain form no
 * circle.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { arrowsOf, circles, forbiddenArrows, lambdaSources, relativeArrows, type Sources } from "./imports.ts";

const sources = lambdaSources();
const root = fileURLToPath(new URL("../..", import.meta.url));

test("no import goes up, and routes and consumers do not import each other", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(200);
  expect(forbiddenArrows(arrowsOf(sources))).toEqual([]);
});

test("the areas of the domain form no circle", () => {
  expect(circles(arrowsOf(sources))).toEqual([]);
});

test("imports of another part begin with #, so that the linter checks them", () => {
  expect(relativeArrows(sources)).toEqual([]);
});

test("routes and consumers call operations, and make no transactions themselves", () => {
  const transacting = /import \{[^}]*\b(execute|write|writeOnce|commit)\b[^}]*\} from "#kit\/(execute|table)\.ts"/;
  const found = Object.entries(sources).filter(
    ([path, source]) => /^lambda\/(api|consumers)\//.test(path) && transacting.test(source),
  );
  expect(found.map(([path]) => path)).toEqual([]);
  expect(transacting.test('import { answer, execute } from "#kit/execute.ts";')).toBe(true);
});

test("the kit has no word of the club", () => {
  const words =
    /\w*([rR]egistration|[mM]embership|[wW]orkshop|[wW]aitlist|[cC]ampaign|[pP]rize|[tT]icket|[sS]eats?)\w*/g;
  const found = Object.entries(sources)
    .filter(([path]) => path.startsWith("lambda/kit/"))
    .flatMap(([path, source]) =>
      [...source.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "").matchAll(words)].map(([word]) => `${path}: ${word}`),
    );
  expect(found).toEqual([]);
});

test("there are at most sixty-six arrows", () => {
  expect(arrowsOf(sources).length).toBeLessThanOrEqual(66);
});

describe("the test finds a wrong import", () => {
  const withImport = (path: string, line: string): Sources => ({
    ...sources,
    [path]: `${sources[path] ?? ""}\n${line}`,
  });

  test.each([
    ["the kit imports a rule", "lambda/kit/text.ts", 'import { moves } from "#domain/registrations/record/moves.ts";'],
    [
      "a rule imports a type of a schema",
      "lambda/domain/prizes/prize.ts",
      'import type { Prize } from "#api/prizes/schemas.ts";',
    ],
    ["a consumer imports a route", "lambda/consumers/relay.ts", 'const all = await import("#api/routes.ts");'],
    ["a route imports a consumer", "lambda/api/users/get-user.ts", 'import { handler } from "#consumers/relay.ts";'],
  ])("in %s", (_name, path, line) => {
    expect(forbiddenArrows(arrowsOf(withImport(path, line)))).toHaveLength(1);
    const lint = () =>
      execFileSync("npx", ["biome", "lint", "--only=noRestrictedImports", `--stdin-file-path=${path}`], {
        cwd: root,
        input: line,
        stdio: "pipe",
      });
    // The linter reads static imports only.
    if (line.startsWith("import")) expect(lint).toThrow(/noRestrictedImports/);
  });

  test("the test finds two areas that import each other", () => {
    const wrong = withImport("lambda/domain/events/event.ts", 'import "#domain/registrations/record/moves.ts";');
    expect(circles(arrowsOf(wrong))).toEqual(expect.arrayContaining(["domain/events", "domain/registrations"]));
  });

  test("the test finds a relative import of another area", () => {
    const wrong = withImport("lambda/domain/events/event.ts", 'import "../prizes/prize.ts";');
    expect(relativeArrows(wrong)).toEqual(["lambda/domain/events/event.ts -> ../prizes/prize.ts"]);
  });
});
