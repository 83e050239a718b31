/**
 * npm run once -- import --from <folder> --to <outputs file> [--dry-run] [--yes] [--tell] [--report <folder>]
 * Imports the records of the club's present backend (docs/moving-in.md). It shows its plan and asks before it writes.
 * Ctrl-C stops it between two transactions; the next run continues.
 */
import { createInterface } from "node:readline/promises";
import { importCommand } from "../../tools/once/import/command.ts";

const interrupted = new AbortController();
let first = 0;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // npm may forward the signal that the terminal has sent already.
    if (first > 0 && Date.now() - first > 1_000) process.exit(130);
    first ||= Date.now();
    interrupted.abort();
  });
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal: interrupted.signal })).trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}

process.exitCode = await importCommand(
  process.argv.slice(2),
  { print: console.log, confirm: process.stdin.isTTY ? confirm : undefined },
  interrupted.signal,
);
