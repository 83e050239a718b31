/** `restore <folder>`: writes a copy into a fresh stage (docs/runbook.md, "A way back"). */
import { setTimeout as pause } from "node:timers/promises";
import { passphraseFrom } from "../kit/copy/passphrase.ts";
import { openCopy, type WholeCopy } from "../kit/copy/whole-copy.ts";
import { makeAccounts, type WantedAccount, wantedAccounts, wrongAccounts } from "./copied-accounts.ts";
import { etagOf, imagesIn, putImage } from "./copied-images.ts";
import {
  type Compared,
  compared,
  type Expected,
  emptiedFirst,
  expectedOf,
  itemsFor,
  type Putting,
  putItems,
} from "./copied-items.ts";
import type { Run } from "./run.ts";
import { startingSchedules, startSchedules, stopSchedules, untilOff } from "./schedules.ts";
import { type ExitCode, number, progressOf, type Terminal } from "./terminal.ts";
import { setTicketKey } from "./ticket-key.ts";

/** What the stage is to have. */
interface Plan {
  readonly copy: WholeCopy;
  readonly items: Expected;
  readonly accounts: ReadonlyMap<string, WantedAccount>;
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([kind, count]) => `${kind} ${number(count)}`).join(", ");

/** @returns whether all images are in the bucket now */
async function putImages({ copy }: Plan, { target, terminal, stop }: Run): Promise<boolean> {
  const there = await imagesIn(target);
  const progress = progressOf(terminal.note);
  let count = 0;
  for await (const image of copy.images()) {
    if (stop?.aborted) return false;
    if (there.get(image.key) !== etagOf(image)) await putImage(target, image);
    count += 1;
    progress("images", count, undefined);
  }
  return true;
}

/** How many images the bucket lacks, or has otherwise, and how many there are to be. */
async function wrongImages({ copy }: Plan, { target }: Run) {
  const there = await imagesIn(target);
  let [wrong, all] = [0, 0];
  for await (const image of copy.images()) {
    all += 1;
    if (there.get(image.key) !== etagOf(image)) wrong += 1;
  }
  return { wrong, all };
}

/** Writes all that is missing. @returns whether all is there now */
async function write(run: Run, plan: Plan, there: Compared, putting: Putting): Promise<boolean> {
  const { target, terminal, stop } = run;
  const begun = performance.now();
  await stopSchedules(target);
  // First: the functions keep a key for 15 minutes.
  await setTicketKey(target, plan.copy.ticketKey);
  if (!(await putImages(plan, run))) return false;
  const progress = progressOf(terminal.note);
  const made = (count: number) => progress("accounts", count, plan.accounts.size);
  if (!(await makeAccounts(target, plan.accounts, { made, stop }))) return false;
  const rest = target.isLaptop ? 0 : untilOff - (performance.now() - begun);
  if (rest > 0) await pause(rest, undefined, { signal: stop }).catch(() => undefined);
  const put = (count: number) => progress("items", count, plan.items.size);
  return putItems(itemsFor(plan.copy, target.imagesUrl), there.same, { putting, put, stop });
}

/** Compares the stage with the copy. @returns whether they are the same */
async function check(run: Run, plan: Plan): Promise<boolean> {
  const { target, terminal } = run;
  const { same, wrong, missing, digest } = await compared(plan.items);
  const accounts = await wrongAccounts(target, plan.accounts);
  const images = await wrongImages(plan, run);
  const kinds = new Map<string, number>();
  for (const name of same) {
    const kind = plan.items.get(name)?.kind ?? "";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  terminal.print(`As in the copy: ${number(same.size)} items (SHA-256 ${digest}): ${listed(kinds)}.`);
  terminal.print(
    `As in the copy: ${number(plan.accounts.size - accounts)} accounts, ${number(images.all - images.wrong)} images.`,
  );
  if (missing.size > 0) terminal.print(`Missing: ${listed(missing)}.`);
  if (wrong.size > 0) terminal.print(`Other than in the copy, or not in it: ${listed(wrong)}.`);
  if (accounts + images.wrong > 0) {
    terminal.print(`Missing, or other: ${number(accounts)} accounts, ${number(images.wrong)} images.`);
  }
  return missing.size + wrong.size + accounts + images.wrong === 0;
}

function printStillOff(print: Terminal["print"]): void {
  print("Still off: the sweeper, which ends holds and announces mails, and the nightly reconciliation. To start them:");
  for (const command of startingSchedules) print(`  ${command}`);
}

/**
 * @param putting how items get into the table. For tests
 * @throws CopyProblem
 */
export async function restore(run: Run, putting: Putting = emptiedFirst): Promise<ExitCode> {
  const { target, terminal, words, isApplied } = run;
  const [folder = ""] = words;
  const copy = await openCopy(folder, () => passphraseFrom(terminal.ask, false));
  const { index } = copy;
  const items = await expectedOf(itemsFor(copy, target.imagesUrl));
  const plan: Plan = { copy, items, accounts: wantedAccounts(copy.accounts) };
  terminal.print(`The copy is of ${index.stage}, ${index.ended}: ${number(items.size)} items that have not ended.`);
  const there = await compared(items);
  if (there.wrong.size > 0) {
    terminal.print(`The stage has data that the copy has not, or has otherwise: ${listed(there.wrong)}.`);
    terminal.print(
      "A copy goes only into a fresh stage, or one that has a part of it. Delete the stack, and deploy it again.",
    );
    return 1;
  }
  const left = plan.copy.accounts.length - plan.accounts.size;
  terminal.print(`To write: ${number(sumOf(there.missing))} items, ${number(plan.accounts.size)} accounts.`);
  if (left > 0) {
    terminal.print(
      `No account is made for ${number(left)} others: never confirmed, or made by Google at the next sign-in.`,
    );
  }
  if (!isApplied) {
    terminal.print("Nothing is written. To write it, add --apply.");
    return 1;
  }
  let isDone = false;
  try {
    if (!(await write(run, plan, there, putting))) {
      terminal.note("Interrupted. The same command continues.");
      return 130;
    }
    isDone = await check(run, plan);
    if (!isDone) {
      terminal.print("The stage is not as the copy. The same command writes what is missing.");
      return 1;
    }
    isDone = index.stage === target.stage.name;
    if (isDone) await startSchedules(target);
    else terminal.print(`This stage is ${target.stage.name}: its sweeper would mail the people of ${index.stage}.`);
  } finally {
    if (!isDone) printStillOff(terminal.print);
  }
  terminal.print("Nothing was mailed, promoted or refunded. Next: npm run ops -- check.");
  terminal.print("People choose a new password. The next night's reconciliation brings what was paid since the copy.");
  return 0;
}
