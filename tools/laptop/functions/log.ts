/** The log lines of functions: a file for each function, or an array for tests. */
import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { join } from "node:path";

/** One line that a function printed. */
export interface LogLine {
  /** The function's name, as in the name of its log file: `Events`. */
  readonly functionName: string;
  readonly text: string;
}

/** Takes the lines of all functions. */
export interface FunctionLog {
  /** The latest lines, oldest first; kept only when there is no directory. */
  readonly lines: readonly LogLine[];
  write(functionName: string, text: string): void;
  /** Resolves when all lines are in the files. */
  close(): Promise<void>;
}

export interface FunctionLogOptions {
  /** Absent: lines are kept in memory. */
  readonly directory?: string;
  /** Also print every line to the terminal, not only errors. */
  readonly verbose?: boolean;
  /** Do not print errors to the terminal either. */
  readonly quiet?: boolean;
}

/** Lines that are kept in memory; a rush writes a few for each request. */
const maxLines = 20_000;

/**
 * Functions log JSON with a level. Lambda's record has none; the stage prints it only for an invocation that ran out of
 * its time. Any other line comes from Node, and is kept only with the others.
 */
function isError(text: string): boolean {
  try {
    const { level, type } = JSON.parse(text) as { level?: unknown; type?: unknown };
    return level === "ERROR" || level === "CRITICAL" || level === "FATAL" || type === "platform.report";
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
      else if (lines.push({ functionName, text }) > maxLines) lines.shift();
      if (verbose || (!quiet && isError(text))) console.error(`${functionName}: ${text}`);
    },
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise<void>((done) => file.end(done))));
    },
  };
}
