/**
 * A file of JSON lines. A service appends a line for each change and reads all lines when it starts, so a kill loses no
 * change.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** Superfluous lines that the file may have before it is rewritten. */
const slack = 1_000;

export interface JournalOptions<Line> {
  /** Absent: nothing is kept. */
  readonly file: string | undefined;
  /** The fewest lines that describe the present state. */
  readonly current: () => readonly Line[];
}

export class Journal<Line> {
  readonly #file: string | undefined;
  readonly #current: () => readonly Line[];
  #descriptor: number | undefined;
  #lines = 0;
  #compactAt = slack;

  private constructor({ file, current }: JournalOptions<Line>) {
    this.#file = file;
    this.#current = current;
  }

  /**
   * Opens the file and hands every line to `replay`, oldest first. A truncated last line is dropped.
   * @throws Error when a line of the file is not JSON
   */
  static open<Line>(options: JournalOptions<Line>, replay: (line: Line) => void): Journal<Line> {
    const journal = new Journal(options);
    const { file } = options;
    if (!file) return journal;
    mkdirSync(dirname(file), { recursive: true });
    for (const line of readLines<Line>(file)) replay(line);
    journal.compact();
    return journal;
  }

  /** Appends a line; when this returns, a kill of the process does not lose it. */
  append(line: Line): void {
    if (this.#descriptor === undefined) return;
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
    this.#lines += 1;
    if (this.#lines >= this.#compactAt) this.compact();
  }

  /** Replaces the file by the fewest lines. A kill leaves the old file or the new one. */
  compact(): void {
    if (!this.#file) return;
    const lines = this.#current();
    writeFileSync(`${this.#file}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
    this.close();
    renameSync(`${this.#file}.new`, this.#file);
    this.#descriptor = openSync(this.#file, "a", 0o600);
    this.#lines = lines.length;
    this.#compactAt = 2 * lines.length + slack;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

function readLines<Line>(file: string): Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  // A complete line ends in a line feed; the rest was truncated by a kill.
  lines.pop();
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Line;
    } catch (cause) {
      throw new Error(`cannot read line ${index + 1} of ${file}; start with --reset to begin anew`, { cause });
    }
  });
}
