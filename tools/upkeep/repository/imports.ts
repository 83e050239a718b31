/** The imports between the rooms of the repository (`docs/design.md`, "Repository layout"). */
import { dirname, join } from "node:path";
import { filesIn, textOf } from "./files.ts";

/** Source text by path, from the project's root. */
export type Sources = Readonly<Record<string, string>>;

export const sourcesIn = (...folders: readonly string[]): Sources =>
  Object.fromEntries(folders.flatMap((folder) => filesIn(folder)).map((path) => [path, textOf(path)]));

/** All code but tests. */
export const productSources = (): Sources =>
  Object.fromEntries(
    Object.entries(sourcesIn("bin", "client", "lambda", "lib", "tools")).filter(([path]) => roomOf(path) !== "test"),
  );

/** Folders whose folders are rooms. */
const withRooms = ["lambda/domain", "tools/once", "tools/upkeep"];

/**
 * The room that a file stands in: `lambda/domain/<area>` and the other floors of lambda, `lib`, `tools/<tool>`,
 * `tools/once/<tool>`, `tools/upkeep/<tool>`, `bin`, `client`, or `test`. The tests of a tool are in the room `test`.
 */
export function roomOf(path: string): string {
  const [top = "", second = "", third = "", ...deeper] = path.split("/");
  if (top !== "tools" && top !== "lambda") return top;
  if (top === "tools" && [third, ...deeper].includes("test")) return "test";
  const folder = `${top}/${second}`;
  return withRooms.includes(folder) && deeper.length > 0 ? `${folder}/${third}` : folder;
}

/** The folder that a file stands in: a room at any depth of `lambda`, `lib` and `tools`, beside the folders in it. */
export const folderOf = (path: string): string | undefined =>
  /^(?:lambda|lib|tools)\//.test(path) ? dirname(path) : undefined;

/** Static, dynamic and type imports of the repository's own files, and re-exports. */
const imported = /(?:\bfrom|\bimport)\s*\(?\s*"([#.][^"]+)"/g;

const specifiersIn = (source: string): string[] =>
  [...source.matchAll(imported)].map(([, specifier = ""]) => specifier);

/** The path that an import of a file names. */
const targetOf = (path: string, specifier: string): string =>
  specifier.startsWith("#") ? `lambda/${specifier.slice(1)}` : join(dirname(path), specifier);

/** Imports of one room by another. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** The files that import, `<importer> -> <imported>`. */
  readonly files: readonly string[];
}

/**
 * The arrows between rooms.
 * @param room names the room of a path; undefined when the path is in none
 */
export function arrowsOf(sources: Sources, room: (path: string) => string | undefined = roomOf): Arrow[] {
  const found = new Map<string, { from: string; to: string; files: string[] }>();
  for (const [path, source] of Object.entries(sources)) {
    for (const target of specifiersIn(source).map((specifier) => targetOf(path, specifier))) {
      const [from, to] = [room(path), room(target)];
      if (from === undefined || to === undefined || from === to) continue;
      const arrow = found.get(`${from} ${to}`) ?? { from, to, files: [] };
      arrow.files.push(`${path} -> ${target}`);
      found.set(`${from} ${to}`, arrow);
    }
  }
  return [...found.values()];
}

interface Floor {
  readonly rooms: readonly string[];
  /** Whether rooms of this floor may import each other, in no circle. */
  readonly isOpen?: boolean;
  /** Whether its rooms import nothing. */
  readonly isAlone?: boolean;
}

/** From the top. Imports go down. */
const floors: readonly Floor[] = [
  { rooms: ["test"] },
  { rooms: ["bin"] },
  { rooms: ["tools"], isOpen: true },
  { rooms: ["client"], isAlone: true },
  { rooms: ["lib"], isOpen: true },
  { rooms: ["lambda/api", "lambda/consumers"] },
  { rooms: ["lambda/domain"], isOpen: true },
  { rooms: ["lambda/outbox"] },
  { rooms: ["lambda/kit"] },
];

/** @throws Error when no floor has the room */
function floorOf(room: string): number {
  const floor = floors.findIndex(({ rooms }) => rooms.some((name) => room === name || room.startsWith(`${name}/`)));
  if (floor < 0) throw new Error(`${room} is on no floor of tools/upkeep/repository/imports.ts.`);
  return floor;
}

/** Arrows that go up, to the side where that is not allowed, or out of a room that stands alone. */
export const forbiddenArrows = (arrows: readonly Arrow[]): Arrow[] =>
  arrows.filter(({ from, to }) => {
    const [above, below] = [floorOf(from), floorOf(to)];
    const { isOpen, isAlone } = floors[above] as Floor;
    return isAlone || below < above || (below === above && !isOpen);
  });

/** The rooms to which arrows lead from each, over others too, and the room itself. */
function reachedFrom(arrows: readonly Arrow[]): ReadonlyMap<string, ReadonlySet<string>> {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to]);
  const reach = (room: string): ReadonlySet<string> => {
    const reached = new Set([room]);
    for (const one of reached) for (const to of next.get(one) ?? []) reached.add(to);
    return reached;
  };
  return new Map([...next.keys()].map((room) => [room, reach(room)]));
}

/** Arrows that are part of a circle: over others, their end leads back to their beginning. */
export function circularArrows(arrows: readonly Arrow[]): Arrow[] {
  const reached = reachedFrom(arrows);
  return arrows.filter(({ from, to }) => reached.get(to)?.has(from));
}

/** The areas of `lambda/domain` as a Mermaid picture, without the arrows that a longer way shows too. */
export function areasPicture(sources: Sources): string {
  const prefix = "lambda/domain/";
  const isArea = (room: string) => room.startsWith(prefix);
  const arrows = arrowsOf(sources).filter(({ from, to }) => isArea(from) && isArea(to));
  const reached = reachedFrom(arrows);
  const below = (area: string): string[] => arrows.filter(({ from }) => from === area).map(({ to }) => to);
  const isSeen = (area: string, to: string) => below(area).every((one) => one === to || !reached.get(one)?.has(to));
  const named = (areas: readonly string[]) => areas.map((area) => area.slice(prefix.length)).sort();
  const areas = named([...new Set(Object.keys(sources).map(roomOf))].filter(isArea));
  const lines = areas.flatMap((area) => {
    const ends = named(below(prefix + area).filter((to) => isSeen(prefix + area, to)));
    return ends.length > 0 ? [`  ${area} --> ${ends.join(" & ")}`] : [];
  });
  const alone = areas.filter((area) => !arrows.some(({ from, to }) => [from, to].includes(prefix + area)));
  return ["flowchart TB", ...lines, `  others["${alone.join(", ")}"]`].join("\n");
}

/** Relative imports of another room of lambda. */
export const relativeArrows = (sources: Sources): string[] =>
  Object.entries(sources).flatMap(([path, source]) =>
    specifiersIn(source)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => targetOf(path, specifier))
      .filter((target) => target.startsWith("lambda/") && roomOf(target) !== roomOf(path))
      .map((target) => `${path} -> ${target}`),
  );

/** What a folder of `lambda/api` may import of the others. */
const shared = "lambda/api/records";

/** The folder of `lambda/api` that a file stands in; `lambda/api` itself for a file beside them, undefined for others. */
const capabilityOf = (path: string): string | undefined => (path.startsWith("lambda/api/") ? dirname(path) : undefined);

/** Imports of a capability that leave its folder within `lambda/api`, except those of what is shared. */
export const sidewaysArrows = (sources: Sources): Arrow[] =>
  arrowsOf(sources, capabilityOf).filter(({ from, to }) => from !== "lambda/api" && to !== shared);
