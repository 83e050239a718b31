/** The signed content of a QR code: `v1.<ticket id>.<signature>` (`docs/contract.md`, "Check-in"). Pure. */
import { createHmac, timingSafeEqual } from "node:crypto";

const version = "v1";
const shape = /^v1\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})$/;

/** Half of a SHA-256 hash. Scanners read a short code faster, and 128 bits cannot be guessed. */
const signature = (ticketId: string, key: string): Buffer =>
  createHmac("sha256", key).update(`ticket ${version} ${ticketId}`).digest().subarray(0, 16);

export const ticketCode = (ticketId: string, key: string): string =>
  `${version}.${ticketId}.${signature(ticketId, key).toString("base64url")}`;

/** The id of the ticket that a code names. Undefined when the code is malformed or forged. */
export function ticketIdOf(code: string, key: string): string | undefined {
  const [, ticketId, signed] = shape.exec(code.trim()) ?? [];
  if (ticketId === undefined || signed === undefined) return undefined;
  const given = Buffer.from(signed, "base64url");
  const expected = signature(ticketId, key);
  return given.length === expected.length && timingSafeEqual(given, expected) ? ticketId : undefined;
}
