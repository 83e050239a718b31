/**
 * Sizes of items as DynamoDB counts them: UTF-8 bytes of names and values, three bytes for a list or a map, one for each of its
 * elements. An item has at most 400 KB.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
import { ValidationFailed } from "./errors.ts";

/** A number has at most 38 digits, two to a byte, and two bytes more. */
const numberBytes = 21;
const containerBytes = 3;
const elementBytes = 1;

/** Bytes of a value, at most: numbers count as the longest that there are. */
export function valueSize(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberBytes;
  if (typeof value !== "object" || value === null) return 1;
  const elements = Array.isArray(value) ? value.map((element) => ["", element] as const) : Object.entries(value);
  return elements.reduce(
    (bytes, [name, element]) =>
      element === undefined ? bytes : bytes + elementBytes + Buffer.byteLength(name) + valueSize(element),
    containerBytes,
  );
}

/**
 * Bytes of an item that may be filled by what people send: 400 KB but for keys, the attributes of indexes, and what the
 * service adds later (counts, times).
 */
const mostItemBytes = 380 * 1_024;

/**
 * Refuses what has grown too large before the table does.
 * @param path of what is too large @throws ValidationFailed
 */
export function assertFits(
  value: unknown,
  path: string,
  { mostBytes = mostItemBytes, what = "all of it together" } = {},
): void {
  if (valueSize(value) <= mostBytes) return;
  const kilobytes = Math.floor(mostBytes / 1_024);
  throw new ValidationFailed([{ path, message: `must be shorter: ${what} may have ${kilobytes} KB` }]);
}
