/** `erase <email>`: what a deletion leaves to an operator, the sign-in account and an early end (docs/runbook.md). */
import { AdminDeleteUserCommand, CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { dueIn, type ErasureNote, erasedName, erasuresOf } from "#domain/people/users/erasures.ts";
import { isLeft } from "#domain/personal-data/delete-person.ts";
import { delayOf, type ErasureState, endErasure } from "#domain/personal-data/erase.ts";
import { shownOf } from "#domain/personal-data/shown.ts";
import { commit, drop, exists, putIf } from "#kit/table/table.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { isoText } from "#kit/text/text.ts";
import { auditRow } from "#outbox/audit.ts";
import { UsageError } from "../kit/outputs.ts";
import { pagesOfTable } from "./invariants/walk.ts";
import type { Run } from "./run.ts";
import { type ExitCode, number } from "./terminal.ts";
import { signInAccounts } from "./who.ts";

interface BusEvent {
  readonly metadata: object;
  readonly data: { readonly email?: string };
}

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

/**
 * Removes the messages and rows of the audit about the person, which only a scan finds. Those about no person lose the name of
 * who made the change; what the person did for others keeps it. @returns how many rows
 */
async function removeRows(email: string): Promise<number> {
  let found = 0;
  for await (const page of pagesOfTable()) {
    for (const item of page) {
      const kind = shownOf(item, email)?.kind;
      if (kind !== "outbox row" && kind !== "audit row") continue;
      const { detail } = item as unknown as { readonly detail?: Pick<BusEvent, "metadata" | "data"> };
      const isAbout = detail === undefined || detail.data.email === email;
      const anonymous = { ...item, detail: { ...detail, metadata: { ...detail?.metadata, actor: erasedName } } };
      await commit({ row: isAbout ? drop(item, "last wins") : putIf(anonymous, exists) });
      found += 1;
    }
  }
  return found;
}

/** The note goes last, so that a run that dies is continued by the next one. */
async function endNow({
  email,
  deletedAt,
}: ErasureNote): Promise<{ readonly state: ErasureState; readonly rows: number }> {
  const delay = await delayOf(email, Date.now());
  if (delay) return { state: delay, rows: 0 };
  const rows = await removeRows(email);
  let state: ErasureState = "more";
  // A run does what it finds, and only one that finds nothing is the last.
  while (state === "more") {
    const [left] = (await erasuresOf(email)).filter((one) => one.deletedAt === deletedAt);
    state = left ? await endErasure(left, Date.now(), { deadline: performance.now() + runTime }) : "over";
  }
  return { state, rows };
}

export async function erase(run: Run): Promise<ExitCode> {
  const { words, flags, terminal, isApplied } = run;
  const [text = ""] = words;
  const email = canonicalEmail(text);
  if (email === undefined) throw new UsageError(`${text} is no email.`);
  if (await isLeft(email, Date.now())) {
    terminal.print(`${email} is not deleted. First DELETE /users/${email}.`);
    return 1;
  }
  const [accounts, notes] = await Promise.all([signInAccounts(run, email), erasuresOf(email)]);
  const due = notes.map((note) => isoText(dueIn(note))).join(", ");
  terminal.print(`Sign-in accounts: ${accounts.length}. Erasures to come: ${due || "none"}.`);
  const ended = flags.now === true ? notes : [];
  if (accounts.length + notes.length === 0) {
    terminal.print("Nothing is left to remove. If this person was never deleted, the email is mistyped.");
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
    if (state === "busy") {
      terminal.print("The registrations are not cancelled yet. Try again in some minutes.");
      return 1;
    }
    terminal.print(`The erasure is over; ${number(found)} messages and rows of the audit were removed.`);
  }
  return 0;
}
