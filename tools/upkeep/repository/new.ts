/**
 * What `npm run new` adds. `recipes/<kind>.txt` has the parts of each kind: `=== create|append|import <file>`, or
 * `=== insert <file> @ <anchor>`, and the text. An anchor `a ... b` is all from `a` up to a line that begins with `b`.
 */
import { textOf } from "./files.ts";

/** A recipe cannot be carried out. The message is for the developer. */
export class CannotAdd extends Error {}

/** The words that a person gives for each kind. */
export const kinds: Readonly<Record<string, readonly string[]>> = {
  capability: ["name"],
  route: ["capability", "name"],
  consumer: ["name"],
  setting: ["name"],
  field: ["name"],
};

/** The stored text of a file; undefined when there is none. */
export type Read = (path: string) => string | undefined;

const withDashes = (name: string): string => name.replaceAll(/(?=[A-Z])/g, "-").toLowerCase();
const upper = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

/** The values of the placeholders. */
function valuesOf(kind: string, [first = "", last = first]: readonly string[], read: Read) {
  const kebab = withDashes(last);
  const camel = kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const [pascal, words] = [upper(camel), upper(kebab.replaceAll("-", " "))];
  const isRoute = kind === "route";
  const group = new RegExp(`^  "?${first}"?: \\{\\s*name: "(.+?)"`, "m").exec(read("tools/reference/prose.ts") ?? "");
  if (isRoute && !group) throw new CannotAdd(`There is no capability ${first}.`);
  const [capability, area = words] = isRoute ? [first, group?.[1]] : [kebab];
  const path = isRoute ? `/${first}/${kebab}` : `/${kebab}`;
  return {
    ...{ kebab, camel, pascal, words, capability, area, path },
    VARIABLE: kebab.replaceAll("-", "_").toUpperCase(),
    key: camel === kebab ? kebab : `"${kebab}"`,
    entry: camel === kebab ? kebab : `"${kebab}": ${camel}`,
    operation: isRoute ? camel : `get${pascal}`,
    suite: path.replaceAll("/", "-"),
    // At the end of the table, or before the rows of the area.
    row: isRoute ? ` | ${area}` : "",
  };
}

/** White space in an anchor stands for any or none. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", "\\s*");

function inserted(path: string, text: string, anchor: string, added: string): string {
  const [begin = "", end] = anchor.split(" ...");
  const between = end === undefined ? "" : `.*\\n(?:.*\\n)*?(?=${escaped(end.trim()) || "\\n"})`;
  const match = new RegExp(`^\\s*${escaped(begin)}${between}`, "m").exec(text);
  if (!match) throw new CannotAdd(`${path} has no "${anchor}". Add there:\n${added}`);
  const at = match.index + match[0].length;
  return text.slice(0, at) + (end === undefined ? `\n${added.trimEnd()}` : added) + text.slice(at);
}

/** Adds what is missing of an import's names, or the import. */
function imported(text: string, line: string): string {
  const [, names = "", module = ""] = /\{(.*)\} from (".*")/.exec(line) ?? [];
  const known = new RegExp(`^import \\{([^}]*)\\} from ${escaped(module)};\\n`, "m").exec(text);
  // Behind the others: a comment before the first one is about the file.
  const end = [...text.matchAll(/^import [^;]*;\n/gm)].reduce((_, { index, 0: one }) => index + one.length, 0);
  if (!known) return text.slice(0, end) + line + text.slice(end);
  const all = new Set(`${known[1]},${names}`.split(",").flatMap((name) => name.trim() || []));
  return text.replace(known[0], `import { ${[...all].join(", ")} } from ${module};\n`);
}

/**
 * The new texts of the files that a recipe changes, by path.
 * @param given the kind and its words
 * @throws CannotAdd
 */
export function additions([kind = "", ...given]: readonly string[], read: Read): ReadonlyMap<string, string> {
  const parts = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!parts || parts.length !== given.length || !given.every((word) => /^[a-z][A-Za-z0-9-]*$/.test(word))) {
    const forms = Object.entries(kinds).map(([one, words]) => [one, ...words.map((word) => `<${word}>`)].join(" "));
    throw new CannotAdd(`Usage: npm run new -- ${forms.join(" | ")}`);
  }
  const values: Readonly<Record<string, string | undefined>> = valuesOf(kind, given, read);
  const recipe = (kind === "capability" ? ["capability", "route"] : [kind])
    .map((name) => textOf(`tools/upkeep/repository/recipes/${name}.txt`))
    .join("")
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? "");
  const changed = new Map<string, string>();
  for (const [, act, path = "", anchor = "", added = ""] of recipe.matchAll(
    /^=== (\w+) (\S+)(?: @ (.*))?\n((?:(?!===).*\n)*)/gm,
  )) {
    const text = changed.get(path) ?? read(path);
    if (act === "create" && text !== undefined) throw new CannotAdd(`${path} exists.`);
    const own = /^export const \w+ /m.exec(added)?.[0] ?? added;
    if (act !== "import" && read(path)?.includes(own)) throw new CannotAdd(`${path} has this already: ${own}`);
    if (act === "insert") changed.set(path, inserted(path, text ?? "", anchor, added));
    else changed.set(path, act === "import" ? imported(text ?? "", added) : `${text ?? ""}${added}`);
  }
  return changed;
}

/** The sentences that are missing in these texts: `<file>:<line>: <what to write>`. */
export const unwritten = (texts: Iterable<readonly [path: string, text: string]>): string[] =>
  [...texts].flatMap(([path, text]) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        [...line.matchAll(/WRITE: [^"`|*]*/g)].map(([found]) => `${path}:${index + 1}: ${found}`),
      ),
  );
