/** Decides what a repeated import does with a record. Pure. */

/** What an import remembers of a record that it has written. */
export interface Remembered {
  /** Fingerprint of the row. */
  readonly source: string;
  /** Epoch milliseconds, as the row said it. */
  readonly updatedAt: number;
  /** Fingerprint of the record as it was written. */
  readonly written: string;
}

/**
 * `new`: write it. `update`: the row is newer and the record is as the import left it. `unchanged`: the row is the one
 * that was taken. Everything else leaves the record alone. `older`: the row is older than the one that was taken.
 * `made here`: the service has such a record that no import wrote. `changed here`: a person has changed the record
 * since. `deleted here`: a person has deleted it since.
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
