/** Streams rows from files of any size: JSON lines, JSON arrays, scans and exports. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { isMap, type Row } from "../map/reading.ts";

/** A row of a file, or invalid text. */
export type SourceRow = { readonly row: Row } | { readonly broken: string; readonly why: string };

/** DynamoDB items are limited to 400 KB; their JSON, with types and escapes, has fewer characters than this. */
const longestRow = 4_000_000;

/** A file is truncated, or does not match its extension. */
export class Unreadable extends Error {}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

/** Space, line break or comma. */
const isGap = (character: number): boolean => character <= 32 || character === 44;

/**
 * Splits JSON into its rows: the top-level objects, in a list or in sequence. The output of a scan, `{"Items": [...]}`, is a
 * list in an object.
 */
export class RowCutter {
  /** Nesting depth; a row begins above `#lowest`, which is 1 inside a list of rows. */
  #depth = 0;
  #lowest = 0;
  #isInText = false;
  #isEscaped = false;
  #row = "";
  /** Text between rows other than spaces and commas. */
  #junk = "";
  #head = "";
  #isBegun = false;
  #isScan = false;
  #isOver = false;

  /** @returns the rows that are complete now, and invalid text between rows */
  *push(chunk: string): Generator<string> {
    const text = this.#isBegun ? chunk : this.#begin(chunk);
    let start = 0;
    for (let index = 0; index < text.length && !this.#isOver; index += 1) {
      const character = text.charCodeAt(index);
      if (this.#depth === this.#lowest) {
        if (this.#between(character, text.charAt(index))) start = index;
        else if (this.#junk !== "" && isGap(character)) yield this.#taken("junk");
        continue;
      }
      if (this.#isInText) this.#inText(character);
      else if (character === quote) this.#isInText = true;
      else if (character === openBrace || character === openBracket) this.#depth += 1;
      else if (character === closeBrace || character === closeBracket) {
        this.#depth -= 1;
        if (this.#depth > this.#lowest) continue;
        this.#row += text.slice(start, index + 1);
        yield this.#taken("row");
      }
    }
    if (this.#depth > this.#lowest) this.#row += text.slice(start);
    if (this.#row.length > longestRow) throw new Unreadable("a row is longer than any row of DynamoDB");
  }

  #inText(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === backslash) this.#isEscaped = true;
    else if (character === quote) this.#isInText = false;
  }

  /** A character between rows. @returns whether a row begins with it */
  #between(character: number, letter: string): boolean {
    const isList = character === openBracket && this.#lowest === 0;
    if (isList || (character === closeBracket && this.#lowest === 1)) {
      this.#lowest = isList ? 1 : 0;
      this.#depth = this.#lowest;
      this.#isOver = !isList && this.#isScan;
      return false;
    }
    if (character === openBrace || character === openBracket) {
      this.#depth += 1;
      return true;
    }
    if (!isGap(character)) this.#junk += letter;
    return false;
  }

  #taken(what: "row" | "junk"): string {
    const text = what === "row" ? this.#row : this.#junk;
    if (what === "row") this.#row = "";
    else this.#junk = "";
    return text;
  }

  /**
   * Skips the beginning of a scan's output. The first chunk of a file may be short, so it is buffered until it is long
   * enough.
   */
  #begin(chunk: string): string {
    this.#head += chunk;
    const head = this.#head.replace(/^\uFEFF/, "");
    if (/^\s*(?:\{\s*(?:"[A-Za-z]{0,20}"?\s*:?\s*)?)?$/.test(head)) return "";
    this.#isBegun = true;
    const rows = head.replace(/^\s*\{\s*"Items"\s*:\s*(?=\[)/, "");
    this.#isScan = rows !== head;
    return rows;
  }

  /** The unfinished row or invalid text at the end; `[` when only the end of the list is missing. */
  get rest(): string {
    return (this.#isBegun ? "" : this.#head) + this.#row + this.#junk || (this.#lowest === 1 ? "[" : "");
  }
}

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

/** Parses a row: typed or plain, with or without an export's `Item`. */
export function rowOf(text: string): SourceRow {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { broken: text, why: "the text is not JSON" };
  }
  if (!isMap(parsed)) return { broken: text, why: "the text is no object" };
  const { Item: item = parsed } = parsed;
  if (!isMap(item)) return { broken: text, why: "the export's row has no Item" };
  if (!isTyped(item)) return { row: item };
  try {
    return { row: plain(unmarshall(withBytes(item) as Parameters<typeof unmarshall>[0])) as Row };
  } catch (error) {
    return { broken: text, why: `the types cannot be read: ${(error as Error).message}` };
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

/**
 * The rows of a file, gzipped or not, in order.
 * @throws Unreadable the file is truncated, or cannot be unzipped
 */
export async function* rowsOf(path: string): AsyncGenerator<SourceRow> {
  const file = createReadStream(path, { highWaterMark: 256 * 1_024 });
  const stream: Readable = /\.gz$/i.test(path) ? file.pipe(createGunzip()) : file;
  // `pipe` does not forward errors.
  file.on("error", (error) => stream.destroy(error));
  stream.setEncoding("utf8");
  const cutter = new RowCutter();
  try {
    for await (const chunk of stream) for (const text of cutter.push(chunk as string)) yield rowOf(text);
  } catch (error) {
    throw error instanceof Unreadable
      ? new Unreadable(`${path}: ${error.message}`)
      : new Unreadable(`${path} cannot be read to its end: ${(error as Error).message}`, { cause: error });
  } finally {
    file.destroy();
  }
  const rest = cutter.rest.trim();
  if (rest !== "") yield { broken: rest, why: "the file ends inside a row or a list" };
}
