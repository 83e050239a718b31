/**
 * npm run ops -- <command> --stage-outputs <file> [--apply]
 * An operator's commands for a running stage, in AWS or on the laptop (docs/runbook.md): check, repair, replay,
 * redrive, promote, books, sign-up, admins, who, export. Without --apply nothing is written. Ctrl-C ends a command between two pages.
 */
import { hiddenQuestion } from "../tools/kit/copy/passphrase.ts";
import { interrupted } from "../tools/kit/interrupted.ts";
import { ops } from "../tools/ops/command.ts";

const terminal = { print: console.log, note: console.error, ask: hiddenQuestion() };
process.exitCode = await ops(process.argv.slice(2), terminal, interrupted());
