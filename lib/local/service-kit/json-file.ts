import { mkdirSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * One JSON document on disk. It is replaced by renaming, so that a killed process leaves either the old or the new one.
 * Without a path nothing is kept.
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
   * @throws Error when the file is there and cannot be read.
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

  /** Stores what `current` returns. Resolves when it is on disk; calls during a write share the next one. */
  write(current: () => unknown): Promise<void> {
    const path = this.#path;
    if (!path) return Promise.resolve();
    this.#queued ??= this.#writing.then(async () => {
      this.#queued = undefined;
      await writeFile(`${path}.new`, JSON.stringify(current()), { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    // Whoever asked for the write hears of its failure; the next write must be tried all the same.
    this.#writing = this.#queued.catch(() => undefined);
    return this.#queued;
  }

  /** Resolves when nothing is left to write. */
  settled(): Promise<void> {
    return this.#writing;
  }
}
