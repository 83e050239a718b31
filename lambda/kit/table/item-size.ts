/**
 * Sizes of items as DynamoDB counts them: UTF-8 bytes of names and values, three bytes for a list or a map, and one for
 * each element. An item has at most 400 KB.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
import { ValidationFailed } from "../errors.ts";

/** A number has at most 38 digits, two per byte, and two more bytes. */
const numberBytes = 21;
const containerBytes = 3;
const elementBytes = 1;

/** Maximum bytes of a value: every number counts with its maximum size. */
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
 * Maximum bytes of input in an item. The rest of the 400 KB is for keys, index attributes, and fields that the service adds
 * later (counts, times).
 */
const maxItemBytes = 380 * 1_024;

/**
 * Refuses a too large value before the table does.
 * @param bytes of the stored value
 * @param path path of the value in the input
 * @throws ValidationFailed
 */
export function assertFits(
  bytes: number,
  path: string,
  { maxBytes = maxItemBytes, what = "all of it together" } = {},
): void {
  if (bytes <= maxBytes) return;
  const kilobytes = Math.floor(maxBytes / 1_024);
  throw new ValidationFailed([{ path, message: `must be shorter: ${what} may have ${kilobytes} KB` }]);
}
