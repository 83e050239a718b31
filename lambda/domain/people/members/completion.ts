/** Fills blank fields of a record without overwriting values. Pure. */

/** Whether a field has no value. `false` and `0` are values. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/**
 * The record with its blank fields filled from the additions.
 * @returns the same object when there is nothing to fill
 */
export function completed<R extends object>(record: R, additions: Partial<R>): R {
  const gaps = Object.entries(additions).filter(([name, value]) => !isBlank(value) && isBlank(record[name as keyof R]));
  return gaps.length === 0 ? record : { ...record, ...Object.fromEntries(gaps) };
}

/** The names of the fields in which two versions of a record differ. */
export const changedFields = <R extends object>(record: R, before: R): (keyof R & string)[] =>
  (Object.keys(record) as (keyof R & string)[]).filter((name) => record[name] !== before[name]);
