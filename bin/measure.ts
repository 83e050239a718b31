/**
 * `npm run measure`: sizes of the project, so that a change can be compared with what was there. A code line has code on
 * it: blank lines and lines with nothing but a comment are none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@babel/parser";

const root = fileURLToPath(new URL("..", import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

/** The files below a folder, by their paths from the project's root. */
const filesIn = (folder: string, ending = /\.(?:ts|mjs)$/): string[] =>
  readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .filter((path) => ending.test(path))
    .map((path) => join(folder, path))
    .sort();

const parsed = (path: string) => parse(textOf(path), { sourceType: "module", plugins: ["typescript"], tokens: true });

/** The lines of a file with code on them. */
function codeIn(path: string): string[] {
  const withCode = new Set<number>();
  for (const { type, loc } of parsed(path).tokens ?? []) {
    if (type === "CommentBlock" || type === "CommentLine" || type.label === "eof") continue;
    for (let line = loc.start.line; line <= loc.end.line; line += 1) withCode.add(line);
  }
  const lines = textOf(path).split("\n");
  return lines.filter((line, index) => withCode.has(index + 1) && line.trim() !== "");
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const codeLines = (paths: readonly string[]): number => sum(paths.map((path) => codeIn(path).length));
const words = (path: string): number => textOf(path).split(/\s+/).filter(Boolean).length;

/** The files that a file imports or re-exports from, types too. A file counts once. */
function importsOf(path: string): string[] {
  const sources = parsed(path).program.body.flatMap((node) => ("source" in node && node.source ? [node.source] : []));
  const targets = sources.map(({ value }) =>
    value.startsWith("#") ? `lambda/${value.slice(1)}` : join(dirname(path), value),
  );
  return [...new Set(targets)];
}

/** How many elements the exported list of a file has. @throws Error when it exports no such list */
function lengthOf(list: string, path: string): number {
  const declared = parsed(path).program.body.flatMap((node) =>
    node.type === "ExportNamedDeclaration" && node.declaration?.type === "VariableDeclaration"
      ? node.declaration.declarations
      : [],
  );
  const init = declared.find(({ id }) => id.type === "Identifier" && id.name === list)?.init;
  if (init?.type !== "ArrayExpression") throw new Error(`${path} exports no list "${list}".`);
  return init.elements.length;
}

const capacity = "lambda/domain/capacity";

/** The files that decide who gets the next seat. */
const nextSeat = ["allocate", "demands", "seats", "line"].map((name) => `${capacity}/${name}.ts`);

const seatFolders = ["lambda/domain/registrations", capacity];
const seatFiles = seatFolders.flatMap((folder) => filesIn(folder));
/** From one file to another. */
const arrows = seatFiles.flatMap((path) =>
  importsOf(path)
    .filter((target) => seatFiles.includes(target))
    .map((target) => [path, target] as const),
);
const acrossFolders = arrows.filter(([from, to]) => dirname(from) !== dirname(to));

const executing = filesIn("lambda").filter(
  (path) => !/^lambda\/(?:domain|kit)\//.test(path) && codeIn(path).some((line) => line.includes("execute(")),
);

const isOfClient = (path: string): boolean => path.startsWith("lib/client/");
const code: Readonly<Record<string, readonly string[]>> = {
  lambda: filesIn("lambda"),
  "lib without lib/client": filesIn("lib").filter((path) => !isOfClient(path)),
  "lib/client without the generated paths.ts": filesIn("lib/client").filter((path) => !path.endsWith("/paths.ts")),
  test: filesIn("test"),
};
const documents = ["README.md", ...filesIn("docs", /\.md$/)];
const glossaryEntries = textOf("docs/glossary.md").match(/^- \*\*/gm) ?? [];

const say = (what: string, ...numbers: readonly string[]): void => console.log(`${what}: ${numbers.join(", ")}`);
const count = (number: number, unit = ""): string => `${number.toLocaleString("en")}${unit && ` ${unit}`}`;

for (const [what, paths] of Object.entries(code)) {
  say(what, count(paths.length, "files"), count(codeLines(paths), "code lines"));
}
for (const path of documents) say(path, count(words(path), "words"));
say("all of these documents", count(sum(documents.map(words)), "words"));
say("docs/glossary.md", count(glossaryEntries.length, "entries"));
say(
  `imports of a file by another one, both in ${seatFolders.join(" or ")}`,
  count(arrows.length),
  count(acrossFolders.length, "of them from folder to folder"),
);
say(
  `who gets the next seat (allocate, demands, seats and line of ${capacity})`,
  count(nextSeat.length, "files"),
  count(codeLines(nextSeat), "code lines"),
  count(sum(nextSeat.map((path) => textOf(path).trimEnd().split("\n").length)), "lines in all"),
);
say("files of lambda with `execute(`, without lambda/domain and lambda/kit", count(executing.length));
say("mutants in test/model/mutants.ts", count(lengthOf("mutants", "test/model/mutants.ts")));
