/** Decides what an import does with a record that may exist already. Pure. */

/** What an import stores about a record that it has written. */
export interface Remembered {
  /** Fingerprint of the row. */
  readonly source: string;
  /** Epoch milliseconds, from the row. */
  readonly updatedAt: number;
  /** Fingerprint of the record as it was written. */
  readonly written: string;
}

/**
 * `new`: write it. `update`: the row is newer and the record is as the import left it. `unchanged`: the row was imported
 * before. The others leave the record unchanged. `older`: the row is older than the imported one. `made here`: the record
 * was not written by an import. `changed here`: the record was changed since. `deleted here`: it was deleted since.
 */
export type Verdict = "new" | "update" | "unchanged" | "older" | "made here" | "changed here" | "deleted here";

/** All verdicts, in the order of the report. */
export const verdicts: readonly Verdict[] = [
  "new",
  "update",
  "unchanged",
  "older",
  "made here",
  "changed here",
  "deleted here",
];

/**
 * @param stored fingerprint of the record in the table; undefined when there is none
 */
export function verdictOn(
  row: { readonly source: string; readonly updatedAt: number },
  remembered: Remembered | undefined,
  stored: string | undefined,
): Verdict {
  if (remembered === undefined) return stored === undefined ? "new" : "made here";
  if (remembered.source === row.source) return stored === undefined ? "deleted here" : "unchanged";
  if (stored === undefined) return "deleted here";
  if (row.updatedAt < remembered.updatedAt) return "older";
  return stored === remembered.written ? "update" : "changed here";
}
