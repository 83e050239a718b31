/** Decides what an import does with a record that may exist already. Pure. */

/**
 * `new`: write it. The others leave the record unchanged. `imported before`: an import has written it, and people may have
 * changed it since. `made here`: no import has written it. `deleted here`: an import has written it, and it is gone.
 */
export const verdicts = ["new", "imported before", "made here", "deleted here"] as const;

export type Verdict = (typeof verdicts)[number];

/**
 * @param note what an import has left when it wrote the record
 * @param stored the record in the table
 */
export function verdictOn(note: object | undefined, stored: object | undefined): Verdict {
  if (note === undefined) return stored === undefined ? "new" : "made here";
  return stored === undefined ? "deleted here" : "imported before";
}
