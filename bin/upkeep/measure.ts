/**
 * npm run upkeep -- measure
 * Sizes of the project, so that a change can be compared with what was there. A code line has code on it: blank lines and lines with nothing but a comment are none.
 */
import { parse } from "@babel/parser";
import { filesIn, textOf } from "../../tools/upkeep/repository/files.ts";
import {
  arrowsOf,
  circularArrows,
  folderOf,
  forbiddenArrows,
  productSources,
  roomOf,
} from "../../tools/upkeep/repository/imports.ts";

/** How many lines of a file have code on them. */
function codeIn(path: string): number {
  const withCode = new Set<number>();
  const { tokens } = parse(textOf(path), { sourceType: "module", plugins: ["typescript"], tokens: true });
  for (const { type, loc } of tokens ?? []) {
    if (type === "CommentBlock" || type === "CommentLine" || type.label === "eof") continue;
    for (let line = loc.start.line; line <= loc.end.line; line += 1) withCode.add(line);
  }
  const lines = textOf(path).split("\n");
  return lines.filter((line, index) => withCode.has(index + 1) && line.trim() !== "").length;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const codeLines = (paths: readonly string[]): number => sum(paths.map(codeIn));
const words = (path: string): number => textOf(path).split(/\s+/).filter(Boolean).length;

const product = productSources();
const arrows = arrowsOf(product);

const code: Readonly<Record<string, readonly string[]>> = {
  lambda: filesIn("lambda"),
  lib: filesIn("lib"),
  tools: filesIn("tools"),
  "client without the generated paths.ts": filesIn("client").filter((path) => !path.endsWith("/paths.ts")),
  test: filesIn("test"),
};
const documents = ["README.md", ...filesIn("docs", /\.md$/)];

const say = (what: string, ...numbers: readonly string[]): void => console.log(`${what}: ${numbers.join(", ")}`);
const count = (number: number, unit = ""): string => `${number.toLocaleString("en")}${unit && ` ${unit}`}`;

for (const [what, paths] of Object.entries(code)) {
  say(what, count(paths.length, "files"), count(codeLines(paths), "code lines"));
}
for (const path of documents) say(path, count(words(path), "words"));
say("all of these documents", count(sum(documents.map(words)), "words"));
say(
  "bin, client, lambda, lib and tools: which room imports from which other one",
  count(new Set(Object.keys(product).map(roomOf)).size, "rooms"),
  count(arrows.length, "arrows"),
  count(forbiddenArrows(arrows).length, "arrows up"),
  count(circularArrows(arrows).length, "in a circle"),
  count(circularArrows(arrowsOf(product, folderOf)).length, "between folders in a circle"),
);
