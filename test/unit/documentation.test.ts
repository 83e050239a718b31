/** Documents and comments name files, links and headings that exist. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { type Texts, wrongMentions } from "./mentions.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders without sources or documentation. */
const skipped = /^(?:\.git|\.local|\.cache|node_modules|dist|coverage|cdk\.out.*)$/;

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (skipped.test(entry.name)) return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

const files = filesIn("");
/** This file has wrong mentions on purpose. */
const isChecked = (path: string): boolean =>
  path !== "test/unit/documentation.test.ts" &&
  (path.endsWith(".md") || /^(?:bin|client|lambda|lib|test|tools)\/.*\.(?:ts|mjs|cjs)$/.test(path));
const texts: Texts = Object.fromEntries(
  files.filter(isChecked).map((path) => [path, readFileSync(join(root, path), "utf8")]),
);

test("every file, link and heading that a document or a comment names exists", () => {
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(["README.md", "docs/contract.md", "lib/entries.ts"]));
  expect(wrongMentions(texts, files)).toEqual([]);
});

describe("what leads nowhere is found", () => {
  const mentioned = { "docs/plan.md": "# Plan\n\n## 1. The seats\n\n```sh\n# No heading\n```\n" };
  const known = [
    "docs/plan.md",
    "README.md",
    "lambda/kit/table/table.ts",
    "test/unit/seats.test.ts",
    "lambda/domain/a/b.ts",
  ];
  const wrongIn = (path: string, text: string) => wrongMentions({ ...mentioned, [path]: text }, known);

  test.each([
    ["a file in a document", "README.md", "See `lambda/kit/tabel.ts`.", "no file lambda/kit/tabel.ts"],
    ["a bare name", "README.md", "The table (`tabel.ts`).", "no file tabel.ts"],
    ["a name without backticks", "lambda/kit/table/table.ts", "// As docs/plans.md says.", "no file docs/plans.md"],
    ["a name behind #", "lambda/kit/table/table.ts", "/** As `#kit/tabel.ts`. */", "no file #kit/tabel.ts"],
    ["a folder", "README.md", "All of `lambda/seats` is there.", "no file lambda/seats"],
    ["a data file", "README.md", "In `docs/openapi.json`.", "no file docs/openapi.json"],
    ["a comment behind code", "lambda/kit/table/table.ts", "const a = 1; // as in old.ts", "no file old.ts"],
    ["a link", "README.md", "[Plan](docs/plans.md)", "no link to docs/plans.md"],
    ["an anchor", "README.md", "[Plan](docs/plan.md#2-the-seats)", "no link to docs/plan.md#2-the-seats"],
    ["an anchor of the same page", "README.md", "# A\n[B](#b)", "no link to #b"],
    [
      "a heading over two lines of a comment",
      "lambda/kit/table/table.ts",
      '/**\n * The table (`docs/plan.md`,\n * "The\n * chairs").\n */',
      'no heading "The chairs" in docs/plan.md',
    ],
    [
      "the second heading of two",
      "lambda/kit/table/table.ts",
      '// `docs/plan.md`, "The seats" and "No heading".',
      'no heading "No heading" in docs/plan.md',
    ],
    [
      "a heading in a text of a program",
      "lib/alarm.ts",
      'const a = `See docs/plan.md, "Alarms".`;',
      'no heading "Alarms" in docs/plan.md',
    ],
    ["a heading of the same page", "README.md", '# A\nSee "B".', 'no heading "B" here'],
    ["a number", "lambda/kit/table/table.ts", "// `plan.md`, section 1", "a section of plan.md by its number"],
    ["a number of the same page", "README.md", "# 1. A\nSee section 2.", "no section 2 here"],
  ])("%s", (_name, path, text, wrong) => {
    expect(wrongIn(path, text)).toContain(`${path}: ${wrong}`);
  });

  test("and nothing else is", () => {
    const right = [
      "# Right",
      '`lambda/kit/table/table.ts`, `table.ts`, `#kit/table/table.ts`, `a/b.ts`, `docs/`, `lambda/kit`, "docs/plan.md"',
      '`docs/plan.md`, "The seats"; [Plan](docs/plan.md#1-the-seats), "Plan"; [Here](#right); see "Right"',
      "`lambda/api/<capability>/routes.ts`, `*-answer.ts`, `lambda/**/x.ts`, `dist/functions/x.mjs`, `{a,b}.ts`",
      "`POST /events`, `image/svg+xml`, `@aws-sdk/lib-dynamodb`, https://github.com/a/b/c.md, [x](https://x.example/y)",
      "`.local/outputs.json`, `package.json`, `event-thumbnails/<id>`, RFC 5545 (section 3.1), Node.js",
    ].join("\n\n");
    expect(wrongIn("README.md", right)).toEqual([]);
    expect(wrongIn("lambda/kit/table/table.ts", 'import "./gone.ts";\nconst a = "b/gone.ts";')).toEqual([]);
    expect(wrongIn("lambda/domain/a/b.ts", "/** Beside `../../kit/table/table.ts`. */")).toEqual([]);
  });
});
