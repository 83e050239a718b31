/**
 * The floors of the repository (`docs/design.md`, "Repository layout"): imports go down, rooms form no circle, the client
 * stands alone, and nothing but tests imports tests.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  type Arrow,
  arrowsOf,
  circles,
  forbiddenArrows,
  productSources,
  relativeArrows,
  type Sources,
  sidewaysArrows,
} from "../../tools/upkeep/repository/imports.ts";
import { givenFolder } from "./folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = productSources();
const arrows = arrowsOf(sources);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

test("no import goes up, and routes and consumers do not import each other", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(500);
  expect(forbiddenArrows(arrows)).toEqual([]);
});

test("the rooms form no circle", () => {
  expect(circles(arrows)).toEqual([]);
});

test("capabilities of the API import of each other only what they share", () => {
  expect(sidewaysArrows(sources)).toEqual([]);
});

test("imports of another part of lambda begin with #, so that the linter checks them", () => {
  expect(relativeArrows(sources)).toEqual([]);
});

test("there are at most 155 arrows, 79 of them within lambda; import less, or let a capability that came raise both", () => {
  const isOfLambda = (room: string) => room.startsWith("lambda/");
  expect(arrows.length).toBeLessThanOrEqual(155);
  expect(arrows.filter(({ from, to }) => isOfLambda(from) && isOfLambda(to)).length).toBeLessThanOrEqual(79);
});

test("routes and consumers call operations, and make no transactions themselves", () => {
  const transacting =
    /import \{[^}]*\b(execute|write|writeOnce|commit)\b[^}]*\} from "#kit\/table\/(execute|table)\.ts"/;
  const found = Object.entries(sources).filter(
    ([path, source]) => /^lambda\/(api|consumers)\//.test(path) && transacting.test(source),
  );
  expect(found.map(([path]) => path)).toEqual([]);
  expect(transacting.test('import { answer, execute } from "#kit/table/execute.ts";')).toBe(true);
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

const withImport = (path: string, line: string): Sources => ({
  ...sources,
  [path]: `${sources[path] ?? ""}\n${line}`,
});

/** Each is in a file of its own. */
const upward: readonly (readonly [name: string, path: string, line: string])[] = [
  ["the kit imports a rule", "lambda/kit/a.ts", 'import { moves } from "#domain/registrations/record/moves.ts";'],
  ["a message imports a rule", "lambda/outbox/a.ts", 'import { moves } from "#domain/registrations/record/moves.ts";'],
  ["a rule imports a schema", "lambda/domain/prizes/a.ts", 'import type { Prize } from "#api/prizes/schemas.ts";'],
  ["a consumer imports a route", "lambda/consumers/a.ts", 'import { routes } from "#api/routes.ts";'],
  ["a consumer imports a route later", "lambda/consumers/b.ts", 'const all = await import("#api/routes.ts");'],
  ["a route imports a consumer", "lambda/api/users/a.ts", 'import { handler } from "#consumers/relay.ts";'],
  ["the kit imports the stack", "lambda/kit/b.ts", 'import { stages } from "../../lib/stages.ts";'],
  ["a rule imports a tool", "lambda/domain/prizes/b.ts", 'import { Html } from "../../../tools/kit/target.ts";'],
  ["a consumer imports the client", "lambda/consumers/c.ts", 'import { clubClient } from "../../client/index.ts";'],
  ["a route imports a test", "lambda/api/users/b.ts", 'import { seeds } from "../../../test/seeds.ts";'],
  ["the stack imports a tool", "lib/a.ts", 'export { outputsIn } from "../tools/kit/outputs.ts";'],
  ["the stack imports a command", "lib/monitoring/a.ts", 'import { buildAll } from "../../bin/build.ts";'],
  ["the stack imports the client", "lib/b.ts", 'import type { paths } from "../client/paths.ts";'],
  ["a tool imports a command", "tools/ops/a.ts", 'import { buildAll } from "../../bin/build.ts";'],
  ["a tool imports a test", "tools/ops/invariants/a.ts", 'import { givenSettings } from "../../../test/settings.ts";'],
  ["a tool imports its own tests", "tools/smoke/a.ts", 'import { account } from "./test/account.ts";'],
  ["a command imports a test", "bin/a.ts", 'import { givenSettings } from "../test/settings.ts";'],
  [
    "a command imports the tests of a tool",
    "bin/b.ts",
    'import { account } from "../tools/preflight/test/account.ts";',
  ],
  ["the client imports the kit", "client/a.ts", 'import { email } from "#kit/text/email.ts";'],
  ["the client imports the stack", "client/b.ts", 'import { stages } from "../lib/stages.ts";'],
];

const sideways: typeof upward = [
  ["a capability imports another one", "lambda/api/events/a.ts", 'import { User } from "#api/users/schemas.ts";'],
  ["a capability imports its neighbour", "lambda/api/events/b.ts", 'import { User } from "../users/schemas.ts";'],
  ["a capability imports all routes", "lambda/api/events/c.ts", 'import { routes } from "#api/routes.ts";'],
  ["what is shared imports a capability", "lambda/api/records/a.ts", 'import { User } from "#api/users/schemas.ts";'],
];

/** Imports that are right. */
const downward: typeof upward = [
  ["", "lambda/api/users/c.ts", 'import { User } from "#api/records/schemas.ts";'],
  ["", "lambda/api/c.ts", 'import { getUser } from "#api/users/routes.ts";'],
  ["", "lib/c.ts", 'import { ClubStack } from "aws-cdk-lib/test/bin/client.ts";'],
  ["", "tools/smoke/c.ts", 'import { clubClient } from "../../client/index.ts";'],
  ["", "tools/smoke/test/c.test.ts", 'import { givenSettings } from "../../../test/settings.ts";'],
  ["", "bin/c.ts", 'import { outputsIn } from "../tools/kit/outputs.ts";'],
  ["", "client/c.ts", 'import type { paths } from "./paths.ts";'],
  ["", "test/unit/c.test.ts", 'import { buildAll } from "../../bin/build.ts";'],
];

describe("a wrong import is found", () => {
  const filesOf = (found: readonly Arrow[]) => found.flatMap(({ files }) => files);

  test.each(upward)("%s", (_name, path, line) => {
    expect(filesOf(forbiddenArrows(arrowsOf(withImport(path, line))))).toEqual([
      expect.stringMatching(new RegExp(`^${path} -> `)),
    ]);
  });

  test.each(sideways)("%s", (_name, path, line) => {
    expect(filesOf(sidewaysArrows(withImport(path, line)))).toEqual([
      expect.stringMatching(new RegExp(`^${path} -> `)),
    ]);
  });

  test.each([
    ["two areas", "lambda/domain/events/event.ts", '"#domain/registrations/record/moves.ts"', "lambda/domain/events"],
    ["two tools", "tools/kit/outputs.ts", '"../smoke/api.ts"', "tools/kit"],
  ])("%s import each other", (_name, path, specifier, room) => {
    expect(circles(arrowsOf(withImport(path, `import ${specifier};`)))).toContain(room);
  });

  test.each([
    ["of another area", "lambda/domain/events/event.ts", '"../prizes/prize.ts"', "lambda/domain/prizes/prize.ts"],
    ["by a tool", "tools/ops/check.ts", '"../../lambda/kit/text/text.ts"', "lambda/kit/text/text.ts"],
  ])("a relative import %s", (_name, path, specifier, target) => {
    expect(relativeArrows(withImport(path, `import ${specifier};`))).toEqual([`${path} -> ${target}`]);
  });

  test("the linter finds those of one file, and no right one", async () => {
    const folder = await givenFolder(open);
    cpSync(join(root, ".biome.json"), join(folder, ".biome.json"));
    for (const [, path, line] of [...upward, ...sideways, ...downward]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), line);
    }
    expect(linted(folder)).toEqual([...upward, ...sideways].map(([, path]) => path).sort());
  });
});

/** The files of a folder in which the linter finds a restricted import. */
function linted(folder: string): string[] {
  const args = [
    "lint",
    "--vcs-enabled=false",
    "--only=noRestrictedImports",
    "--reporter=json",
    "--max-diagnostics=none",
  ];
  let report = "";
  try {
    report = execFileSync(join(root, "node_modules/.bin/biome"), args, {
      cwd: folder,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (problem) {
    // It ends with 1 when it finds something.
    report = (problem as { readonly stdout: string }).stdout;
  }
  const { diagnostics } = JSON.parse(report) as {
    readonly diagnostics: readonly { readonly category: string; readonly location: { readonly path: string } }[];
  };
  const found = diagnostics.filter(({ category }) => category === "lint/style/noRestrictedImports");
  return [...new Set(found.map(({ location }) => location.path))].sort();
}
