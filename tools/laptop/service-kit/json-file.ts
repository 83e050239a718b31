import { mkdirSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * One JSON document on disk. A new document replaces the file by renaming, so a kill leaves the old one or the new one.
 * Without a path the document is not kept.
 */
export class JsonFile {
  readonly #path: string | undefined;
  #writing: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
    if (path) mkdirSync(dirname(path), { recursive: true });
  }

  /**
   * The stored document, undefined when there is none yet.
   * @throws Error when the file exists and cannot be read
   */
  read(): unknown {
    if (!this.#path) return undefined;
    try {
      return JSON.parse(readFileSync(this.#path, "utf8"));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw new Error(`cannot read ${this.#path}; start with --reset to begin anew`, { cause });
    }
  }

  /**
   * Stores the document that `current` returns. Resolves when it is on disk; calls during a write share the next write.
   */
  write(current: () => unknown): Promise<void> {
    const path = this.#path;
    if (!path) return Promise.resolve();
    this.#queued ??= this.#writing.then(async () => {
      this.#queued = undefined;
      await writeFile(`${path}.new`, JSON.stringify(current()), { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    // The caller of the write gets its failure. The next write is tried all the same.
    this.#writing = this.#queued.catch(() => undefined);
    return this.#queued;
  }

  /** Resolves when no write is under way. */
  settled(): Promise<void> {
    return this.#writing;
  }
}
