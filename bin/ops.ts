/**
 * npm run ops -- <command> --stage-outputs <file> [--apply]
 * An operator's commands for a running stage, in AWS or on the laptop (docs/runbook.md): check, repair, replay,
 * redrive, promote, books, sign-up, admins, who, export. Without --apply nothing is written. Ctrl-C ends a command between two pages.
 */
import { hiddenQuestion } from "../tools/kit/copy/passphrase.ts";
import { ops } from "../tools/ops/command.ts";

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

const terminal = { print: console.log, note: console.error, ask: hiddenQuestion() };
process.exitCode = await ops(process.argv.slice(2), terminal, interrupted.signal);
