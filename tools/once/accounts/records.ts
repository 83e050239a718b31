/**
 * Reads records from files: DynamoDB's "export to S3" (JSON lines with `{"Item": …}`), the output of `aws dynamodb scan`,
 * a JSON list, or JSON lines; each also gzipped.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** A record, or the place of an unreadable one. */
export interface SourceRecord {
  /** File, and number of the record or line in it from 1. */
  readonly place: string;
  /** The strings of the record by name; undefined when it is unreadable. */
  readonly texts: Readonly<Record<string, string>> | undefined;
}

/** The files cannot be read. The message is printed without a stack. */
export class Unreadable extends Error {}

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

/** @throws Unreadable when the file cannot be unpacked */
async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip
    ? await promisify(gunzip)(bytes).catch((cause: unknown) => {
        throw new Unreadable(`${file} cannot be unpacked: it is cut off or damaged.`, { cause });
      })
    : bytes;
  return plain.toString("utf8").replace(/^\uFEFF/, "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The records in a text: a JSON document, or else JSON lines. */
function valuesIn(text: string): unknown[] {
  const whole = parsed(text);
  if (Array.isArray(whole)) return whole;
  if (isObject(whole) && Array.isArray(whole.Items)) return whole.Items;
  if (whole !== undefined) return [whole];
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parsed);
}

/** The strings of a record, plain or in DynamoDB's form `{"S": "…"}`. Other values are omitted. */
function textsOf(value: unknown): SourceRecord["texts"] {
  if (!isObject(value)) return undefined;
  const fields = isObject(value.Item) ? value.Item : value;
  const texts: Record<string, string> = Object.create(null);
  for (const [name, field] of Object.entries(fields)) {
    const text = isObject(field) ? field.S : field;
    if (typeof text === "string") texts[name] = text;
  }
  return texts;
}

/** All records of a file. @throws Unreadable */
export async function readRecords(file: string): Promise<SourceRecord[]> {
  const values = valuesIn(await textOf(file));
  return values.map((value, index) => ({ place: `${basename(file)}, ${index + 1}`, texts: textsOf(value) }));
}
