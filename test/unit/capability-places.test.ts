/**
 * All places that a capability of the API has, in one list: what a new one lacks is said at once (docs/developing.md, "Add a
 * capability"). Each place has its own test, too; this one only finds the names.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { namedRoutes, type Route } from "#api/routes.ts";

interface Place {
  readonly file: string;
  /** What a person adds there for the capability, and whether its text has it. */
  readonly wanted: (name: string, routes: readonly Route[]) => readonly [add: string, isThere: RegExp | string][];
}

const key = (name: string): string => (/^\w+$/.test(name) ? name : `"${name}"`);
const isPaged = ({ query }: Route) => query !== undefined && "cursor" in query.properties;

const places: readonly Place[] = [
  {
    file: "lambda/api/functions.ts",
    wanted: (name) => [[`the declaration of "#api/${name}/function.ts"`, `"#api/${name}/function.ts"`]],
  },
  {
    file: "tools/reference/prose.ts",
    wanted: (name) => [[`its group: ${key(name)}: { name, about }`, `${key(name)}: {`]],
  },
  {
    file: "test/unit/bundles.test.ts",
    wanted: (name) => [[`the most bytes at its start: ${key(name)}: 350_000`, new RegExp(`${key(name)}: [\\d_]+,`)]],
  },
  { file: "docs/contract.md", wanted: (_, routes) => routes.map((route) => [`\`${route.key}\``, `\`${route.key}\``]) },
  {
    file: "test/service/api-cursors.suite.ts",
    wanted: (_, routes) => routes.filter(isPaged).map((route) => [`a list ["${route.key}", path]`, route.key]),
  },
];

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

/** What the capabilities lack, as `<file>: <what to add>`. */
const missing = (capabilities: Readonly<Record<string, readonly Route[]>>): string[] =>
  Object.entries(capabilities).flatMap(([name, routes]) =>
    places.flatMap(({ file, wanted }) => {
      const text = textOf(file);
      const lacks = wanted(name, routes).filter(
        ([, there]) => !(there instanceof RegExp ? there.test(text) : text.includes(there)),
      );
      return lacks.map(([add]) => `${file}: ${add}`);
    }),
  );

const ours = Object.fromEntries(Object.entries(namedRoutes).map(([name, declared]) => [name, Object.values(declared)]));

test("every capability is everywhere; add what this list says", () => {
  expect(missing(ours)).toEqual([]);
});

test("control: a new capability is told all of its places at once", () => {
  const lunches = { key: "GET /lunches", query: { properties: { cursor: {} } } } as unknown as Route;
  const lunch = { key: "POST /lunches", body: {} } as unknown as Route;
  const told = missing({ lunches: [lunches, lunch] });
  expect(new Set(told.map((line) => line.split(": ")[0]))).toEqual(new Set(places.map(({ file }) => file)));
});
