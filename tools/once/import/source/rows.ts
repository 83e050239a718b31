/** Reads rows from files: JSON lines, JSON lists, scans and exports. */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { isMap, type Row } from "../map/reading.ts";

/** A row of a file, or invalid text. */
export type SourceRow = { readonly row: Row } | { readonly broken: string; readonly why: string };

/** A file is truncated, or does not match its extension. */
export class Unreadable extends Error {}

const types = new Set(["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"]);

/** Whether each attribute is an object with one of DynamoDB's types. */
const isTyped = (item: Row): boolean => {
  const values = Object.values(item);
  return (
    values.length > 0 &&
    values.every((value) => {
      const [type, ...more] = isMap(value) ? Object.keys(value) : [];
      return type !== undefined && more.length === 0 && types.has(type);
    })
  );
};

/** Converts sets to lists, and binary values to their length, because no field of the service is binary. */
function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value].map(plain);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  return value;
}

/** A row: typed or plain, with or without an export's `Item`. */
function rowIn(parsed: unknown): SourceRow {
  const broken = (why: string) => ({ broken: JSON.stringify(parsed), why });
  if (!isMap(parsed)) return broken("the text is no object");
  const { Item: item = parsed } = parsed;
  if (!isMap(item)) return broken("the export's row has no Item");
  if (!isTyped(item)) return { row: item };
  try {
    return { row: plain(unmarshall(withBytes(item) as Parameters<typeof unmarshall>[0])) as Row };
  } catch (error) {
    return broken(`the types cannot be read: ${(error as Error).message}`);
  }
}

/** Exports contain binary values as base64. */
const withBytes = (item: Row): Row =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const { B } = value as { B?: unknown };
      return [name, typeof B === "string" ? { B: Buffer.from(B, "base64") } : value];
    }),
  );

/** @returns undefined when the text is no JSON */
function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * The rows of a list, of the answer of a scan, or of lines, in order.
 * @throws Unreadable a list has no end
 */
export function rowsIn(text: string): SourceRow[] {
  const content = text.replace(/^\uFEFF/, "").trim();
  const whole = parsedJson(content)?.value;
  if (Array.isArray(whole)) return whole.map(rowIn);
  if (isMap(whole)) return Array.isArray(whole.Items) ? whole.Items.map(rowIn) : [rowIn(whole)];
  if (/^(?:\[|\{\s*"Items"\s*:)/.test(content)) throw new Unreadable("its list is not whole");
  return content.split(/\r\n|\n|\r/).flatMap((line) => {
    if (line.trim() === "") return [];
    const parsed = parsedJson(line);
    return [parsed ? rowIn(parsed.value) : { broken: line.trim(), why: "the text is not JSON" }];
  });
}

/** Bytes that are no character in Windows-1252, and that other encodings use. */
const notWestern = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "utf-16be" : "utf-8";
};

/**
 * The text of a file in UTF-8 or UTF-16, with or without a byte order mark: JSON begins with two ASCII characters, so the
 * zero bytes among them show the encoding (RFC 4627, 3). No other encoding is guessed.
 * @throws Unreadable
 */
export function textIn(content: Uint8Array): string {
  const [first, second, third, fourth] = content;
  const isWide = (third === 0 && fourth === 0) || (first === 0 && second === 0);
  if (isWide) throw new Unreadable("it is in UTF-32. Convert it: iconv -f UTF-32 -t UTF-8");
  const encoding = encodingOf(content);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch (error) {
    const isWestern = encoding === "utf-8" && !content.some((byte) => notWestern.includes(byte));
    const other = "but probably in Windows-1252. Convert it: iconv -f WINDOWS-1252 -t UTF-8";
    throw new Unreadable(`it is not in ${encoding.toUpperCase()}${isWestern ? `, ${other}` : ""}`, { cause: error });
  }
}

/**
 * The rows of a file, gzipped or not, in order.
 * @throws Unreadable the file is truncated, cannot be unzipped, or is in another encoding
 */
export async function rowsOf(path: string): Promise<SourceRow[]> {
  try {
    const content = await readFile(path);
    return rowsIn(textIn(/\.gz$/i.test(path) ? await promisify(gunzip)(content) : content));
  } catch (error) {
    throw new Unreadable(`${path} cannot be read to its end: ${(error as Error).message}`, { cause: error });
  }
}
