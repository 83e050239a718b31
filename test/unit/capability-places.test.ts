/**
 * What `npm run new` adds is complete: the reference of the result is made, and a capability is in all of its places. Each
 * place has its own test, too; this one only finds the names. And no sentence that a person must write is missing.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { namedRoutes } from "#api/routes.ts";
import { filesIn, textOf } from "../../tools/upkeep/repository/files.ts";
import { additions, kinds, type Read, unwritten } from "../../tools/upkeep/repository/new.ts";
import { givenFolder } from "./folder.ts";

type Named = Pick<(typeof namedRoutes)[string][string], "key" | "query">;

const quoted = (name: string): string => (/^\w+$/.test(name) ? name : `"${name}"`);

/** Texts that a capability has in each place. */
const places: Readonly<Record<string, (name: string, routes: readonly Named[]) => readonly string[]>> = {
  "lambda/api/functions.ts": (name) => [`"#api/${name}/function.ts"`],
  "tools/reference/prose.ts": (name) => [`${quoted(name)}: {`],
  "test/unit/bundles.test.ts": (name) => [`  ${quoted(name)}: `],
  "docs/contract.md": (_, routes) => routes.map(({ key }) => `\`${key}\``),
  "test/service/api-cursors.suite.ts": (_, routes) =>
    routes.filter(({ query }) => query && "cursor" in query.properties).map(({ key }) => key),
};

/** What a capability lacks, as `<file>: <what to add>`. */
const missing = (name: string, routes: readonly Named[], read: Read): string[] =>
  Object.entries(places).flatMap(([file, textsOf]) =>
    textsOf(name, routes).flatMap((text) => (read(file)?.includes(text) ? [] : [`${file}: ${text}`])),
  );

const stored: Read = (path) => (existsSync(path) ? textOf(path) : undefined);
const asked = [
  "capability free-lunches",
  "route prizes listOffers",
  "consumer send-fax",
  "setting faxNumber",
  "field favouriteFish",
];
const added = (words: string, read = stored): ReadonlyMap<string, string> => additions(words.split(" "), read);

test.each(Object.entries(namedRoutes))("%s is everywhere; add what this list says", (name, routes) => {
  expect(missing(name, Object.values(routes), textOf)).toEqual([]);
});

test("a new capability is everywhere; control: without it, each place is named", () => {
  const changed = added("capability free-lunches");
  expect(missing("free-lunches", [{ key: "GET /free-lunches" }], (path) => changed.get(path))).toEqual([]);
  const paged = { key: "GET /free-lunches", query: { properties: { cursor: {} } } } as unknown as Named;
  expect(missing("free-lunches", [paged], textOf).map((line) => line.split(": ")[0])).toEqual(Object.keys(places));
});

const open: (() => unknown)[] = [];
afterAll(() => Promise.all(open.map((close) => close())));

test("with one of each kind, the reference is made, and the consumer takes a message", async () => {
  const folder = await givenFolder(open);
  for (const path of ["lambda", "docs/contract.md", "package.json", "tools/reference"]) {
    await cp(path, join(folder, path), { recursive: true, filter: (one) => !one.includes("node_modules") });
  }
  await symlink(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  const changed = new Map<string, string>();
  for (const words of asked) {
    for (const [path, text] of added(words, (one) => changed.get(one) ?? stored(one))) changed.set(path, text);
  }
  const script = `import { openApiDocument } from "./tools/reference/document.ts";
    import { handler } from "#consumers/send-fax.ts";
    const { batchItemFailures } = await handler({ Records: [{ messageId: "m", body: process.argv[2] }] });
    console.log(JSON.stringify({ batchItemFailures, document: openApiDocument() }));`;
  for (const [path, text] of [...changed, ["judge.ts", script] as const]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const metadata = { id: "n", occurredAt: "2030-01-01T00:00:00Z", actor: "system", correlationId: "r" };
  const message = { "detail-type": "member.granted", detail: { metadata, data: { email: "ada@unit.example" } } };
  const { stdout } = await promisify(execFile)("node", ["--import", "tsx", "judge.ts", JSON.stringify(message)], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "", POWERTOOLS_LOG_LEVEL: "SILENT" },
    maxBuffer: 64_000_000,
  });
  const { batchItemFailures, document } = JSON.parse(stdout);
  expect(batchItemFailures).toEqual([]);
  expect(document.paths["/free-lunches"].get).toMatchObject({ summary: "WRITE: what it does", tags: ["Free lunches"] });
  expect(document.paths["/prizes/list-offers"].get.tags).toEqual(["Prizes"]);
  expect(stdout).toContain('"favouriteFish":{');
});

test.each([
  ["nothing", "", "Usage: npm run new -- capability <name> | route <capability> <name> | "],
  ["an unknown kind", "toString lunch", "Usage"],
  ["a name in capitals", "capability Lunch", "Usage"],
  ["a capability that exists", "capability prizes", "lambda/api/prizes/function.ts exists."],
  ["a route that exists", "route prizes getPrize", "routes.ts has this already: export const getPrize"],
  ["a route of no capability", "route no-area list", "There is no capability no-area."],
])("the command refuses %s", (_, words, message) => {
  expect(() => added(words)).toThrow(message);
});

test("an import follows the others; the comment before them stays the file's", () => {
  const text = added("capability lunch").get("lambda/api/functions.ts");
  expect(text).toMatch(/\*\/\nimport (?:.*\n)*import \{ lunch \} .*\n\nexport const [^;]*\n {2}lunch,\n/);
});

test("the command says where a text belongs whose anchor is gone", () => {
  const without: Read = (path) => textOf(path).replace("const common = {", "const shared = {");
  expect(() => added("setting faxNumber", without)).toThrow(
    'lib/stages.ts has no "const common = { ... }". Add there:\n  faxNumber: ',
  );
});

test("no sentence that a person must write is missing", () => {
  const files = ["docs", "lambda", "lib", "test"].flatMap((folder) => filesIn(folder, /\.(?:ts|mjs|md)$/));
  const others = files.filter((path) => path !== "test/unit/capability-places.test.ts");
  expect(others.length).toBeGreaterThan(500);
  expect(unwritten(others.map((path) => [path, textOf(path)]))).toEqual([]);
});

test("control: each kind that can be added has such sentences", () => {
  expect(asked.map((words) => words.split(" ")[0])).toEqual(Object.keys(kinds));
  for (const words of asked) expect(unwritten(added(words))).not.toEqual([]);
});
