/** Other commands as child processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Child {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Ends it. */
  readonly stop: AbortSignal;
  /** Prints each line of its output at once. */
  readonly print?: (line: string) => void;
}

/** A command ended with another code than 0. */
export class CommandFailed extends Error {
  /** What it printed. */
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

/**
 * Runs a script in this Node.
 * @returns what it printed
 * @throws CommandFailed
 */
export async function runNode(args: readonly string[], { folder, environment, stop, print }: Child): Promise<string> {
  stop.throwIfAborted();
  const child = spawn(process.execPath, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => child.kill();
  stop.addEventListener("abort", end);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    let begun = "";
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const lines = (begun + text).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) print?.(line);
    });
  }
  const [code, signal] = await once(child, "close");
  stop.removeEventListener("abort", end);
  stop.throwIfAborted();
  if (code === 0) return output;
  throw new CommandFailed(`ended with ${code ?? signal}`, output);
}
