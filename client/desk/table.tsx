/** Tables of up to some thousand rows, of which only those in sight are drawn. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Loaded, Waiting } from "../shared/parts.tsx";
import { moment, money } from "./parts.tsx";

export interface Column<Row> {
  readonly title: string;
  /** What the cell shows. */
  of(row: Row): ComponentChildren;
  /** By what the column is sorted. Absent: it cannot be. */
  readonly by?: (row: Row) => string | number;
  /** Not on a phone. */
  readonly isMinor?: boolean;
  readonly isNumber?: boolean;
}

type Cell = string | number | undefined;
type More<Row> = Partial<Column<Row>>;

/** A column of texts or numbers, sorted by them. */
export const column = <Row,>(title: string, by: (row: Row) => Cell, more: More<Row> = {}): Column<Row> => ({
  ...{ title, of: by, by: (row: Row) => by(row) ?? "", ...more },
});

/** A column of numbers. */
export const figure = <Row,>(title: string, by: (row: Row) => number, more: More<Row> = {}): Column<Row> => ({
  ...{ title, of: by, by, isNumber: true, ...more },
});

/** A column of amounts in cents. */
export const amount = <Row,>(title: string, by: (row: Row) => number, more: More<Row> = {}): Column<Row> =>
  figure(title, by, { of: (row) => money(by(row)), ...more });

/** A column of moments, as `moment` takes them. */
export const when = <Row,>(title: string, by: (row: Row) => Cell, isMinor = true): Column<Row> =>
  column(title, by, { of: (row) => moment(by(row)), isMinor });

export const minor = { isMinor: true } as const;

export interface Selection {
  readonly keys: ReadonlySet<string>;
  set(keys: ReadonlySet<string>): void;
}

interface RowsProps<Row> {
  /** What the table lists. */
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** The page of a row. The first cell leads there. */
  pageOf?(row: Row): string;
  /** Rows that are ticked for a common act. */
  readonly selection?: Selection;
}

interface TableProps<Row> extends Omit<RowsProps<Row>, "rows"> {
  readonly rows?: readonly Row[] | undefined;
  readonly of?: Loaded<readonly Row[]>;
  /** Instead of rows. */
  readonly none?: string | undefined;
}

/** Pixels. As in the stylesheet. */
const rowHeight = 48;
/** Rows that are drawn above and below those in sight. */
const beyond = 8;

/** The rows in the order of a column. */
function sorted<Row>(rows: readonly Row[], column: Column<Row> | undefined, isDown: boolean): readonly Row[] {
  const by = column?.by;
  if (!by) return rows;
  const order = (one: Row, other: Row) => {
    const [a, b] = [by(one), by(other)];
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  };
  const up = rows.toSorted(order);
  return isDown ? up.reverse() : up;
}

/** Which rows are in sight. */
function useSight(length: number) {
  const frame = useRef<HTMLDivElement>(null);
  const [{ top, height }, setSight] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
    // Without rows there is no frame yet.
  }, [length > 0]);
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - beyond, length - 1));
  const last = Math.min(length, Math.ceil((top + height) / rowHeight) + beyond);
  return { frame, first, last };
}

/** Space for rows that are not drawn. */
const Gap = ({ rows, columns }: { readonly rows: number; readonly columns: number }) =>
  rows > 0 ? (
    <tr class="gap">
      <td colSpan={columns} height={rows * rowHeight} />
    </tr>
  ) : null;

/** Rows are there from the beginning: what is in sight is asked of a table that is drawn. */
function Rows<Row>({ title, rows, columns, keyOf, pageOf, selection }: RowsProps<Row>) {
  const [{ name, isDown }, setOrder] = useState({ name: "", isDown: false });
  const order = columns.find((column) => column.title === name);
  const shown = useMemo(() => sorted(rows, order, isDown), [rows, name, isDown]);
  const { frame, first, last } = useSight(shown.length);
  const width = columns.length + (selection ? 1 : 0);
  const tick = (key: string) => {
    const keys = new Set(selection?.keys);
    if (!keys.delete(key)) keys.add(key);
    selection?.set(keys);
  };
  const isAll = shown.length > 0 && shown.every((row) => selection?.keys.has(keyOf(row)));
  const classOf = ({ isMinor, isNumber }: Column<Row>) => `${isMinor ? "minor-cell" : ""} ${isNumber ? "number" : ""}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <section class="table" ref={frame} tabIndex={0} aria-label={title}>
      <table aria-rowcount={shown.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {selection && (
              <td>
                <input
                  type="checkbox"
                  aria-label="All"
                  checked={isAll}
                  onChange={() => selection.set(new Set(isAll ? [] : shown.map(keyOf)))}
                />
              </td>
            )}
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                class={classOf(column)}
                aria-sort={column.title !== name ? undefined : isDown ? "descending" : "ascending"}
              >
                {column.by ? (
                  <button
                    type="button"
                    class="plain"
                    onClick={() => setOrder({ name: column.title, isDown: column.title === name && !isDown })}
                  >
                    {column.title}
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} columns={width} />
          {shown.slice(first, last).map((row, index) => {
            const key = keyOf(row);
            const page = pageOf?.(row);
            return (
              <tr key={key} aria-rowindex={first + index + 2} aria-selected={selection?.keys.has(key)}>
                {selection && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={key}
                      checked={selection.keys.has(key)}
                      onChange={() => tick(key)}
                    />
                  </td>
                )}
                {columns.map((column, place) => (
                  <td key={column.title} class={classOf(column)}>
                    {place === 0 && page ? <a href={page}>{column.of(row)}</a> : column.of(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Gap rows={shown.length - last} columns={width} />
        </tbody>
      </table>
    </section>
  );
}

/** A table of rows that are there, or that it waits for. */
export function Table<Row>({ of, rows = of?.value, none = "None.", ...table }: TableProps<Row>) {
  if (!rows) return of ? <Waiting of={of} /> : null;
  return rows.length === 0 ? <p class="minor">{none}</p> : <Rows {...table} rows={rows} />;
}
