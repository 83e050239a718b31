/** Where the lines go that functions print: a file for each function, or an array for tests. */
import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { join } from "node:path";

/** One line that a function printed. */
export interface LogLine {
  /** As in the log's file name: `Events`. */
  readonly functionName: string;
  readonly text: string;
}

/** Takes the lines of all functions. */
export interface FunctionLog {
  /** The latest lines, oldest first. Only kept where there is no directory. */
  readonly lines: readonly LogLine[];
  write(functionName: string, text: string): void;
  /** Resolves when everything is in the files. */
  close(): Promise<void>;
}

export interface FunctionLogOptions {
  /** Absent: lines are kept in memory. */
  readonly directory?: string;
  /** Also print every line to the terminal, not only errors. */
  readonly verbose?: boolean;
  /** Errors do not go to the terminal either. */
  readonly quiet?: boolean;
}

/** Lines that are kept in memory; a rush writes a few for each request. */
const mostLines = 20_000;

/** Functions that write JSON say so themselves; anything else comes from Node, which only speaks up when it is bad. */
function isError(text: string): boolean {
  try {
    const { level } = JSON.parse(text) as { level?: unknown };
    return level === "ERROR" || level === "CRITICAL" || level === "FATAL";
  } catch {
    return false;
  }
}

export function openFunctionLog({ directory, verbose = false, quiet = false }: FunctionLogOptions): FunctionLog {
  const lines: LogLine[] = [];
  const files = new Map<string, WriteStream>();
  if (directory) mkdirSync(directory, { recursive: true });

  const fileOf = (functionName: string, folder: string): WriteStream => {
    const file = files.get(functionName) ?? createWriteStream(join(folder, `${functionName}.log`), { flags: "a" });
    files.set(functionName, file);
    return file;
  };
  return {
    lines,
    write(functionName, text) {
      if (directory) fileOf(functionName, directory).write(`${text}\n`);
      else if (lines.push({ functionName, text }) > mostLines) lines.shift();
      if (verbose || (!quiet && isError(text))) console.error(`${functionName}: ${text}`);
    },
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise<void>((done) => file.end(done))));
    },
  };
}
