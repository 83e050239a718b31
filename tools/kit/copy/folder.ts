/**
 * The folder of a copy of a stage (`npm run ops -- export`):
 *
 * - `key.age`: the key of the other files, encrypted with the passphrase
 * - `table-00001.jsonl.gz.age`, …: items, one a line, as DynamoDB's own exports have them
 *   (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html)
 * - `accounts.jsonl.gz.age`: the accounts of the user pool, as `ListUsers` has them
 * - `image-00001.jsonl.gz.age`, …: a line for each image of the bucket
 * - `ticket-key.txt.age`: the secret that seals tickets
 * - `index.json.age`: what belongs to the copy. It is written last
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
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
export const imageFile = (number: number): string => `image-${String(number).padStart(5, "0")}.jsonl.gz.age`;
export const tableFile = (number: number): string => `table-${String(number).padStart(5, "0")}.jsonl.gz.age`;

export interface CopiedFile {
  readonly name: string;
  /** Of the encrypted file, in hexadecimal. */
  readonly sha256: string;
  /** Items, accounts or images. */
  readonly lines: number;
}

/** What a copy is of. */
export interface CopySource {
  readonly stage: string;
  readonly table: string;
  readonly adminEmailDomain: string;
  /** The public address of the bucket, which items name. Absent: the copy is of a version that copied no images. */
  readonly imagesUrl?: string;
}

/** An object of the bucket. */
export interface CopiedImage {
  readonly key: string;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  /** In base64. */
  readonly body: string;
}

export interface CopyIndex extends CopySource {
  readonly format: number;
  /** ISO 8601. Each item is as it was at some moment between begin and end. */
  readonly begun: string;
  readonly ended: string;
  readonly files: readonly CopiedFile[];
}

/** The copy cannot be made or used. The message is for the operator. */
export class CopyProblem extends UsageError {}

/** A file of the copy could not be written. The message is for the operator. */
export class NotWritten extends Error {}

export const digest = (file: Uint8Array): string => createHash("sha256").update(file).digest("hex");

/**
 * Writes a new file, for its owner only.
 * @throws NotWritten
 */
export async function write(folder: string, name: string, content: Uint8Array): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600, flag: "wx", flush: true }).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === "ENOSPC" ? "the disk is full" : cause.code;
    throw new NotWritten(`${path} cannot be written: ${why}. Delete the folder, and take another copy.`, { cause });
  });
}

/** @throws CopyProblem */
export async function readIndex(folder: string, key: CopyKey): Promise<CopyIndex> {
  const file = await readFile(join(folder, indexFile)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new CopyProblem(`${folder} is not whole: its export was interrupted. Take another copy.`);
  });
  const text = await decrypted(file, key).catch(() => undefined);
  if (!text) throw new CopyProblem(`${join(folder, indexFile)} is truncated, altered or of another copy.`);
  const index = JSON.parse(Buffer.from(text).toString("utf8")) as CopyIndex;
  if (index.format === format) return index;
  throw new CopyProblem(
    `${folder} has format ${index.format}, and this version reads ${format}: use the version of ${index.begun}.`,
  );
}

export const writeIndex = async (folder: string, index: CopyIndex, key: CopyKey): Promise<void> =>
  write(folder, indexFile, await encrypted(JSON.stringify(index), key));

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
