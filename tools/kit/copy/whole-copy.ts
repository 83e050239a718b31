/** A copy that is whole and unaltered. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CopyKey, decrypted, keyIn } from "./age.ts";
import {
  accountsFile,
  type CopiedFile,
  type CopiedImage,
  type CopyIndex,
  CopyProblem,
  digest,
  keyFile,
  readIndex,
  ticketKeyFile,
  unpacked,
} from "./folder.ts";

/** An account as `ListUsers` answers it. */
export interface CopiedAccount {
  readonly Username?: string;
  readonly UserStatus?: string;
  readonly Enabled?: boolean;
  readonly Attributes?: readonly { readonly Name: string; readonly Value: string }[];
}

export interface WholeCopy {
  readonly index: CopyIndex;
  readonly ticketKey: string;
  readonly accounts: readonly CopiedAccount[];
  /** The items with the types of their attributes, some thousand at a time. */
  items(): AsyncGenerator<Readonly<Record<string, unknown>>[]>;
  /** One after the other. */
  images(): AsyncGenerator<CopiedImage>;
}

/** @throws CopyProblem when the file is missing, or another one than the export wrote */
async function assertUnaltered(folder: string, { name, sha256 }: CopiedFile): Promise<void> {
  const file = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    throw new CopyProblem(`${join(folder, name)} is missing (${error.code}). Take another copy.`);
  });
  if (digest(file) !== sha256)
    throw new CopyProblem(`${join(folder, name)} is truncated or altered. Take another copy.`);
}

/** @throws CopyProblem */
async function keyOf(folder: string, passphrase: () => Promise<string>): Promise<CopyKey> {
  const file = await readFile(join(folder, keyFile)).catch(() => undefined);
  if (!file) throw new CopyProblem(`${folder} has no ${keyFile}, so it is no copy of a stage.`);
  const key = await keyIn(file, await passphrase());
  if (!key) throw new CopyProblem(`The passphrase is not that of ${folder}, or ${keyFile} is altered.`);
  return key;
}

/**
 * Reads a copy, and compares every file with its index.
 * @param passphrase is asked for when the folder has a copy
 * @throws CopyProblem
 */
export async function openCopy(folder: string, passphrase: () => Promise<string>): Promise<WholeCopy> {
  const key = await keyOf(folder, passphrase);
  const index = await readIndex(folder, key);
  for (const file of index.files) await assertUnaltered(folder, file);
  const namesOf = (beginning: string) =>
    index.files.map(({ name }) => name).filter((name) => name.startsWith(beginning));
  const contentOf = async (name: string) => decrypted(await readFile(join(folder, name)), key);
  return {
    index,
    ticketKey: Buffer.from(await contentOf(ticketKeyFile)).toString("utf8"),
    accounts: await unpacked<CopiedAccount>(await contentOf(accountsFile)),
    async *items() {
      for (const name of namesOf("table-")) {
        const lines = await unpacked<{ readonly Item: Readonly<Record<string, unknown>> }>(await contentOf(name));
        yield lines.map(({ Item }) => Item);
      }
    },
    async *images() {
      for (const name of namesOf("image-")) yield* await unpacked<CopiedImage>(await contentOf(name));
    },
  };
}
