/** What the tables of money, people and the game have in common: columns, tabs, days. */
import { Frame, tied } from "../../shared/field.tsx";
import { moment, money } from "../parts.tsx";
import type { Column } from "../table.tsx";

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

/** A column of moments, epoch milliseconds. */
export const when = <Row,>(title: string, by: (row: Row) => number, isMinor = true): Column<Row> =>
  column(title, by, { of: (row) => moment(by(row)), isMinor });

export const minor = { isMinor: true } as const;

interface TabsProps {
  readonly label: string;
  readonly here: string;
  readonly pages: readonly (readonly [text: string, page: string])[];
}

/** Links to pages beside this one. @param props.here the page of this one */
export const Tabs = ({ label, here, pages }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {pages.map(([text, page]) => (
      <a key={page} href={page} aria-current={here === page ? "page" : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

interface DayProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  set(value: string): void;
}

/** A day of the stage's zone, `yyyy-mm-dd`. */
export const Day = ({ id, label, value, set }: DayProps) => (
  <Frame id={id} label={label} required>
    <input
      {...{ ...tied({ id, label, required: false }), type: "date", value }}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  </Frame>
);
