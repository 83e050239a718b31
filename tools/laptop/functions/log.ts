/** The log lines of functions: a file for each function, or an array for tests. */
import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { join } from "node:path";

/** One line that a function printed. */
export interface LogLine {
  /** The function's name, as in the name of its log file: `Events`. */
  readonly functionName: string;
  readonly text: string;
}

/** An error that a function logged. */
export interface LoggedError extends LogLine {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Takes the lines of all functions. */
export interface FunctionLog {
  /** The latest lines, oldest first; kept only when there is no directory. */
  readonly lines: readonly LogLine[];
  /** The latest errors that functions logged, oldest first. */
  readonly errors: readonly LoggedError[];
  write(functionName: string, text: string): void;
  /** Takes a line of the stage itself about a function. The function's log in AWS does not have it. */
  remark(functionName: string, text: string): void;
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
/** Errors that are kept in memory. */
const maxErrors = 500;

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
  const errors: LoggedError[] = [];
  const files = new Map<string, WriteStream>();
  if (directory) mkdirSync(directory, { recursive: true });

  const fileOf = (functionName: string, folder: string): WriteStream => {
    const file = files.get(functionName) ?? createWriteStream(join(folder, `${functionName}.log`), { flags: "a" });
    files.set(functionName, file);
    return file;
  };
  const remark = (functionName: string, text: string): void => {
    if (directory) fileOf(functionName, directory).write(`${text}\n`);
    else if (lines.push({ functionName, text }) > maxLines) lines.shift();
    if (verbose || (!quiet && isError(text))) console.error(`${functionName}: ${text}`);
  };
  return {
    lines,
    errors,
    remark,
    write(functionName, text) {
      remark(functionName, text);
      if (isError(text) && errors.push({ functionName, text, at: Date.now() }) > maxErrors) errors.shift();
    },
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise<void>((done) => file.end(done))));
    },
  };
}
