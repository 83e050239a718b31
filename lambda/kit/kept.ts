/** Keeps what was read in the memory of an instance, for a bounded time. */

/**
 * Makes a reader that answers what it last read for this many milliseconds. Callers at the same time share one read, and a
 * failed read is not kept. The time is that of the requests: the clock of a process may stand still while Lambda has
 * frozen it.
 * @returns the reader; it takes the time of the request, in epoch milliseconds
 */
export function keptFor<T>(milliseconds: number, read: () => Promise<T>): (now: number) => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly end: number } | undefined;
  return (now) => {
    if (kept && now < kept.end) return kept.value;
    const reading = { value: read(), end: now + milliseconds };
    kept = reading;
    reading.value.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return reading.value;
  };
}
