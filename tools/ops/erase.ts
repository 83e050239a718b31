/** `erase <email>`: what a deletion leaves to an operator, the sign-in account and an early end (docs/runbook.md). */
import { AdminDeleteUserCommand, CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { shownOf } from "#domain/catalogue/shown.ts";
import { changeNote, dueIn, newPseudonym } from "#domain/people/users/erasures.ts";
import { isLeft } from "#domain/personal-data/delete-person.ts";
import { type ErasureState, endErasure, isMoneyUnderWay, notesOf } from "#domain/personal-data/erase.ts";
import { commit, exists, type Item, putIf } from "#kit/table/table.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { isoText } from "#kit/text/text.ts";
import { auditRow } from "#outbox/audit.ts";
import { UsageError } from "../kit/outputs.ts";
import { pagesOfTable } from "./invariants/walk.ts";
import type { Run } from "./run.ts";
import { type ExitCode, number } from "./terminal.ts";
import { signInAccounts } from "./who.ts";

type Note = Awaited<ReturnType<typeof notesOf>>[number];

/** Milliseconds of one run of an erasure. */
const runTime = 60_000;

async function removeSignIn({ target }: Run, email: string, usernames: readonly (string | undefined)[]): Promise<void> {
  const client = new CognitoIdentityProviderClient({ region: target.region });
  const by = { now: Date.now(), actor: "operator", requestId: "npm run ops -- erase" };
  await commit({ audit: auditRow({ action: "signInAccount.removed", email }, by) });
  for (const Username of usernames) {
    await client.send(new AdminDeleteUserCommand({ UserPoolId: target.userPoolId, Username }));
  }
}

const rows: readonly string[] = ["outbox row", "audit row", "feedback"];
const names: readonly string[] = ["fname", "respondentName"];

/** A value at any depth, with another email, and without the person's name. */
function renamed(value: unknown, email: string, pseudonym: string): unknown {
  if (value === email) return pseudonym;
  if (Array.isArray(value)) return value.map((one) => renamed(one, email, pseudonym));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, names.includes(name) ? "" : renamed(one, email, pseudonym)]),
  );
}

/** Renames the person in messages, audit and feedback, which only a scan finds. @returns how many rows */
async function renameRows(email: string, pseudonym: string): Promise<number> {
  let found = 0;
  for await (const page of pagesOfTable()) {
    for (const item of page) {
      if (!rows.includes(shownOf(item, email)?.kind ?? "")) continue;
      await commit({ row: putIf(renamed(item, email, pseudonym) as Item, exists) });
      found += 1;
    }
  }
  return found;
}

/** The name is noted first, so that a run that dies is continued with the same one. */
async function endNow(note: Note): Promise<{ readonly state: ErasureState; readonly rows: number }> {
  const { email, deletedAt, pseudonym = newPseudonym() } = note;
  if (await isMoneyUnderWay(email)) return { state: "money", rows: 0 };
  await commit({ note: changeNote(note, { email, deletedAt, pseudonym }) });
  const found = await renameRows(email, pseudonym);
  let state: ErasureState = "more";
  // A run does what it finds, and only one that finds nothing is the last.
  while (state === "more") {
    const [left] = (await notesOf(email)).filter((one) => one.deletedAt === deletedAt);
    state = left ? await endErasure(left, Date.now(), { deadline: performance.now() + runTime }) : "over";
  }
  return { state, rows: found };
}

export async function erase(run: Run): Promise<ExitCode> {
  const { words, flags, terminal, isApplied } = run;
  const [text = ""] = words;
  const email = canonicalEmail(text);
  if (email === undefined) throw new UsageError(`${text} is no email.`);
  if (await isLeft(email)) {
    terminal.print(`${email} is not deleted. First DELETE /users/${email}.`);
    return 1;
  }
  const [accounts, notes] = await Promise.all([signInAccounts(run, email), notesOf(email)]);
  const due = notes.map((note) => isoText(dueIn(note))).join(", ");
  terminal.print(`Sign-in accounts: ${accounts.length}. Erasures to come: ${due || "none"}.`);
  const ended = flags.now === true ? notes : [];
  if (accounts.length + notes.length === 0) {
    terminal.print("Nothing is left to remove. If nobody has deleted this person, the email is mistyped.");
  }
  if (accounts.length + ended.length === 0) return 0;
  if (!isApplied) {
    const removed = accounts.length > 0 ? ["remove the sign-in account"] : [];
    const ends = ended.length > 0 ? ["end the erasure now"] : [];
    terminal.print(`To ${[...removed, ...ends].join(" and ")}, add --apply.`);
    return 1;
  }
  if (accounts.length > 0) {
    const usernames = accounts.map(({ username }) => username);
    await removeSignIn(run, email, usernames);
    terminal.print("The sign-in account is removed. A token that is still valid works for an hour at most.");
  }
  for (const note of ended) {
    const { state, rows: found } = await endNow(note);
    if (state === "money") {
      terminal.print(`Money is under way, see npm run ops -- books. The erasure ends after ${isoText(dueIn(note))}.`);
      return 1;
    }
    terminal.print(`The erasure is over; ${number(found)} messages, rows of the audit and submissions were renamed.`);
  }
  return 0;
}
