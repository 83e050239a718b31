/** What is read for some rows, one after the other. */
import { useEffect, useState } from "preact/hooks";

/**
 * What was read so far, by row. Anew when the rows change.
 * @param get catches a failure, which is a value, too
 * @param most of the first rows
 */
export function useEach<Row, T>(
  rows: readonly Row[] | undefined,
  get: (row: Row) => Promise<T>,
  most?: number,
): ReadonlyMap<Row, T> {
  const [values, setValues] = useState<ReadonlyMap<Row, T>>(new Map());
  useEffect(() => {
    let hasEnded = false;
    const load = async () => {
      for (const row of rows?.slice(0, most) ?? []) {
        const value = await get(row);
        if (hasEnded) return;
        setValues((kept) => new Map(kept).set(row, value));
      }
    };
    setValues(new Map());
    void load();
    return () => {
      hasEnded = true;
    };
  }, [rows]);
  return values;
}
