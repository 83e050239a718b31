/** Stops `npm start`: at a signal, the end of its terminal, or the end of npm. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** npm and the terminal both send a CTRL-C. Signals within this many milliseconds count as one. */
const samePress = 300;

/** Milliseconds between checks whether npm still runs. */
const lookEvery = 500;

/**
 * Calls `stop` once: at the first signal, or when the processes that started this one are gone. A second signal ends
 * the process at once.
 */
export function stopWithNpm(stop: () => Promise<void>): void {
  let stopping: number | undefined;
  const begin = (): void => {
    if (stopping !== undefined) return;
    stopping = performance.now();
    console.log("\nstopping …");
    stop().then(
      () => process.exit(0),
      (problem) => {
        console.error(problem);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (stopping !== undefined && performance.now() - stopping > samePress) process.exit(130);
      begin();
    });
  }
  // A closed terminal or pipe takes no more lines. That must not end the process before it has stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", begin);
  const starters = npmProcesses();
  if (starters.length > 0) setInterval(() => starters.every(isRunning) || begin(), lookEvery).unref();
}

/**
 * npm and the shell between npm and this process; empty when npm did not start it. npm sends SIGINT and SIGTERM to the
 * shell only (https://github.com/npm/run-script, lib/signal-manager.js). A shell that waits for its command, as dash
 * does, ends and sends nothing on. A killed npm sends nothing either. So the end of these processes counts as a signal.
 */
function npmProcesses(): number[] {
  const script = process.env.npm_lifecycle_script;
  if (script === undefined) return [];
  const parent = process.ppid;
  const { arguments: words, parent: grandparent } = processOf(parent);
  // Other shells become the command: then the parent is npm, whose arguments do not contain the script.
  return words.includes(script) && grandparent > 1 ? [parent, grandparent] : [parent];
}

/** The parent and the arguments of a process, from `/proc` on Linux and from `ps` elsewhere. */
function processOf(id: number): { parent: number; arguments: string } {
  try {
    if (process.platform === "linux") {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
      return { parent: Number(parent), arguments: readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ") };
    }
    const said = execFileSync("ps", ["-o", "ppid=,args=", "-p", `${id}`], { encoding: "utf8" });
    return { parent: Number.parseInt(said, 10), arguments: said };
  } catch {
    return { parent: 0, arguments: "" };
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (problem) {
    // Another user's process may not get a signal, but it is there.
    return (problem as NodeJS.ErrnoException).code === "EPERM";
  }
}
