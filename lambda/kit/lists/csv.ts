/** CSV files for spreadsheets (RFC 4180). Pure. */
import { clockAt } from "../text/time-zone.ts";

/** A column: its header, and the value of a row. */
export type Column<Row> = readonly [header: string, cellOf: (row: Row) => string | number | boolean];

/** The header of a column of times. */
export const timeHeader = (header: string, timeZone: string): string => `${header} (${timeZone})`;

/** A time on the clocks of a zone, as spreadsheets read it: `2030-01-31 18:00:00`. @param at epoch milliseconds; undefined: an empty cell */
export const timeCell = (at: number | undefined, timeZone: string): string =>
  at === undefined ? "" : clockAt(at, timeZone);

/** A column of times. @param of epoch milliseconds */
export const timeColumn = <Row>(
  header: string,
  of: (row: Row) => number | undefined,
  timeZone: string,
): Column<Row> => [timeHeader(header, timeZone), (row) => timeCell(of(row), timeZone)];

/** Several values in a cell, one a line: a value may have every separator but a line break. */
export const listCell = (values: readonly string[]): string => values.join("\n");

/**
 * Where a spreadsheet may treat text as a formula: at the start, and, for readers with other separators, after a line
 * break, a tab or a semicolon. Blanks, quotes and invisible characters before the sign are no protection, because some
 * readers drop them. Apple Numbers treats full-width signs as ASCII.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStart =
  /(?<=^|[\r\n\t;])(?=(?:(?![\r\n\t;])[\s"'\p{Cf}\p{Cc}])*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\r\n\t])/gu;

/** A fast path for most cells. */
const noFormula = /^[a-z0-9][^\r\n\t;]*$/i;

/**
 * Text that a spreadsheet would show as another number or as a date: digits with a zero in front or behind a point, more than
 * the 15 that Excel keeps
 * (https://support.microsoft.com/en-us/office/keeping-leading-zeros-and-large-numbers-1bf7b935-36e1-4985-842f-5dfa51f85fe7),
 * powers of ten, and fractions or days such as `1/2` and `03-04`.
 */
const lossyText = new RegExp(
  [...[/0\d+(?:\.\d+)?/, /\d{16,}/, /\d+\.\d*0/, /\d+(?:\.\d+)?e[+-]?\d+/], /\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?/]
    .map(({ source }) => `^(?:${source})$`)
    .join("|"),
  "i",
);

function asText(text: string): string {
  if (lossyText.test(text)) return `'${text}`;
  return noFormula.test(text) ? text : text.replace(formulaStart, "'");
}

/** A cell in quotes (RFC 4180). A quote keeps formulas and digits as text. */
function cell(value: string | number | boolean): string {
  if (typeof value !== "string") return `"${value}"`;
  const text = asText(value);
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}

const line = (values: readonly (string | number | boolean)[]): string => `${values.map(cell).join(",")}\r\n`;

/** Each header once: readers take two columns of one name for one, also in other letters or with more blanks. */
function distinct(headers: readonly string[]): string[] {
  const taken = new Set<string>();
  const plain = (name: string) => name.trim().replace(/\s+/g, " ").toLowerCase();
  return headers.map((header) => {
    let name = header;
    for (let number = 2; taken.has(plain(name)); number += 1) name = `${header} (${number})`;
    taken.add(plain(name));
    return name;
  });
}

/** A file in parts. */
export interface CsvTable<Row> {
  readonly header: string;
  readonly lineOf: (row: Row) => string;
  /** The last line of a file that is not complete. @param cursor of the rest */
  readonly moreLine: (cursor: string) => string;
}

export function csvTable<Row>(columns: readonly Column<Row>[]): CsvTable<Row> {
  const headers = distinct(columns.map(([header]) => header));
  return {
    // A byte order mark tells spreadsheets that the file is UTF-8.
    header: `\ufeff${line(headers)}`,
    lineOf: (row) => line(columns.map(([, cellOf]) => cellOf(row))),
    moreLine: (cursor) =>
      line(headers.map((_, at) => (at === 0 ? `NOT COMPLETE: the rest is at cursor=${cursor}` : ""))),
  };
}
