/** Filling gaps without touching what is there. Pure. */

/** Nobody has said anything here. `false` and `0` are something. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/**
 * The record with its blank fields filled from the additions; what is filled in stays as it is.
 * @returns the same object when there is nothing to fill, so that a caller can tell
 */
export function completed<R extends object>(record: R, additions: Partial<R>): R {
  const gaps = Object.entries(additions).filter(([name, value]) => !isBlank(value) && isBlank(record[name as keyof R]));
  return gaps.length === 0 ? record : { ...record, ...Object.fromEntries(gaps) };
}

/** The fields of a record in which it differs from what it was. */
export const changedFields = <R extends object>(record: R, before: R): (keyof R & string)[] =>
  (Object.keys(record) as (keyof R & string)[]).filter((name) => record[name] !== before[name]);
