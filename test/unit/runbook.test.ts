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

/** As `npm run ops -- check`, or by the function of the runbook's first section: `ops check`. */
const namingCommand = /(?:\bnpm run (?:-s )?ops -- |(?:^|`)ops )(?<name>[a-z][a-z-]*)/gm;
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
    const declared = (name: string): string => `\n  ${name.includes("-") ? `"${name}"` : name}: {`;
    expect(unknownIn(Object.values(documents).join(), namingCommand, textOf(operators), declared)).toEqual([]);
    const wrong = "npm run ops -- chek\nops chck # `ops repare --apply`"; // control
    expect(unknownIn(wrong, namingCommand, textOf(operators), declared)).toEqual(["chek", "chck", "repare"]);
  });

  test("every saved query that the runbook names exists", () => {
    const declared = (name: string): string => `"${name}": {`;
    expect(unknownIn(runbook, namingQuery, textOf(queries), declared)).toEqual([]);
    expect(unknownIn("query **Nothing**", namingQuery, textOf(queries), declared)).toEqual(["Nothing"]); // control
  });
});

/** The entries about alarms, by their headings. Alarms lead to them. */
const alarmEntries = [
  ...["API errors", "API throttled", "API slow", "Concurrency", "Late messages", "Dead letters", "Mails", "Sweeper"],
  ...["Table throttled", "Sign-ups", "Payment events refused", "Refunds", "Chat"],
];

/** What each of them has, each at the beginning of a line or sentence. */
const parts: Readonly<Record<string, RegExp>> = {
  "what members notice": /^\*\*Members notice\*\* \S/m,
  "whether it is real": /^\*\*Check\*\*: (?:.|\n(?!\n))*?(?:query \*\*|`|CloudWatch)/im,
  "what to do": /^1\. \S/m,
  "when it is over": /^\*\*Over\*\* (?:when|after) \S/m,
  "whom to tell": /\*\*Tell\*\* the \S/,
};

const entriesOf = (page: string): ReadonlyMap<string, string> =>
  new Map(page.split(/^## /m).map((entry) => [entry.split("\n")[0] ?? "", entry]));

const missingParts = (entry = ""): string[] => Object.keys(parts).filter((part) => !parts[part]?.test(entry));

describe("entries about alarms", () => {
  test.each(alarmEntries)("%s says all that a person needs", (heading) => {
    expect(missingParts(entriesOf(runbook).get(heading))).toEqual([]);
  });

  test("control: what an entry lacks is found", () => {
    const whole = entriesOf(runbook).get("Sweeper") ?? "";
    expect(missingParts(whole.replace("**Over**", "Over").replace("1. ", ""))).toEqual([
      "what to do",
      "when it is over",
    ]);
    expect(missingParts(undefined)).toEqual(Object.keys(parts));
  });
});
