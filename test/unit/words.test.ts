/** Comments and documents use one plain word for a thing: the role, not "somebody"; "uploads", not what a parcel does. */
import { describe, expect, test } from "@jest/globals";
import { filesIn, textOf } from "../../tools/upkeep/repository/files.ts";
import { proseOf } from "./mentions.ts";

/** What is refused, and what to write. */
const refused: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\b(?:somebody|nobody|whoever|anybody)\b/gi, "the role: a person in line, an executive, a caller, a device"],
  [/\bhold(?:s|ing)? (?:the|this|that|these|its) rules?\b/gi, "enforces"],
  [/\b(?:bring(?:s|ing)?|brought) (?:(?:the|a|its|their|one|more|up to \d+) )?scans?\b/gi, "uploads"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fixes, settles"],
  [/\bmoney (?:goes|going|went|has gone|is going) back\b|\bgoes back to (?:a|the) person\b/gi, "is refunded"],
  [/\bdemand(?:s|ed|ing)? that\b/gi, "is conditional on, requires"],
  [/\bhow (?:a seat is|seats are) had\b/gi, "how seats are allocated"],
];

/** The sentences of the interface, of which `docs/openapi.json` is made, and the examples below. */
const exceptions: ReadonlySet<string> = new Set(["docs/contract.md", "client/paths.ts", "test/unit/words.test.ts"]);

/** The refused words of a file. What is in code or quotation marks is a value or a text that people see. */
function refusedIn(path: string, text: string): string[] {
  const prose = proseOf(path, text).replaceAll(/`[^`\n]*`|"[^"\n]*"/g, "");
  return refused.flatMap(([words, instead]) =>
    [...prose.matchAll(words)].map(([found]) => `${path}: "${found}"; write: ${instead}`),
  );
}

const files = ["bin", "client", "docs", "lambda", "lib", "test", "tools"]
  .flatMap((folder) => filesIn(folder, /\.(?:ts|mjs|cjs|md)$/))
  .concat("README.md");

test("comments and documents have none of the refused words", () => {
  expect(files).toEqual(
    expect.arrayContaining(["docs/runbook.md", "lambda/kit/table/table.ts", "client/door/page.ts"]),
  );
  expect(files.filter((path) => !exceptions.has(path)).flatMap((path) => refusedIn(path, textOf(path)))).toEqual([]);
});

describe("is refused", () => {
  test.each([
    ["in a document", "README.md", "A device\nbrings scans.", "brings scans"],
    ["over two lines of a comment", "lambda/a.ts", "/**\n * A device brings\n * the scan.\n */", "brings the scan"],
    ["behind code", "tools/a.ts", "const a = 1; // Nobody waits.", "Nobody"],
    ["of a rule", "lib/a.mjs", "// Holds the rule.", "Holds the rule"],
    ["of a repair", "test/a.ts", "// It mends itself.", "mends"],
    ["of a refund", "client/a.ts", "/** The money went back. */", "money went back"],
    ["of a condition", "bin/a.ts", "/** Demands that a seat is free. */", "Demands that"],
    ["of a seat", "README.md", "How a seat is had", "How a seat is had"],
  ])("%s", (_name, path, text, found) => {
    expect(refusedIn(path, text)).toEqual([expect.stringContaining(`${path}: "${found}"; write: `)]);
  });

  test.each([
    ["a value and an identifier", "README.md", "The setting `nobody`, and `mends()`."],
    [
      "a text that people see",
      "lambda/a.ts",
      '/** The alarm "Nobody can sign up". */\nconst a = "Whoever has the link.";',
    ],
    ["another word", "lambda/a.ts", "// Amended, recommended; a table on demand; a dispute brings money."],
    ["a fence", "README.md", "```sh\nfind nobody\n```"],
  ])("not %s", (_name, path, text) => {
    expect(refusedIn(path, text)).toEqual([]);
  });
});
