/** Lists that are read page by page, with progress, until there is enough, all, or the person stops it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure, type Loaded, Press } from "../shared/parts.tsx";
import { refusalText } from "../shared/refusals.ts";
import { pathOf, readPage } from "./calls.ts";
import { count } from "./parts.tsx";

interface State<T> {
  readonly rows: readonly T[];
  /** Pages that were read; some have no rows. */
  readonly pages: number;
  readonly isReading: boolean;
  readonly isWhole: boolean;
  readonly problem?: unknown;
}

export interface Following<T> extends State<T>, Loaded<readonly T[]> {
  /** Reads on. */
  more(): Promise<void>;
  stop(): void;
  /** Reads all anew; what is shown stays until then. */
  reload(): Promise<void>;
}

interface FollowOptions<T, A> {
  /** Absent: the list in an answer. */
  rowsOf?(answer: A): readonly T[];
  /** Reads on until there are so many more rows. Absent: all. */
  readonly atOnce?: number;
}

/** @param path undefined: reads nothing */
export function useFollowing<T, A = object>(
  path: string | undefined,
  query: Parameters<typeof pathOf>[1] = {},
  { rowsOf, atOnce = Number.POSITIVE_INFINITY }: FollowOptions<T, A> = {},
): Following<T> {
  const none: State<T> = { rows: [], pages: 0, isReading: true, isWhole: false };
  const [state, setState] = useState(none);
  const latest = useRef(0);
  const cursor = useRef<string | undefined>(undefined);
  const readOn = async (from: State<T>) => {
    if (path === undefined) return;
    latest.current += 1;
    const mine = latest.current;
    let { rows, pages } = from;
    setState(({ problem: _, ...kept }) => ({ ...kept, isReading: true }));
    try {
      for (let isEnough = false; !isEnough; ) {
        const page = await readPage<T, A>(path, { ...query, cursor: cursor.current }, rowsOf);
        if (mine !== latest.current) return;
        cursor.current = page.cursor;
        rows = [...rows, ...page.rows];
        pages += 1;
        const isWhole = page.cursor === undefined;
        isEnough = isWhole || rows.length >= from.rows.length + atOnce;
        setState({ rows, pages, isWhole, isReading: !isEnough });
      }
    } catch (problem) {
      if (mine === latest.current) setState((kept) => ({ ...kept, isReading: false, problem }));
    }
  };
  const stop = () => {
    latest.current += 1;
    setState((kept) => ({ ...kept, isReading: false }));
  };
  const reload = () => {
    cursor.current = undefined;
    return readOn(none);
  };
  useEffect(() => {
    // Rows of another question are no answer to this one, least of all when it fails.
    setState(none);
    void reload();
    return () => {
      latest.current += 1;
    };
  }, [path && pathOf(path, query)]);
  const { isWhole, rows } = state;
  return { ...state, ...(isWhole && { value: rows }), more: () => readOn(state), stop, reload };
}

interface ProgressProps {
  readonly of: Following<unknown>;
  /** What one row is. */
  readonly one: string;
  readonly more?: string;
}

/** How far a list is, with a button that reads on or stops. */
export function Progress({ of, one, more: many }: ProgressProps) {
  const { rows, pages, isReading, isWhole, problem, more, stop } = of;
  if (problem !== undefined) return <Failure text={refusalText(problem)} again={more} />;
  const said = count(rows.length, one, many);
  return (
    <div class="buttons">
      <p role="status">
        {isReading ? `Reading: ${said} so far${pages > 1 ? `, ${count(pages, "page")} looked through` : ""} …` : said}
        {!isReading && !isWhole && " so far; there may be more"}
      </p>
      {isReading && pages > 0 && <Press text="Stop" onPress={stop} />}
      {!isReading && !isWhole && <Press text="Read on" onPress={more} />}
    </div>
  );
}
