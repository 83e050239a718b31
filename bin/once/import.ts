/**
 * npm run once -- import --from <folder> --to <outputs file> [--dry-run] [--yes] [--tell] [--report <folder>]
 * Imports the records of the club's present backend (docs/moving-in.md). It shows its plan and asks before it writes.
 * Ctrl-C stops it between two transactions; the next run continues.
 */
import { createInterface } from "node:readline/promises";
import { interrupted } from "../../tools/kit/interrupted.ts";
import { importCommand } from "../../tools/once/import/command.ts";

const stop = interrupted();

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal: stop })).trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}

process.exitCode = await importCommand(
  process.argv.slice(2),
  { print: console.log, confirm: process.stdin.isTTY ? confirm : undefined },
  stop,
);
