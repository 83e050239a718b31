import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * One JSON document on disk. A new document replaces the file by renaming, so a kill leaves the old one or the new one.
 * Without a path the document is not kept.
 */
export class JsonFile {
  readonly #path: string | undefined;

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

  /** Stores the document that `current` returns; when this returns, a kill of the process does not lose it. */
  write(current: () => unknown): void {
    if (!this.#path) return;
    writeFileSync(`${this.#path}.new`, JSON.stringify(current()), { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }
}
