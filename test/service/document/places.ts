/** The places of values inside a body. */
import { Literal } from "./calls.ts";

type Path = readonly string[];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The places of all values inside a body. */
export const placesIn = (value: unknown, at: Path = []): Path[] => [
  at,
  ...(isObject(value) && !(value instanceof Literal)
    ? Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))
    : []),
];

/** The part of a value at a place. */
export const valueAt = (value: unknown, place: Path): unknown =>
  place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], value);

/** A copy of a value with one part changed. */
export function replaced(value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  const inner = replaced(copy[name], rest, change);
  // An own field, also for the name `__proto__`.
  if (inner === undefined) delete copy[name];
  else Object.defineProperty(copy, name, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}
