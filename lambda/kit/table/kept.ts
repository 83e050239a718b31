/** An in-memory cache of reads per function instance. */

interface Kept<T> {
  /** Pending while it is being read, so that concurrent callers share one read. */
  readonly value: Promise<T>;
  /** Epoch milliseconds. */
  readonly end: number;
}

/**
 * Makes a reader that caches its results by name for this many milliseconds. Concurrent callers share one read, and failed
 * reads are not cached. Times are those of the requests, in epoch milliseconds, because the clock of a process may stop
 * while Lambda has frozen it. Expired entries are removed.
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
