/** CSV files for spreadsheets (RFC 4180). Pure. */
import { isoText } from "../text/text.ts";

/** A column: its header, and the value of a row. */
export type Column<Row> = readonly [header: string, cellOf: (row: Row) => string | number | boolean];

/** A time as a cell. @param milliseconds since the epoch; undefined: an empty cell */
export const isoCell = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? "" : isoText(milliseconds);

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

const asText = (text: string): string => (noFormula.test(text) ? text : text.replace(formulaStart, "'"));

/** A cell in quotes (RFC 4180), escaped against formulas. */
function cell(value: string | number | boolean): string {
  if (typeof value !== "string") return `"${value}"`;
  const text = asText(value);
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}

const line = (values: readonly (string | number | boolean)[]): string => `${values.map(cell).join(",")}\r\n`;

/** The header of a file, and a function for the line of a row. */
export const csvTable = <Row>(columns: readonly Column<Row>[]) => ({
  // A byte order mark tells spreadsheets that the file is UTF-8.
  header: `\ufeff${line(columns.map(([header]) => header))}`,
  lineOf: (row: Row): string => line(columns.map(([, cellOf]) => cellOf(row))),
});
