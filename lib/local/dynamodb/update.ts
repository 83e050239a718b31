/**
 * The sections of a parsed update expression, as dynalite can carry them out one after the other: AWS computes all of
 * them from the item as it was.
 */
import { pathValue } from "./dynalite.ts";
import type { AttributeMap } from "./protocol.ts";

type Path = readonly (string | number)[];

/** What an attribute is set to: the path of another one, a value, or something computed of such. */
type Source = Path | { readonly type?: string; readonly name?: string; readonly args?: readonly Source[] };

export interface Section {
  readonly type: "set" | "add" | "delete" | "remove";
  readonly path: Path;
  readonly val?: Source;
}

/**
 * Values that are copied are taken out of the item before anything changes, and elements are removed from the end, so
 * that none of them moves before its turn.
 */
export function sectionsFor(sections: readonly Section[], item: AttributeMap = {}): Section[] {
  const removals = sections.filter(({ type }) => type === "remove").sort((a, b) => backwards(a.path, b.path));
  const others = sections.filter(({ type }) => type !== "remove");
  return [
    ...others.map((section) =>
      section.type === "set" ? { ...section, val: resolved(section.val as Source, item) } : section,
    ),
    ...removals,
  ];
}

function resolved(source: Source, item: AttributeMap): Source {
  // The path of what does not exist stays: that is refused, in dynalite's words.
  if (isPath(source)) return copyOf(source, item) ?? source;
  const { type, name, args = [] } = source;
  if (name === "if_not_exists" && type === "function") {
    const [path, otherwise] = args as readonly [Path, Source];
    return copyOf(path, item) ?? resolved(otherwise, item);
  }
  return type ? { ...source, args: args.map((arg) => resolved(arg, item)) } : source;
}

const isPath = (source: Source): source is Path => Array.isArray(source);

const copyOf = (path: Path, item: AttributeMap): Source | undefined => {
  const value = pathValue(path, item);
  return value && structuredClone(value);
};

/** The later of two elements of one list first. */
function backwards(a: Path, b: Path): number {
  const index = a.findIndex((step, position) => step !== b[position]);
  const [left, right] = [a[index], b[index]];
  return typeof left === "number" && typeof right === "number" ? right - left : 0;
}
