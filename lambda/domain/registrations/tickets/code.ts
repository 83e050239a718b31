/** What a QR code shows: `v1.<ticket id>.<signature>`, opaque and signed (`design.md`, section 8). Pure. */
import { createHmac, timingSafeEqual } from "node:crypto";

const version = "v1";
const shape = /^v1\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;

/** Half of a SHA-256: a shorter QR code is read faster at the door, and 128 bits are beyond guessing. */
const signature = (ticketId: string, key: string): Buffer =>
  createHmac("sha256", key).update(`ticket ${version} ${ticketId}`).digest().subarray(0, 16);

export const ticketCode = (ticketId: string, key: string): string =>
  `${version}.${ticketId}.${signature(ticketId, key).toString("base64url")}`;

/** The ticket that a code names; undefined when it is malformed or forged. */
export function ticketIdOf(code: string, key: string): string | undefined {
  const [, ticketId, signed] = shape.exec(code.trim()) ?? [];
  if (ticketId === undefined || signed === undefined) return undefined;
  const given = Buffer.from(signed, "base64url");
  const expected = signature(ticketId, key);
  return given.length === expected.length && timingSafeEqual(given, expected) ? ticketId : undefined;
}
