/** The imports between the parts of `lambda/`, by floor and area. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Source text by path, from the project's root. */
export type Sources = Readonly<Record<string, string>>;

/** An import of one part of `lambda/` by another. */
export interface Arrow {
  /** `api`, `consumers`, `domain/<area>`, `outbox` or `kit`. */
  readonly from: string;
  readonly to: string;
  /** The files that import, `<importer> -> <imported>`. */
  readonly files: readonly string[];
}

export const lambdaSources = (): Sources =>
  Object.fromEntries(
    readdirSync(join(root, "lambda"), { encoding: "utf8", recursive: true })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join("lambda", path))
      .map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );

/** Floors from the top. Parts of one floor do not import each other, except areas of `domain`. */
const floors = [["api", "consumers"], ["domain"], ["outbox"], ["kit"]];
const floorOf = (part: string): number => floors.findIndex((names) => names.includes(part.split("/")[0] as string));

const partOf = (path: string): string => {
  const [, floor = "", area = ""] = path.split("/");
  return floor === "domain" ? `${floor}/${area}` : floor;
};

/** Static, dynamic and type imports. */
const imported = /(?:\bfrom|\bimport)\s*\(?\s*"((?:#|\.)[^"]+)"/g;

function importsOf(path: string, source: string): string[] {
  return [...source.matchAll(imported)].map(([, specifier = ""]) =>
    specifier.startsWith("#") ? `lambda/${specifier.slice(1)}` : normalize(join(dirname(path), specifier)),
  );
}

/** The arrows between the parts. */
export function arrowsOf(sources: Sources): Arrow[] {
  const files = new Map<string, string[]>();
  for (const [path, source] of Object.entries(sources)) {
    for (const target of importsOf(path, source)) {
      const name = `${partOf(path)} ${partOf(target)}`;
      if (partOf(path) !== partOf(target)) files.set(name, [...(files.get(name) ?? []), `${path} -> ${target}`]);
    }
  }
  return [...files].map(([name, between]) => {
    const [from = "", to = ""] = name.split(" ");
    return { from, to, files: between };
  });
}

/** Arrows that go up, or to a neighbour on the same floor. Areas of the domain may import each other. */
export const forbiddenArrows = (arrows: readonly Arrow[]): Arrow[] =>
  arrows.filter(({ from, to }) => {
    const [above, below] = [floorOf(from), floorOf(to)];
    return below < above || (below === above && !from.startsWith("domain/"));
  });

/** Relative imports that leave their part. The linter checks only imports that begin with `#`. */
export const relativeArrows = (sources: Sources): string[] =>
  Object.entries(sources).flatMap(([path, source]) =>
    [...source.matchAll(imported)]
      .map(([, specifier = ""]) => specifier)
      .filter((specifier) => specifier.startsWith("."))
      .filter((specifier) => partOf(normalize(join(dirname(path), specifier))) !== partOf(path))
      .map((specifier) => `${path} -> ${specifier}`),
  );

/** Parts that reach themselves over arrows, as texts. */
export function circles(arrows: readonly Arrow[]): string[] {
  const next = (part: string) => arrows.filter(({ from }) => from === part).map(({ to }) => to);
  const reach = (part: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const open = next(part);
    for (let to = open.pop(); to !== undefined; to = open.pop()) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(...next(to));
    }
    return reached;
  };
  return [...new Set(arrows.map(({ from }) => from))].filter((part) => reach(part).has(part));
}
