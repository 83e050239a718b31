/** Fingerprints of rows and records, independent of the order of keys. Pure. */
import { createHash } from "node:crypto";

function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, stable(one)]));
}

/** 128 bits as text. */
export const fingerprint = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(stable(value)))
    .digest()
    .subarray(0, 16)
    .toString("base64url");

const noContent = new Set(["PK", "SK", "GSI1PK", "GSI1SK", "leaderboard", "changedBy"]);

/** Fingerprint of a stored record, without the attributes of its keys and indexes, and whoever wrote it. */
export const fingerprintOfStored = (item: object, more: readonly string[] = []): string =>
  fingerprint(
    Object.fromEntries(Object.entries(item).filter(([name]) => !noContent.has(name) && !more.includes(name))),
  );
