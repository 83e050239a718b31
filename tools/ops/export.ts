/** `export <folder>`: a copy of the stage outside of its account, encrypted (docs/runbook.md, "A copy"). It reads only. */
import { tableName } from "#kit/table/table.ts";
import { accountsFile, NotWritten } from "../kit/copy/folder.ts";
import { NewCopy } from "../kit/copy/new-copy.ts";
import { passphraseFrom } from "../kit/copy/passphrase.ts";
import { accountsIn } from "./copied-accounts.ts";
import { imageOf, imagesIn } from "./copied-images.ts";
import { rawPages } from "./copied-items.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";
import { ticketKeyOf } from "./ticket-key.ts";

export const leftOut =
  "Not in the copy: passwords and authenticator apps, which Cognito does not tell; secrets of the payment provider, the chat and Google; logs.";

/** @returns whether all items are in the copy now */
async function copyTable(copy: NewCopy, { terminal, total, stop }: Run): Promise<boolean> {
  const progress = progressOf(terminal.note);
  for await (const page of rawPages()) {
    await copy.addItems(page);
    progress("items", copy.linesOf("table-"), total);
    if (stop?.aborted) return false;
  }
  return true;
}

/** @returns whether all images are in the copy now */
async function copyImages(copy: NewCopy, { target, stop, terminal }: Run): Promise<boolean> {
  const progress = progressOf(terminal.note);
  const keys = [...(await imagesIn(target)).keys()];
  for (const key of keys) {
    if (stop?.aborted) return false;
    await copy.addImage(await imageOf(target, key));
    progress("images", copy.linesOf("image-"), keys.length);
  }
  return true;
}

/** @returns whether all accounts are in the copy now */
async function copyAccounts(copy: NewCopy, { target, stop, terminal }: Run): Promise<boolean> {
  const accounts: object[] = [];
  const progress = progressOf(terminal.note);
  for await (const page of accountsIn(target)) {
    accounts.push(...page);
    progress("accounts", accounts.length, undefined);
    if (stop?.aborted) return false;
  }
  await copy.addAccounts(accounts);
  return true;
}

/**
 * @param workFactor as `NewCopy.begin` has it. For tests
 * @throws CopyProblem
 */
export async function exportStage(run: Run, workFactor?: number): Promise<ExitCode> {
  const { target, terminal, meter, words } = run;
  const [folder = ""] = words;
  const source = {
    stage: target.stage.name,
    table: tableName,
    adminEmailDomain: target.stage.adminEmailDomain,
    imagesUrl: target.imagesUrl,
  };
  try {
    const copy = await NewCopy.begin(folder, source, () => passphraseFrom(terminal.ask, true), workFactor);
    const begun = performance.now();
    await copy.addTicketKey(await ticketKeyOf(target));
    if (!(await copyTable(copy, run)) || !(await copyAccounts(copy, run)) || !(await copyImages(copy, run))) {
      terminal.note(`Interrupted. Delete ${folder}, and take another copy.`);
      return 130;
    }
    const { begun: from, ended } = await copy.end();
    const [items, accounts, images] = ["table-", accountsFile, "image-"].map((name) => number(copy.linesOf(name)));
    terminal.print(`${folder} has ${items} items, ${accounts} accounts, ${images} images and the ticket key.`);
    terminal.print(`Each item is as it was at some moment from ${from} to ${ended}.`);
    terminal.print(leftOut);
    terminal.note(costLine(begun, meter.units));
    return 0;
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    terminal.note(error.message);
    return 1;
  }
}
