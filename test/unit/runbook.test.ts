/** The commands that the documentation names exist. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("../../", import.meta.url));
const textOf = (path: string): string => readFileSync(`${root}${path}`, "utf8");

const documents = Object.fromEntries(
  readdirSync(`${root}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => [name, textOf(`docs/${name}`)]),
);
const runbook = documents["runbook.md"] ?? "";
const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Readonly<Record<string, string>> };

const operators = "tools/ops/command.ts";
const queries = "lib/monitoring/queries.ts";
const known = new Set(Object.keys(scripts));

/** Commands of npm itself. */
const npmOwn = new Set(["start", "test"]);

/** The scripts of `npm run` that a text names. */
const scriptsIn = (text: string): string[] =>
  [...text.matchAll(/\bnpm (?:run (?:-s )?)?(?<script>[a-z][a-z\d:]*)/g)].flatMap(({ 0: all, groups }) =>
    all.includes(" run ") || npmOwn.has(groups?.script ?? "") ? [groups?.script ?? ""] : [],
  );

const missingIn = (text: string): string[] => scriptsIn(text).filter((script) => !known.has(script));

/** Finds what a text names and a source does not have. */
const unknownIn = (text: string, naming: RegExp, source: string, form: (name: string) => string): string[] =>
  [...text.matchAll(naming)].flatMap(({ groups: { name = "" } = {} }) => (source.includes(form(name)) ? [] : [name]));

const namingCommand = /\bnpm run (?:-s )?ops -- (?<name>[a-z]+)/g;
const namingQuery = /\b[Qq]uery \*\*(?<name>[^*]+)\*\*/g;

describe("commands", () => {
  test.each(Object.entries(documents))("%s names scripts that there are", (_name, text) => {
    expect(missingIn(text)).toEqual([]);
  });

  test("control: a script that there is not is found", () => {
    expect(missingIn("`npm run -s opps -- who` and `npm run smoke`, `npm ci`, `npm start`")).toEqual(["opps"]);
  });
});

describe("operators", () => {
  test("every command of npm run ops that a paper names exists", () => {
    const declared = (name: string): string => `\n  ${name}: {`;
    expect(unknownIn(Object.values(documents).join(), namingCommand, textOf(operators), declared)).toEqual([]);
    expect(unknownIn("npm run ops -- chek", namingCommand, textOf(operators), declared)).toEqual(["chek"]); // control
  });

  test("every saved query that the runbook names exists", () => {
    const declared = (name: string): string => `"${name}": {`;
    expect(unknownIn(runbook, namingQuery, textOf(queries), declared)).toEqual([]);
    expect(unknownIn("query **Nothing**", namingQuery, textOf(queries), declared)).toEqual(["Nothing"]); // control
  });
});

test("every entry about an alarm says what it means for people, what to look at, when it is over, and whom to tell", () => {
  const entries = runbook.split(/^## /m).filter((entry) => entry.includes("**For people**"));
  expect(entries.length).toBeGreaterThan(20);
  for (const entry of entries) {
    const [heading = ""] = entry.split("\n");
    const parts = ["**For people**", "**Is it real**", "**Over**", "**Tell**"].filter((part) => !entry.includes(part));
    const noted = /^\*(?:Followed|Read) \d{4}-\d{2}-\d{2}/m.test(entry) ? [] : ["when it was followed"];
    expect({ heading, missing: [...parts, ...noted] }).toEqual({ heading, missing: [] });
  }
});
