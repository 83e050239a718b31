/** `docs/contract.md` names every route with who may call it, and every error code with its status. */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { problemCodes, statusOfCode } from "#api/refusals.ts";
import { namedRoutes, routes } from "#api/routes.ts";
import { tagOf } from "../../tools/reference/prose.ts";

const read = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), "utf8");
const page = read("contract.md");

/** The cells of each table row, without the mark of what the specification demands. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").map((cell) => cell.replaceAll("(spec)", "").trim()));

const routeKeysIn = (text: string): string[] =>
  [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, key]) => key as string);

/** The access of a route, by the words of the page. */
const accessOf: Readonly<Record<string, string>> = {
  device: "door",
  link: "link",
  anyone: "public",
  "signed in": "caller",
  self: "caller",
  "self, admin": "caller",
  admin: "admin",
};

/** The table of routes: the area, who may call, and the routes. */
const routeRows = rows.flatMap(([, area = "", who = "", named = ""]) => {
  const keys = routeKeysIn(named);
  return keys.length > 0 ? [{ area, access: accessOf[who], keys }] : [];
});

test("each route and each alias is once in the table, with the right access; add it to docs/contract.md, Routes", () => {
  const documented = routeRows.flatMap(({ access, keys }) => keys.map((key) => `${key}: ${access}`));
  const declared = routes.flatMap(({ keys, access }) => keys.map((key) => `${key}: ${access}`));
  expect(documented.sort()).toEqual(declared.sort());
});

test("each route is in the row of its area", () => {
  const areas = Object.entries(namedRoutes).flatMap(([capability, declared]) =>
    Object.values(declared).flatMap(({ keys }) => keys.map((key) => [key, tagOf(capability)] as const)),
  );
  const expected = new Map(areas);
  const wrong = routeRows.flatMap(({ area, keys }) => keys.filter((key) => expected.get(key) !== area));
  expect(wrong).toEqual([]);
});

test("the page names no route that does not exist", () => {
  const declared = new Set(routes.flatMap(({ keys }) => keys));
  expect(routeKeysIn(page).filter((key) => !declared.has(key))).toEqual([]);
});

test("each error code is in a table with its status; add it to docs/contract.md, Errors", () => {
  const documented = rows.flatMap(([, status = "", codes = ""]) =>
    /^\d{3}$/.test(status) ? [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => [code, Number(status)]) : [],
  );
  expect(documented.toSorted()).toEqual(problemCodes.map((code) => [code, statusOfCode(code)]).toSorted());
});
