/** Tables of up to some thousand rows, of which only those in sight are drawn. */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
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

/** Pixels of a row, and of the rows in sight. As in the stylesheet. */
const [rowHeight, tallest] = [48, 576] as const;
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

/** Space for rows that are not drawn. */
const Gap = ({ rows, columns }: { readonly rows: number; readonly columns: number }) =>
  rows > 0 ? (
    <tr class="gap">
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  ) : null;

interface TickProps {
  readonly label: string;
  readonly isTicked: boolean;
  tick(): void;
}

/** A cell in which a row is chosen. */
const Tick = ({ label, isTicked, tick }: TickProps) => (
  <td>
    <input type="checkbox" aria-label={label} checked={isTicked} onChange={tick} />
  </td>
);

function Rows<Row>({ title, rows, columns, keyOf, pageOf, selection }: RowsProps<Row>) {
  const [{ name, isDown }, setOrder] = useState({ name: "", isDown: false });
  const order = columns.find((column) => column.title === name);
  const shown = useMemo(() => sorted(rows, order, isDown), [rows, name, isDown]);
  const [top, setTop] = useState(0);
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - beyond, shown.length - 1));
  const last = Math.min(shown.length, Math.ceil((top + tallest) / rowHeight) + beyond);
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
    <section class="table" tabIndex={0} aria-label={title} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <table aria-rowcount={shown.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {selection && (
              <Tick
                {...{ label: "All", isTicked: isAll }}
                tick={() => selection.set(new Set(isAll ? [] : shown.map(keyOf)))}
              />
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
                {selection && <Tick label={key} isTicked={selection.keys.has(key)} tick={() => tick(key)} />}
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
