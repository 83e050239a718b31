/** A file of JSON lines that a service appends to and reads when it starts: what was appended survives a kill. */
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

/** Lines that may be superfluous before the file is written anew. */
const slack = 1_000;

export interface JournalOptions<Line> {
  /** Absent: nothing is kept. */
  readonly file: string | undefined;
  /** The shortest lines that say the same as all that were appended. */
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
   * Opens the file and hands every line that it has to `replay`, oldest first. A line that a kill cut short is left out.
   * @throws Error when the file is there and a line in it is no JSON
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

  /** Writes a line down; it is safe from a kill of the process when this returns. */
  append(line: Line): void {
    if (this.#descriptor === undefined) return;
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
    this.#lines += 1;
    if (this.#lines >= this.#compactAt) this.compact();
  }

  /** Replaces the file by its shortest equivalent: a kill leaves the old one or the new one. */
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
  // A whole line ends in a line feed; what follows the last one was cut short.
  lines.pop();
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Line;
    } catch (cause) {
      throw new Error(`cannot read line ${index + 1} of ${file}; start with --reset to begin anew`, { cause });
    }
  });
}
