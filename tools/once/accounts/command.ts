/** `npm run once -- accounts --from <file or folder>`: writes a file for Cognito's import of sign-in accounts. */
import { rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { commandWords, UsageError } from "../../kit/npm-flags.ts";
import { usageOf } from "../../kit/usage.ts";
import { accountsOf } from "./accounts.ts";
import { csvOf } from "./csv.ts";
import { readRecords, recordFiles, type SourceRecord, Unreadable } from "./records.ts";

/** 0: the file was written. 1: there is nothing to write. 2: usage error, or unreadable files. */
export type ExitCode = 0 | 1 | 2;

const usage = usageOf("once accounts");

const options = {
  from: { type: "string", multiple: true },
  out: { type: "string", default: "accounts.csv" },
} as const;

/** @throws UsageError */
function asked(args: readonly string[]) {
  const { values, positionals } = commandWords("once accounts", args, options);
  const { from = [], out } = values;
  if (from.length === 0 || positionals.length > 0) throw new UsageError(usage);
  return { from, out };
}

/** Writes the file atomically, readable only by its owner. @throws UsageError */
async function write(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (problem) {
    await rm(draft, { force: true });
    throw new UsageError(`${file} cannot be written: ${(problem as NodeJS.ErrnoException).code}.`);
  }
}

const count = (number: number, one: string): string =>
  `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

async function made(args: readonly string[], print: (line: string) => void): Promise<ExitCode> {
  const { from, out } = asked(args);
  const files = [...new Set((await Promise.all(from.map(recordFiles))).flat().map((file) => resolve(file)))];
  if (files.includes(resolve(out))) throw new UsageError(`--out ${out} would replace a file that is read.`);
  const records: SourceRecord[] = [];
  // Sequentially, to limit memory while unpacking.
  for (const file of files) for (const record of await readRecords(file)) records.push(record);

  const { accounts, refused, respelled } = accountsOf(records);
  const refusals = `${out}.refused.jsonl`;
  print(`${count(records.length, "record")} in ${count(files.length, "file")}`);
  if (respelled.length > 0)
    print(`${count(respelled.length, "email")} in another spelling, now in lower case and trimmed`);
  const times = new Map<string, number>();
  for (const { reason } of refused) times.set(reason, (times.get(reason) ?? 0) + 1);
  for (const [reason, number] of times) print(`${count(number, "record")} not taken: ${reason}`);
  if (refused.length === 0) await rm(refusals, { force: true });
  else {
    await write(refusals, refused.map((one) => `${JSON.stringify(one)}\n`).join(""));
    print(`each of them with its reason in ${refusals}`);
  }
  if (accounts.length === 0) {
    print("There is no account to write.");
    return 1;
  }
  await write(out, csvOf(accounts));
  print(
    `${count(accounts.length, "account")} in ${out}. docs/web-app.md, "A new pool with imported accounts", has the commands that import it.`,
  );
  return 0;
}

/** The command without its process. @param print prints one line */
export async function accountsCommand(args: readonly string[], print: (line: string) => void): Promise<ExitCode> {
  try {
    return await made(args, print);
  } catch (problem) {
    if (!(problem instanceof UsageError || problem instanceof Unreadable)) throw problem;
    print(problem.message);
    return 2;
  }
}
