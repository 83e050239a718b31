/**
 * The folder of a copy of a stage (`npm run ops -- export`). Each file is written once and whole, so that an interrupted
 * export goes on behind the last one:
 *
 * - `key.age`: the key of the other files, encrypted with the passphrase
 * - `table-00001.jsonl.gz.age`, …: items, one a line, as DynamoDB's own exports have them
 *   (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html)
 * - `accounts.jsonl.gz.age`: the accounts of the user pool, as `ListUsers` has them
 * - `ticket-key.txt.age`: the secret that seals tickets
 * - `index.json.age`: what belongs to the copy
 */
import { createHash } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { UsageError } from "../outputs.ts";
import { type CopyKey, decrypted, encrypted } from "./age.ts";

/** Another number means that this code cannot read the copy. */
export const format = 1;

export const keyFile = "key.age";
export const indexFile = "index.json.age";
export const accountsFile = "accounts.jsonl.gz.age";
export const ticketKeyFile = "ticket-key.txt.age";
export const tableFile = (number: number): string => `table-${String(number).padStart(5, "0")}.jsonl.gz.age`;

/** The ending of a file that is not whole yet. */
const draft = ".new";
export const isDraft = (name: string): boolean => name.endsWith(draft);

/** A key of the table, with the types of its attributes. */
export type TableKey = Readonly<Record<string, unknown>>;

export interface CopiedFile {
  readonly name: string;
  /** Of the encrypted file, in hexadecimal. */
  readonly sha256: string;
  /** Items or accounts. */
  readonly lines: number;
}

/** What a copy is of. */
export interface CopySource {
  readonly stage: string;
  readonly table: string;
  readonly adminEmailDomain: string;
}

export interface CopyIndex extends CopySource {
  readonly format: number;
  /** ISO 8601. Each item is as it was at some moment between begin and end. */
  readonly begun: string;
  /** Absent: the copy is not whole. */
  readonly ended?: string;
  readonly files: readonly CopiedFile[];
  /** The key behind which the table's next items are. Absent: there are none behind the files, or no files yet. */
  readonly next?: TableKey;
}

/** The copy cannot be used or continued. The message is for the operator. */
export class CopyProblem extends UsageError {}

/** A file of the copy could not be written. What was written before is whole. The message is for the operator. */
export class NotWritten extends Error {}

export const digest = (file: Uint8Array): string => createHash("sha256").update(file).digest("hex");

/**
 * Writes a file as a whole, for its owner only.
 * @throws NotWritten
 */
export async function writeWhole(folder: string, name: string, content: Uint8Array): Promise<void> {
  const path = join(folder, name);
  try {
    const file = await open(path + draft, "w", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(path + draft, path);
  } catch (cause) {
    await rm(path + draft, { force: true }).catch(() => undefined);
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "ENOSPC" ? "the disk is full" : code;
    const says = `${path} cannot be written: ${why}. What was written before is whole; the same command goes on there.`;
    throw new NotWritten(says, { cause });
  }
}

/** @throws CopyProblem */
export async function readIndex(folder: string, key: CopyKey): Promise<CopyIndex | undefined> {
  const file = await readFile(join(folder, indexFile)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return undefined;
  const text = await decrypted(file, key).catch(() => undefined);
  if (!text) throw new CopyProblem(`${join(folder, indexFile)} is truncated, altered or of another copy.`);
  const index = JSON.parse(Buffer.from(text).toString("utf8")) as CopyIndex;
  if (index.format === format) return index;
  throw new CopyProblem(
    `${folder} has format ${index.format}, and this version reads ${format}: use the version of ${index.begun}.`,
  );
}

export const writeIndex = async (folder: string, index: CopyIndex, key: CopyKey): Promise<void> =>
  writeWhole(folder, indexFile, await encrypted(JSON.stringify(index), key));

/** JSON has no bytes; DynamoDB's has them in base64. */
function withoutBytes(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const given = this[name];
  return given instanceof Uint8Array ? Buffer.from(given).toString("base64") : value;
}

/** One line of JSON for each value, compressed. */
export const packed = (values: readonly unknown[]): Promise<Uint8Array> =>
  promisify(gzip)(values.map((value) => `${JSON.stringify(value, withoutBytes)}\n`).join(""));

export async function unpacked<Value>(content: Uint8Array): Promise<Value[]> {
  const text = (await promisify(gunzip)(content)).toString("utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Value);
}
