/**
 * What this device keeps: drafts, and what was seen last. It never leaves the device, and no cache that others share has it.
 * Browsers may refuse to keep anything; the pages work all the same.
 */
import { isDesk } from "./settings.ts";

const prefix = isDesk ? "desk/" : "pages/";
/** What an executive has seen is gone when the tab is closed. */
const storage = isDesk ? sessionStorage : localStorage;

export function readKept<T>(key: string): T | undefined {
  try {
    return JSON.parse(storage.getItem(prefix + key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

const removed = new Set<string>();

/** @param value undefined: keeps nothing any more */
export function keep(key: string, value: unknown): void {
  try {
    if (value === undefined || removed.has(key)) storage.removeItem(prefix + key);
    else storage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // The device is full, or keeps nothing.
  }
}

/** The kept keys that begin like this, without that beginning. */
export function keptKeys(start: string): string[] {
  try {
    return Object.keys(storage).flatMap((key) =>
      key.startsWith(prefix + start) ? [key.slice(prefix.length + start.length)] : [],
    );
  } catch {
    return [];
  }
}

/** Keeps nothing any more whose key begins like this. */
export function forget(start: string): void {
  for (const key of keptKeys(start)) keep(start + key, undefined);
}

/** Forgets a place for a person who shares this device, also while it is still shown. @param key of the place */
export function remove(key: string): void {
  removed.add(key);
  for (const start of ["", "draft/", "key/pay/", "key/again/"]) forget(start + key);
  forget("paying");
}

/** What was seen, and when: epoch milliseconds. */
export interface Seen<T> {
  readonly at: number;
  readonly value: T;
}
