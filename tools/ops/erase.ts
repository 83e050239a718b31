/** `erase <email>`: what a deletion leaves to an operator, the sign-in account and an early end (docs/runbook.md). */
import { AdminDeleteUserCommand, CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { dueIn } from "#domain/people/users/erasures.ts";
import { readUser } from "#domain/people/users/store.ts";
import { endErasure, notesOf } from "#domain/personal-data/erase.ts";
import { commit } from "#kit/table/table.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { isoText } from "#kit/text/text.ts";
import { auditRow } from "#outbox/audit.ts";
import { UsageError } from "../kit/outputs.ts";
import type { Run } from "./run.ts";
import type { ExitCode } from "./terminal.ts";
import { signInAccounts } from "./who.ts";

/** A run of an erasure does what it finds, and only one that finds nothing is the last. */
const mostRuns = 5;

async function removeSignIn({ target }: Run, email: string, usernames: readonly (string | undefined)[]): Promise<void> {
  const client = new CognitoIdentityProviderClient({ region: target.region });
  const by = { now: Date.now(), actor: "operator", requestId: "npm run ops -- erase" };
  await commit({ audit: auditRow({ action: "signInAccount.removed", email }, by) });
  for (const Username of usernames) {
    await client.send(new AdminDeleteUserCommand({ UserPoolId: target.userPoolId, Username }));
  }
}

/** @returns whether all erasures of the person are over */
async function endNow(email: string): Promise<boolean> {
  for (let runs = 0; runs < mostRuns; runs += 1) {
    const notes = await notesOf(email);
    if (notes.length === 0) return true;
    for (const note of notes) await endErasure(note, Date.now(), { deadline: performance.now() + 60_000 });
  }
  return (await notesOf(email)).length === 0;
}

export async function erase(run: Run): Promise<ExitCode> {
  const { words, flags, terminal, isApplied } = run;
  const [text = ""] = words;
  const email = canonicalEmail(text);
  if (email === undefined) throw new UsageError(`${text} is no email.`);
  if (await readUser(email)) {
    terminal.print(`${email} has an account. First DELETE /users/${email}.`);
    return 1;
  }
  const [accounts, notes] = await Promise.all([signInAccounts(run, email), notesOf(email)]);
  const due = notes.map((note) => isoText(dueIn(note))).join(", ");
  terminal.print(`Sign-in accounts: ${accounts.length}. Erasures to come: ${due || "none"}.`);
  const isLeft = accounts.length > 0 || (flags.now === true && notes.length > 0);
  if (!isLeft || !isApplied) {
    if (isLeft) terminal.print("To remove them, add --apply.");
    return isLeft ? 1 : 0;
  }
  if (accounts.length > 0) {
    await removeSignIn(
      run,
      email,
      accounts.map(({ username }) => username),
    );
    terminal.print("The sign-in account is removed. A token that is still valid works for an hour at most.");
  }
  if (flags.now !== true || notes.length === 0) return 0;
  const isOver = await endNow(email);
  terminal.print(
    isOver ? "The erasure is over." : "Money is under way, or the person is back: the erasure ends later.",
  );
  return isOver ? 0 : 1;
}
