/** Names of events in the source, and ids derived from a row. Pure. */
import { createHash } from "node:crypto";
import { encodeTime } from "ulid";
import type { EventKey } from "#domain/events/event.ts";
import { formats } from "#kit/schema/formats.ts";

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A deterministic ULID. @param time epoch milliseconds */
export function steadyUlid(time: number, name: string): string {
  const bytes = createHash("sha256").update(name).digest().subarray(0, 16);
  return encodeTime(time, 10) + [...bytes].map((byte) => crockford[byte % 32]).join("");
}

/** A short deterministic id. */
export const steadyId = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 24);

/**
 * A valid id: at most 64 letters, digits, `-` and `_`. A changed id gets a unique suffix, so that two ids never become
 * equal.
 * @returns undefined when no letter or digit is left
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

/** Parses `<id>;<year>`. @returns undefined when the text does not identify an event */
export function eventKeyOf(text: string): EventKey | undefined {
  const at = text.lastIndexOf(";");
  const id = at < 0 ? undefined : eventIdOf(text.slice(0, at));
  const year = yearOf(text.slice(at + 1));
  return id === undefined || year === undefined ? undefined : { id, year };
}

export const eventName = ({ id, year }: EventKey): string => `${id};${year}`;
