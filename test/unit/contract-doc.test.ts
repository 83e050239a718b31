/** `docs/contract.md` names every route with who may call it, and every error code with its status. */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { problemCodes, statusOfCode } from "#api/refusals.ts";
import { NewRegistration } from "#api/registrations/schemas.ts";
import { routes } from "#api/routes.ts";

const page = readFileSync(new URL("../../docs/contract.md", import.meta.url), "utf8");

/** The cells of each table row, without the mark ◇ of the project's own decisions. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").map((cell) => cell.replace("◇", "").trim()));

const routeKeysIn = (text: string): string[] =>
  [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, key]) => key as string);

/** The access of a route, by the words of the page. */
const accessOf: Readonly<Record<string, string>> = {
  anyone: "public",
  "signed in": "caller",
  self: "caller",
  "self, admin": "caller",
  admin: "admin",
};

test("each route and each alias is in one table, with the right access; add a row to docs/contract.md", () => {
  const documented = rows.flatMap(([, named = "", who = ""]) => {
    const access = accessOf[who];
    return access === undefined ? [] : routeKeysIn(named).map((key) => `${key}: ${access}`);
  });
  const declared = routes.flatMap(({ keys, access }) => keys.map((key) => `${key}: ${access}`));
  expect(documented.sort()).toEqual(declared.sort());
});

test("the page names no route that does not exist", () => {
  const declared = new Set(routes.flatMap(({ keys }) => keys));
  expect(routeKeysIn(page).filter((key) => !declared.has(key))).toEqual([]);
});

test("each field of the registration form is in the list behind `basicInformation`; add it to docs/contract.md", () => {
  const [, list = ""] = /`basicInformation` \(keeps (.+?)\)/s.exec(page) ?? [];
  expect(list.match(/\w+(?=[,`])/g)?.sort()).toEqual(
    Object.keys(NewRegistration.properties.basicInformation.properties).sort(),
  );
});

test("each error code is in a table with its status", () => {
  const documented = rows.flatMap(([, status = "", codes = ""]) =>
    /^\d{3}$/.test(status) ? [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => [code, Number(status)]) : [],
  );
  expect(documented.toSorted()).toEqual(problemCodes.map((code) => [code, statusOfCode(code)]).toSorted());
});
