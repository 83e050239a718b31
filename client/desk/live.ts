/** What a page shows of something that goes on. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { now } from "../shared/clock.ts";
import { onReturn } from "../shared/parts.tsx";

/** Milliseconds. */
const longest = 60_000;

/** Milliseconds until it is asked again: twice as long after each time without an answer. */
const nextWait = (wait: number, failures: number): number => Math.min(wait * 2 ** failures, longest);

export interface Live<T> {
  readonly value?: T;
  /** When it was so: epoch milliseconds of the server's clock. */
  readonly at?: number;
  /** Why it is not newer. */
  readonly problem?: unknown;
  reload(): Promise<void>;
}

/**
 * Asks again and again while the page is visible, and less often while there is no answer. Anew when `keys` change.
 * @param get is given what is shown
 * @param waitOf milliseconds until the next time; undefined: it does not change any more
 */
export function useLive<T>(
  get: (kept?: T) => Promise<T>,
  waitOf: (value?: T) => number | undefined,
  keys: readonly unknown[],
): Live<T> {
  const [state, setState] = useState<Omit<Live<T>, "reload">>({});
  const kept = useRef<T | undefined>(undefined);
  const look = useRef(async () => {});
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isRunning = false;
    let hasEnded = false;
    kept.current = undefined;
    setState({});
    look.current = async () => {
      if (isRunning || hasEnded || document.hidden) return;
      clearTimeout(timer);
      isRunning = true;
      const next = await get(kept.current).then(
        (value) => ({ value, at: now() }),
        (problem: unknown) => ({ problem }),
      );
      isRunning = false;
      if (hasEnded) return;
      if ("value" in next) kept.current = next.value;
      failures = "value" in next ? 0 : failures + 1;
      setState((shown) => ("value" in next ? next : { ...shown, ...next }));
      const wait = waitOf(kept.current);
      if (wait !== undefined) timer = setTimeout(() => void look.current(), nextWait(wait, failures));
    };
    void look.current();
    const end = onReturn(() => void look.current());
    return () => {
      hasEnded = true;
      clearTimeout(timer);
      end();
    };
  }, keys);
  return { ...state, reload: useCallback(() => look.current(), []) };
}
