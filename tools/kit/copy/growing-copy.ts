/** A copy that is being made, or that is continued after an interruption. */
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CopyKey, encrypted, keyIn, newKey } from "./age.ts";
import {
  accountsFile,
  type CopyIndex,
  CopyProblem,
  type CopySource,
  digest,
  format,
  isDraft,
  keyFile,
  packed,
  readIndex,
  type TableKey,
  tableFile,
  ticketKeyFile,
  writeIndex,
  writeWhole,
} from "./folder.ts";

/** Milliseconds: items that are much older than the others would fit them even less. */
const longestBreak = 24 * 3_600_000;

/** @throws CopyProblem when the folder has anything but a copy */
async function filesOf(folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new CopyProblem(`${folder} cannot be made (${error.code}).`);
  });
  const names = await readdir(folder);
  for (const name of names.filter(isDraft)) await rm(join(folder, name));
  const whole = names.filter((name) => !isDraft(name));
  if (whole.length === 0 || whole.includes(keyFile)) return whole;
  throw new CopyProblem(`${folder} has other files. Name a new folder.`);
}

/** @throws CopyProblem when the copy cannot be continued */
function assertContinued(folder: string, index: CopyIndex, source: CopySource): void {
  if (index.stage !== source.stage || index.table !== source.table) {
    throw new CopyProblem(`${folder} has a copy of ${index.stage} (table ${index.table}). Name a new folder.`);
  }
  if (index.ended !== undefined) {
    throw new CopyProblem(`${folder} has a whole copy, of ${index.ended}. Name a new folder.`);
  }
  if (Date.now() - Date.parse(index.begun) > longestBreak) {
    throw new CopyProblem(`${folder} was begun at ${index.begun}, too long ago to go on. Name a new folder.`);
  }
}

export class GrowingCopy {
  readonly #folder: string;
  readonly #key: CopyKey;
  #index: CopyIndex;

  private constructor(folder: string, key: CopyKey, index: CopyIndex) {
    this.#folder = folder;
    this.#key = key;
    this.#index = index;
  }

  /**
   * Begins a copy in a folder that is new or empty, or continues the one there.
   * @param passphrase is asked for when the folder is fit
   * @throws CopyProblem, NotWritten
   */
  static async open(
    folder: string,
    source: CopySource,
    passphrase: (isNew: boolean) => Promise<string>,
  ): Promise<GrowingCopy> {
    const isNew = !(await filesOf(folder)).includes(keyFile);
    const given = await passphrase(isNew);
    if (isNew) {
      const { key, file } = await newKey(given);
      await writeWhole(folder, keyFile, file);
      return new GrowingCopy(folder, key, { format, ...source, begun: new Date().toISOString(), files: [] });
    }
    const key = await keyIn(await readFile(join(folder, keyFile)), given);
    if (!key) throw new CopyProblem(`The passphrase is not that of ${folder}, or ${keyFile} is altered.`);
    const index = await readIndex(folder, key);
    if (index) assertContinued(folder, index, source);
    return new GrowingCopy(folder, key, index ?? { format, ...source, begun: new Date().toISOString(), files: [] });
  }

  get index(): CopyIndex {
    return this.#index;
  }

  has(name: string): boolean {
    return this.#index.files.some((file) => file.name === name);
  }

  /** Whether all items are in the copy. */
  get hasTable(): boolean {
    return this.#index.next === undefined && this.has(tableFile(1));
  }

  /** Writes one file, and then that it belongs to the copy. */
  async #add(name: string, content: Uint8Array | string, lines: number, next: TableKey | undefined): Promise<void> {
    const file = await encrypted(content, this.#key);
    await writeWhole(this.#folder, name, file);
    const { next: _before, ...index } = this.#index;
    const files = [...index.files, { name, sha256: digest(file), lines }];
    await this.#note({ ...index, files, ...(next && { next }) });
  }

  async #note(index: CopyIndex): Promise<void> {
    await writeIndex(this.#folder, index, this.#key);
    this.#index = index;
  }

  /**
   * Adds items, with the types of their attributes.
   * @param next the key that the table's scan goes on behind; undefined at its end
   * @throws NotWritten
   */
  async addItems(items: readonly object[], next: TableKey | undefined): Promise<void> {
    const number = this.#index.files.filter(({ name }) => name.startsWith("table-")).length + 1;
    const lines = items.map((Item) => ({ Item }));
    await this.#add(tableFile(number), await packed(lines), items.length, next);
  }

  /** Adds all accounts, as `ListUsers` answers them. @throws NotWritten */
  async addAccounts(accounts: readonly object[]): Promise<void> {
    await this.#add(accountsFile, await packed(accounts), accounts.length, this.#index.next);
  }

  /** @throws NotWritten */
  async addTicketKey(secret: string): Promise<void> {
    await this.#add(ticketKeyFile, secret, 1, this.#index.next);
  }

  /** The copy is whole. @throws NotWritten */
  async end(): Promise<CopyIndex> {
    await this.#note({ ...this.#index, ended: new Date().toISOString() });
    return this.#index;
  }
}
