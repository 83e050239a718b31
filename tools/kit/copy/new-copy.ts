/** A copy that is being made. Its index is written at the end, so one that was interrupted has none. */
import { mkdir, readdir } from "node:fs/promises";
import { type CopyKey, encrypted, newKey } from "./age.ts";
import {
  accountsFile,
  type CopiedFile,
  type CopiedImage,
  type CopyIndex,
  CopyProblem,
  type CopySource,
  digest,
  format,
  imageFile,
  keyFile,
  packed,
  tableFile,
  ticketKeyFile,
  write,
  writeIndex,
} from "./folder.ts";

export class NewCopy {
  readonly #folder: string;
  readonly #key: CopyKey;
  readonly #source: CopySource;
  readonly #begun = new Date().toISOString();
  readonly #files: CopiedFile[] = [];

  private constructor(folder: string, key: CopyKey, source: CopySource) {
    this.#folder = folder;
    this.#key = key;
    this.#source = source;
  }

  /**
   * Begins a copy in a folder that is new or empty.
   * @param passphrase is asked for when the folder is fit
   * @param workFactor the logarithm of scrypt's cost. Absent: age's own. For tests
   * @throws CopyProblem, NotWritten
   */
  static async begin(
    folder: string,
    source: CopySource,
    passphrase: () => Promise<string>,
    workFactor?: number,
  ): Promise<NewCopy> {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      throw new CopyProblem(`${folder} cannot be made (${error.code}).`);
    });
    if ((await readdir(folder)).length > 0) throw new CopyProblem(`${folder} is not empty. Name a new folder.`);
    const { key, file } = await newKey(await passphrase(), workFactor);
    await write(folder, keyFile, file);
    return new NewCopy(folder, key, source);
  }

  /** Items, accounts or images that are in files whose names begin so. */
  linesOf(beginning: string): number {
    return this.#files.filter(({ name }) => name.startsWith(beginning)).reduce((sum, { lines }) => sum + lines, 0);
  }

  #filesOf(beginning: string): number {
    return this.#files.filter(({ name }) => name.startsWith(beginning)).length;
  }

  async #add(name: string, content: Uint8Array | string, lines: number): Promise<void> {
    const file = await encrypted(content, this.#key);
    await write(this.#folder, name, file);
    this.#files.push({ name, sha256: digest(file), lines });
  }

  /** Adds items, with the types of their attributes. @throws NotWritten */
  async addItems(items: readonly object[]): Promise<void> {
    const file = tableFile(this.#filesOf("table-") + 1);
    await this.#add(file, await packed(items.map((Item) => ({ Item }))), items.length);
  }

  /** Adds all accounts, as `ListUsers` answers them. @throws NotWritten */
  async addAccounts(accounts: readonly object[]): Promise<void> {
    await this.#add(accountsFile, await packed(accounts), accounts.length);
  }

  /** @throws NotWritten */
  async addImage(image: CopiedImage): Promise<void> {
    await this.#add(imageFile(this.#filesOf("image-") + 1), await packed([image]), 1);
  }

  /** @throws NotWritten */
  async addTicketKey(secret: string): Promise<void> {
    await this.#add(ticketKeyFile, secret, 1);
  }

  /** The copy is whole. @throws NotWritten */
  async end(): Promise<CopyIndex> {
    const [begun, files] = [this.#begun, this.#files];
    const index = { format, ...this.#source, begun, ended: new Date().toISOString(), files };
    await writeIndex(this.#folder, index, this.#key);
    return index;
  }
}
