/**
 * `npm run upkeep -- measure`: sizes of the project, so that a change can be compared with what was there. A code line has code on
 * it: blank lines and lines with nothing but a comment are none.
 */
import { parse } from "@babel/parser";
import { filesIn, textOf } from "../../tools/upkeep/repository/files.ts";
import {
  arrowsOf,
  circles,
  forbiddenArrows,
  productSources,
  roomOf,
  sourcesIn,
  targetOf,
} from "../../tools/upkeep/repository/imports.ts";

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

const registrations = "lambda/domain/registrations";

/** A file directly in the folder of registrations, a folder in it, or the area of capacity. */
function partOf(path: string): string | undefined {
  if (path.startsWith(`${capacity}/`)) return capacity;
  return path.startsWith(`${registrations}/`) ? path.slice(registrations.length + 1).replace(/\/.*/, "/") : undefined;
}

const arrowsOfParts = arrowsOf(sourcesIn(registrations, capacity), partOf);

const product = productSources();
const arrows = arrowsOf(product);

/** The files to know before changing this: these, who asks them, and who writes what they say. */
const changedSafely = filesIn("lambda").filter(
  (path) => nextSeat.includes(path) || codeIn(path).some((line) => /\b(?:allocate|changeSeats)\(/.test(line)),
);

type Node = ReturnType<typeof parsed>["program"]["body"][number];
interface Place {
  readonly path: string;
  readonly name: string;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";

/** The names of the functions that are called inside of a node, in the order of the code. */
function callsIn(node: Node): string[] {
  const inside = Object.values(node).flat().filter(isNode).flatMap(callsIn);
  const { callee } = node as { readonly callee?: { readonly type: string; readonly name: string } };
  return callee?.type === "Identifier" ? [callee.name, ...inside] : inside;
}

/** The functions of a file by their names, and what its imports stand for. */
function namesOf(path: string) {
  const functions = new Map<string, Node>();
  const imported = new Map<string, Place>();
  for (const node of parsed(path).program.body) {
    const declared = (node.type === "ExportNamedDeclaration" ? node.declaration : node) as Node;
    if (declared?.type === "FunctionDeclaration") functions.set(declared.id?.name ?? "", declared);
    if (declared?.type === "VariableDeclaration") {
      for (const { id, init } of declared.declarations) {
        if (id.type === "Identifier" && init?.type === "ArrowFunctionExpression") functions.set(id.name, init as never);
      }
    }
    if (node.type !== "ImportDeclaration" || !/^[.#]/.test(node.source.value)) continue;
    for (const one of node.specifiers) {
      if (one.type !== "ImportSpecifier" || one.imported.type !== "Identifier") continue;
      imported.set(one.local.name, { path: targetOf(path, node.source.value), name: one.imported.name });
    }
  }
  return { functions, imported };
}

/** The files that a reader goes through who follows the calls of a function in the order of the code, each function once. */
function walk(from: Place, seen = new Set<string>()): string[] {
  const key = `${from.path} ${from.name}`;
  if (seen.has(key)) return [];
  seen.add(key);
  const { functions, imported } = namesOf(from.path);
  const node = functions.get(from.name);
  if (!node) return [];
  const next = callsIn(node).map((name) => imported.get(name) ?? { path: from.path, name });
  return [from.path, ...next.flatMap((place) => walk(place, seen))];
}

const visits = walk({ path: "lambda/domain/registrations/register/register.ts", name: "register" });
const stays = visits.filter((path, index) => path !== visits[index - 1]);
const returns = stays.filter((path, index) => stays.indexOf(path) < index);

const executing = filesIn("lambda").filter(
  (path) => !/^lambda\/(?:domain|kit)\//.test(path) && codeIn(path).some((line) => line.includes("execute(")),
);

const code: Readonly<Record<string, readonly string[]>> = {
  lambda: filesIn("lambda"),
  lib: filesIn("lib"),
  tools: filesIn("tools"),
  "client without the generated paths.ts": filesIn("client").filter((path) => !path.endsWith("/paths.ts")),
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
  "bin, client, lambda, lib and tools: which room imports from which other one",
  count(new Set(Object.keys(product).map(roomOf)).size, "rooms"),
  count(arrows.length, "arrows"),
  count(forbiddenArrows(arrows).length, "arrows up"),
  count(circles(arrows).length, "rooms in a circle"),
);
say(
  `${registrations} with ${capacity}, a folder of it as one room: which room imports from which other one`,
  count(arrowsOfParts.length, "arrows"),
);
say(
  `who gets the next seat (allocate, demands, seats and line of ${capacity})`,
  count(nextSeat.length, "files"),
  count(codeLines(nextSeat), "code lines"),
  count(sum(nextSeat.map((path) => textOf(path).trimEnd().split("\n").length)), "lines in all"),
);
say(
  "to know before changing this: these, and who calls `allocate` or `changeSeats`",
  count(changedSafely.length, "files"),
);
say(
  "following `register` call by call, each function once",
  count(stays.length, "stays"),
  count(new Set(stays).size, "files"),
  count(returns.length, "returns to a file"),
);
say("files of lambda with `execute(`, without lambda/domain and lambda/kit", count(executing.length));
say("mutants in test/model/mutants.ts", count(lengthOf("mutants", "test/model/mutants.ts")));
