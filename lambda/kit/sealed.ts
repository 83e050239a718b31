/**
 * Text encrypted with a key derived from a secret that the table does not contain.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/** Bytes derived from a secret, independent for each use (RFC 5869). */
export const derived = (secret: string, use: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", use, bytes));

/** @param key 32 bytes */
export function seal(text: string, key: Buffer): string {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv);
  const sealed = [iv, sealing.update(text, "utf8"), sealing.final(), sealing.getAuthTag()];
  return Buffer.concat(sealed).toString("base64url");
}

/** @throws Error the text was sealed with another key, or changed */
export function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, "base64url");
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  opening.setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([opening.update(bytes.subarray(ivBytes, -tagBytes)), opening.final()]).toString("utf8");
}
