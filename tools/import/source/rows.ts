/** Reads rows out of files of any size, without ever holding a whole file: JSON lines, JSON arrays, scans and exports. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { isMap, type Row } from "../map/reading.ts";

/** A row of a file, or the text that is none. */
export type SourceRow = { readonly row: Row } | { readonly broken: string; readonly why: string };

/** DynamoDB's items have at most 400 KB; with its types and escapes their JSON has less than this many characters. */
const longestRow = 4_000_000;

/** A folder cannot be read to its end: a file is cut off, or is not what its name says. */
export class Unreadable extends Error {}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

/** Space, line break or comma. */
const isGap = (character: number): boolean => character <= 32 || character === 44;

/**
 * Cuts JSON into the texts of its rows: the objects on the lowest level, in a list or one after another. A scan's
 * answer, `{"Items": [...]}`, is a list in an object.
 */
export class RowCutter {
  /** How many objects and lists are open; a row begins above `#lowest`, which is 1 inside a list of rows. */
  #depth = 0;
  #lowest = 0;
  #isInText = false;
  #isEscaped = false;
  #row = "";
  /** Text between rows that is neither space nor comma. */
  #junk = "";
  #head = "";
  #isBegun = false;
  #isScan = false;
  #isOver = false;

  /** @returns the rows that are complete by now, and what stands between rows and is none */
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
   * Leaves out the beginning of a scan's answer. The first piece of a file may be short, so it is kept until it says
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

  /** The text of a row that never ended, or of none; `[` when only the end of the list is missing. */
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

/** Sets become lists; binary values become their length, because no field of the service is binary. */
function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value].map(plain);
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
  return value;
}

/** The row of a text, typed or plain, in an export's `Item` or bare. */
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

/** An export has binary values as base64 text. */
const withBytes = (item: Row): Row =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const { B } = value as { B?: unknown };
      return [name, typeof B === "string" ? { B: Buffer.from(B, "base64") } : value];
    }),
  );

/**
 * The rows of a file, gzipped or not, with their place from 0.
 * @throws Unreadable the file is cut off, or cannot be unzipped
 */
export async function* rowsOf(path: string): AsyncGenerator<SourceRow> {
  const file = createReadStream(path, { highWaterMark: 256 * 1_024 });
  const stream: Readable = /\.gz$/i.test(path) ? file.pipe(createGunzip()) : file;
  // `pipe` hands on no error.
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
