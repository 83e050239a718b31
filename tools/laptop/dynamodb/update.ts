/**
 * The sections of a parsed update expression. AWS computes all of them from the item before the update; dynalite
 * carries them out one after the other. This file rewrites them so that the result is the same.
 */
import { pathValue } from "./dynalite.ts";
import type { AttributeMap } from "./protocol.ts";
import type { Path, Section, Source } from "./section.ts";

/**
 * Copied values are taken from the item before the first change. List elements are removed from the end, so that no
 * element moves before its removal.
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
  // The path of a missing attribute stays: dynalite refuses it with its own message.
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

/** Sorts the later of two elements of one list first. */
function backwards(a: Path, b: Path): number {
  const index = a.findIndex((step, position) => step !== b[position]);
  const [left, right] = [a[index], b[index]];
  return typeof left === "number" && typeof right === "number" ? right - left : 0;
}
