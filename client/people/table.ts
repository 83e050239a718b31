/** Tables of people as spreadsheets save them: text with commas, semicolons or tabs, in one of several encodings. Pure. */
import Papa from "papaparse";

/** A file that is no table of text. The message says what to do. */
export class UnreadableTable extends Error {
  override readonly name = "UnreadableTable";
}

export interface TableRow {
  /** As a spreadsheet counts: the headings are row 1. */
  readonly row: number;
  /** A cell for each heading, trimmed. */
  readonly cells: readonly string[];
  /** Why the row cannot be read. */
  readonly fault?: string;
}

export interface PeopleTable {
  /** Each once, and none blank. */
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}

/** Columns that a table has at most. */
const mostColumns = 200;
/** Rows by which the separator is found. */
const tried = 50;
const separators = [",", ";", "\t"] as const;

const asCsv = 'In the spreadsheet choose "Save as" or "Download", then "CSV UTF-8" or "CSV", and take that file.';

/** What files begin with that are not text. */
const signatures: readonly (readonly [bytes: readonly number[], says: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], `This is a workbook (XLSX, ODS or Numbers) or an archive, no CSV. ${asCsv}`],
  [[0xd0, 0xcf, 0x11, 0xe0], `This is an old workbook (XLS), no CSV. ${asCsv}`],
  [[0x25, 0x50, 0x44, 0x46], `This is a PDF, no CSV. ${asCsv}`],
];

const beginsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

/** The characters of Windows-1252 from 0x80 on. Some engines read that encoding as Latin-1, which has none there. */
const highOfWindows = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

const fromWindows = (bytes: Uint8Array): string =>
  new TextDecoder("windows-1252")
    .decode(bytes)
    .replaceAll(/[\x80-\x9f]/g, (control) => highOfWindows.charAt(control.charCodeAt(0) - 0x80));

/** UTF-16 without a mark: text of the west has a zero in every other byte. */
function unmarkedWide(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const zeros = [0, 0];
  const length = Math.min(bytes.length, 1_024) & ~1;
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > length / 4 && even === 0) return "utf-16le";
  return even > length / 4 && odd === 0 ? "utf-16be" : undefined;
}

/** The text of a file in UTF-8, UTF-16 or Windows-1252. @throws UnreadableTable it is no text */
function textIn(bytes: Uint8Array): string {
  for (const [start, says] of signatures) if (beginsWith(bytes, start)) throw new UnreadableTable(says);
  const wide = beginsWith(bytes, [0xff, 0xfe])
    ? "utf-16le"
    : beginsWith(bytes, [0xfe, 0xff])
      ? "utf-16be"
      : unmarkedWide(bytes);
  const text = wide ? new TextDecoder(wide).decode(bytes) : narrow(bytes);
  if (text.includes("\0")) throw new UnreadableTable(`This file is no text. ${asCsv}`);
  return text;
}

function narrow(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return fromWindows(bytes);
  }
}

const parsed = (text: string, delimiter: string, preview = 0) =>
  Papa.parse<string[]>(text, { delimiter, newline: "\n", preview });

/** The separator with which most rows have as many cells as the headings; of several the one with more columns. */
function separatorOf(text: string): string {
  const scored = separators.map((separator) => {
    const [headings = [], ...rows] = parsed(text, separator, tried).data.filter((cells) => cells.some(Boolean));
    const alike = rows.filter((cells) => cells.length === headings.length).length;
    const share = rows.length === 0 ? 1 : alike / rows.length;
    return { separator, share: headings.length > 1 ? share : -1, columns: headings.length };
  });
  const [best] = scored.toSorted((one, other) => other.share - one.share || other.columns - one.columns);
  return best?.separator ?? ",";
}

/** Excel's own hint, in the first line. */
const hint = /^sep=(.)\n/i;

/** What our own tables put before digits and signs, so that spreadsheets keep them as text (`docs/contract.md`, "Lists and pages"). */
const guard = /^'(?=[=+\-@\d])/;
const cellOf = (text: string): string => text.trim().replace(guard, "");

function headingsOf(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.map((cell, column) => {
    const heading = cell.replaceAll(/\s+/g, " ").trim() || `Column ${column + 1}`;
    let name = heading;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${heading} (${number})`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/**
 * The people of a file. Blank rows are left out, and rows keep their numbers.
 * @param most rows
 * @throws UnreadableTable it is no table, or too long
 */
export function tableIn(bytes: Uint8Array, most: number): PeopleTable {
  const whole = textIn(bytes).replaceAll(/\r\n?/g, "\n");
  const hinted = hint.exec(whole);
  const text = hinted ? whole.slice(hinted[0].length) : whole;
  const { data, errors } = parsed(text, hinted?.[1] ?? separatorOf(text));
  const first = hinted ? 2 : 1;
  const broken = new Set<number>();
  for (const { code, row = 0 } of errors) {
    if (code === "MissingQuotes") {
      throw new UnreadableTable(
        `A quotation mark (") in row ${row + first} has no end, so all rows after it would be one. Close or remove it.`,
      );
    }
    if (code === "InvalidQuotes") broken.add(row);
  }
  const head = data.findIndex((cells) => cells.some((cell) => cell.trim() !== ""));
  const top = data[head];
  if (!top) throw new UnreadableTable("This table is empty.");
  const width = top.findLastIndex((cell) => cell.trim() !== "") + 1;
  if (width > mostColumns) throw new UnreadableTable(`This table has more than ${mostColumns} columns.`);
  const headings = headingsOf(top.slice(0, width));
  const rows = data.slice(head + 1).flatMap((given, index): TableRow[] => {
    if (given.every((cell) => cell.trim() === "")) return [];
    const at = head + 1 + index;
    const isLonger = given.findLastIndex((cell) => cell.trim() !== "") >= width;
    const fault = broken.has(at)
      ? 'A quotation mark (") stands in the middle of a cell.'
      : isLonger
        ? "The row has more cells than the headings."
        : undefined;
    const cells = headings.map((_, column) => cellOf(given[column] ?? ""));
    return [{ row: at + first, cells, ...(fault !== undefined && { fault }) }];
  });
  if (rows.length === 0) throw new UnreadableTable("This table has headings, but no rows.");
  if (rows.length > most) {
    const words = `This table has ${rows.length.toLocaleString("en-US")} rows, and ${most.toLocaleString("en-US")} are taken at once.`;
    throw new UnreadableTable(`${words} Split it${most < 100_000 ? ', or use "npm run ops -- people"' : ""}.`);
  }
  return { headings, rows };
}
