/**
 * The floors of the repository (`docs/design.md`, "Repository layout"): imports go down, rooms and their folders form no
 * circle, the client stands alone, and nothing but tests imports tests.
 */
import { describe, expect, test } from "@jest/globals";
import { textOf } from "../../tools/upkeep/repository/files.ts";
import {
  type Arrow,
  areasPicture,
  arrowsOf,
  circularArrows,
  folderOf,
  forbiddenArrows,
  productSources,
  relativeArrows,
  type Sources,
  sidewaysArrows,
} from "../../tools/upkeep/repository/imports.ts";

const sources = productSources();
const arrows = arrowsOf(sources);

const filesOf = (found: readonly Arrow[]): string[] => found.flatMap(({ files }) => files);

/** The imports between folders that form a circle. */
const circleOfFolders = (all: Sources): string[] => filesOf(circularArrows(arrowsOf(all, folderOf)));

test("no import goes up, and routes and consumers do not import each other", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(500);
  expect(forbiddenArrows(arrows)).toEqual([]);
});

test("the rooms form no circle", () => {
  expect(filesOf(circularArrows(arrows))).toEqual([]);
});

test("the folders of lambda, lib and tools form no circle, at any depth", () => {
  expect(circleOfFolders(sources)).toEqual([]);
});

test("capabilities of the API import of each other only what they share", () => {
  expect(sidewaysArrows(sources)).toEqual([]);
});

test("imports of another part of lambda begin with #, so that they read the same in every file", () => {
  expect(relativeArrows(sources)).toEqual([]);
});

// The stages name the rule of a membership's term; campaigns at a time find their people when they begin; codes, a room of their
// own, came with five: to events, kit and outbox, from registrations and the API; operators and the desk
// read one kind of table; a new email mails tickets for events to come.
test("there are at most 166 arrows, 88 of them within lambda; import less, or let a capability that came raise both", () => {
  const isOfLambda = (room: string) => room.startsWith("lambda/");
  expect(arrows.length).toBeLessThanOrEqual(166);
  expect(arrows.filter(({ from, to }) => isOfLambda(from) && isOfLambda(to)).length).toBeLessThanOrEqual(88);
});

test("the picture of the areas in docs/design.md is this; copy it there", () => {
  expect(/areas of `lambda\/domain`:\n\n```mermaid\n(.*?)\n```/s.exec(textOf("docs/design.md"))?.[1]).toBe(
    areasPicture(sources),
  );
});

test("a picture shows a new area, a new arrow, and none that a longer way shows", () => {
  const drawn = areasPicture({
    "lambda/domain/a/a.ts": 'import "#domain/b/b.ts";\nimport "#domain/c/c.ts";',
    "lambda/domain/b/b.ts": 'import "#domain/c/c.ts";',
    ...{
      "lambda/domain/c/c.ts": "",
      "lambda/domain/d/d.ts": "",
      "lambda/domain/settings.ts": 'import "#domain/a/a.ts";',
    },
  });
  expect(drawn).toBe('flowchart TB\n  a --> b\n  b --> c\n  others["d"]');
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

/** Names and texts of the kit that have a word of the club. Comments may have examples. */
function clubWordsIn(all: Sources): string[] {
  const words =
    /\w*(?:registration|membership|workshop|waitlist|campaign|prize|ticket|seat|guest|partner|reminder|price|payment|refund|charge|promotion|acceptance|stripe)\w*/gi;
  return Object.entries(all)
    .filter(([path]) => path.startsWith("lambda/kit/"))
    .flatMap(([path, source]) =>
      [...source.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "").matchAll(words)].map(([word]) => `${path}: ${word}`),
    );
}

test("the kit has no word of the club", () => {
  expect(clubWordsIn(sources)).toEqual([]);
});

test.each(["readonly MEMBERSHIP_PRICE: string;", "const newRegistration = 1;", "const minimumCharges = {};"])(
  "a word of the club in the kit is found: %s",
  (line) => {
    expect(clubWordsIn({ "lambda/kit/a.ts": line, "lambda/domain/prizes/a.ts": line })).toHaveLength(1);
  },
);

const withImport = (path: string, line: string): Sources => ({
  ...sources,
  [path]: `${sources[path] ?? ""}\n${line}`,
});

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
const downward: readonly (readonly [path: string, line: string])[] = [
  ["lambda/api/users/c.ts", 'import { User } from "#api/records/schemas.ts";'],
  ["lambda/api/c.ts", 'import { getUser } from "#api/users/routes.ts";'],
  ["lib/c.ts", 'import { ClubStack } from "aws-cdk-lib/test/bin/client.ts";'],
  ["tools/smoke/c.ts", 'import { clubClient } from "../../client/index.ts";'],
  ["tools/smoke/test/c.test.ts", 'import { givenSettings } from "../../../test/settings.ts";'],
  ["bin/c.ts", 'import { outputsIn } from "../tools/kit/outputs.ts";'],
  ["client/c.ts", 'import type { paths } from "./paths.ts";'],
  ["test/unit/c.test.ts", 'import { buildAll } from "../../bin/build.ts";'],
];

describe("a wrong import is found", () => {
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
    const found = circularArrows(arrowsOf(withImport(path, `import ${specifier};`)));
    expect(found.map(({ from }) => from)).toContain(room);
  });

  test.each([
    ["a folder its neighbour", "lambda/kit/table/retry.ts", '"../request/context.ts"', "lambda/kit/request/context.ts"],
    ["a folder one in it", "lib/consumer.ts", '"./monitoring/alarms.ts"', "lib/monitoring/alarms.ts"],
    ["a folder the one around it", "lib/monitoring/budget.ts", '"../stack/club-app.ts"', "lib/stack/club-app.ts"],
    ["a deep folder", "tools/laptop/payments/keys.ts", '"./pages/layout.ts"', "tools/laptop/payments/pages/layout.ts"],
    ["what all steps use", "tools/smoke/step-kit/api.ts", '"../steps/account.ts"', "tools/smoke/steps/account.ts"],
  ])("%s imports what imports it", (_name, path, specifier, target) => {
    expect(circleOfFolders(withImport(path, `import type {} from ${specifier};`))).toContain(`${path} -> ${target}`);
  });

  test.each([
    ["of another area", "lambda/domain/events/event.ts", '"../prizes/prize.ts"', "lambda/domain/prizes/prize.ts"],
    ["by a tool", "tools/ops/check.ts", '"../../lambda/kit/text/text.ts"', "lambda/kit/text/text.ts"],
  ])("a relative import %s", (_name, path, specifier, target) => {
    expect(relativeArrows(withImport(path, `import ${specifier};`))).toEqual([`${path} -> ${target}`]);
  });

  test.each(downward)("and no right one: %s: %s", (path, line) => {
    const all = withImport(path, line);
    expect([...forbiddenArrows(arrowsOf(all)), ...sidewaysArrows(all)]).toEqual([]);
  });
});
