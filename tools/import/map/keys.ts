/** Names of events in the source, and ids that follow from a row alone. Pure. */
import { createHash } from "node:crypto";
import { encodeTime } from "ulid";
import type { EventKey } from "#domain/events/event.ts";
import { formats } from "#kit/formats.ts";

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID that is the same for the same name. @param time epoch milliseconds */
export function steadyUlid(time: number, name: string): string {
  const bytes = createHash("sha256").update(name).digest().subarray(0, 16);
  return encodeTime(time, 10) + [...bytes].map((byte) => crockford[byte % 32]).join("");
}

/** A short id that is the same for the same name. */
export const steadyId = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 24);

/**
 * An id in the product's alphabet: letters, digits, `-` and `_`, at most 64. An id that has to change gets a suffix of
 * its own, so that two ids never become one.
 * @returns undefined when no letter and no digit is left
 */
export function eventIdOf(text: string): string | undefined {
  const given = text.trim();
  if (formats["event-id"].check(given)) return given;
  const id = given.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  return id === "" ? undefined : `${id.slice(0, 56).replace(/-$/, "")}-${steadyId(given).slice(0, 6)}`;
}

export const yearOf = (value: unknown): number | undefined => {
  const year = typeof value === "string" && /^\s*\d{4}\s*$/.test(value) ? Number(value) : value;
  return typeof year === "number" && Number.isInteger(year) && year >= 1900 && year <= 2200 ? year : undefined;
};

/** `<id>;<year>`, as the product writes it. @returns undefined when the text names no event */
export function eventKeyOf(text: string): EventKey | undefined {
  const at = text.lastIndexOf(";");
  const id = at < 0 ? undefined : eventIdOf(text.slice(0, at));
  const year = yearOf(text.slice(at + 1));
  return id === undefined || year === undefined ? undefined : { id, year };
}

export const eventName = ({ id, year }: EventKey): string => `${id};${year}`;
