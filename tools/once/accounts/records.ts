/** Reads records from files, of the forms that the import reads. */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isMap, type Row } from "../import/map/reading.ts";
import { rowsOf, Unreadable } from "../import/source/rows.ts";

export { Unreadable };

/** A record, or the place of an unreadable one. */
export interface SourceRecord {
  /** File, and number of the record or line in it from 1. */
  readonly place: string;
  /** The strings of the record by name; undefined when it is unreadable. */
  readonly texts: Readonly<Record<string, string>> | undefined;
}

const isRecordFile = (name: string): boolean =>
  /\.jsonl?(\.gz)?$/i.test(name) && !/^manifest-/.test(basename(name)) && !/^[._]/.test(basename(name));

/** The files with records in a folder and below, or the file itself; sorted by name. @throws Unreadable */
export async function recordFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Unreadable(`There is no ${path}.`);
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path, { recursive: true })).filter(isRecordFile).sort();
  if (names.length === 0) throw new Unreadable(`There is no file .json, .jsonl, .json.gz or .jsonl.gz in ${path}.`);
  return names.map((name) => join(path, name));
}

/** The strings of a row. A scan of some fields has `null` beside `{"S": "…"}`, so the row itself has no types. */
function textsOf(row: Row): SourceRecord["texts"] {
  const texts = Object.entries(row).map(([name, field]) => [name, isMap(field) ? field.S : field] as const);
  return Object.fromEntries(texts.filter((field): field is [string, string] => typeof field[1] === "string"));
}

/** All records of a file. @throws Unreadable */
export async function readRecords(file: string): Promise<SourceRecord[]> {
  return (await rowsOf(file)).map((one, index) => ({
    place: `${basename(file)}, ${index + 1}`,
    texts: "row" in one ? textsOf(one.row) : undefined,
  }));
}
