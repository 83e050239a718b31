/** Keeps what was read in the memory of an instance, for a bounded time. */

interface Kept<T> {
  /** Also while it is being read, so that all who ask share one read. */
  readonly value: Promise<T>;
  /** Epoch milliseconds. */
  readonly end: number;
}

/**
 * Makes a reader that answers what it last read under a name for this many milliseconds. Callers at the same time share
 * one read, and a failed read is not kept. The time is that of the requests, in epoch milliseconds: the clock of a process
 * may stand still while Lambda has frozen it. Memory has only the names of the last milliseconds.
 */
export function keptFor<T>(milliseconds: number) {
  const kept = new Map<string, Kept<T>>();
  return (name: string, now: number, read: () => Promise<T>): Promise<T> => {
    for (const [other, { end }] of kept) if (end <= now) kept.delete(other);
    const known = kept.get(name);
    if (known) return known.value;
    const reading = { value: read(), end: now + milliseconds };
    kept.set(name, reading);
    reading.value.catch(() => {
      if (kept.get(name) === reading) kept.delete(name);
    });
    return reading.value;
  };
}
