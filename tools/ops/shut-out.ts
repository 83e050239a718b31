/** `shut-out <email or caller>`: disables a person's sign-in accounts, and enables them again (docs/runbook.md, "Accounts"). */
import {
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminUserGlobalSignOutCommand,
  CognitoIdentityProviderClient,
} from "@aws-sdk/client-cognito-identity-provider";
import { commit } from "#kit/table/table.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { auditRow } from "#outbox/audit.ts";
import { UsageError } from "../kit/outputs.ts";
import type { Run } from "./run.ts";
import type { ExitCode } from "./terminal.ts";
import { type SignIn, signInAccounts } from "./who.ts";

/** `caller` of the gateway's log, which is the claim `sub`. */
const callerId = /^[0-9a-f-]{36}$/;

/** All accounts of the person: one with a password and one of a provider may have the same email. @throws UsageError */
async function accountsOf(run: Run, text: string): Promise<SignIn[]> {
  const email = canonicalEmail(text);
  if (email !== undefined) return signInAccounts(run, email);
  if (!callerId.test(text)) throw new UsageError(`${text} is neither an email nor a caller of the requests' log.`);
  const [one] = await signInAccounts(run, text, "sub");
  return one?.attributes.email === undefined ? [] : signInAccounts(run, one.attributes.email);
}

export async function shutOut(run: Run): Promise<ExitCode> {
  const { target, terminal, words, flags, isApplied } = run;
  const [text = ""] = words;
  const isUndone = flags.undo === true;
  const accounts = await accountsOf(run, text);
  for (const { username, enabled, attributes } of accounts) {
    terminal.print(`${attributes.email} (${username}): ${enabled ? "enabled" : "disabled"}`);
  }
  const [first] = accounts;
  if (!first) {
    terminal.print("There is no sign-in account.");
    return 1;
  }
  if (accounts.every(({ enabled }) => enabled === isUndone)) return 0;
  if (!isApplied) {
    terminal.print(`To ${isUndone ? "let the person in again" : "shut the person out"}, add --apply.`);
    return 1;
  }
  const action = isUndone ? "signInAccount.enabled" : "signInAccount.disabled";
  const by = { now: Date.now(), actor: "operator", requestId: "npm run ops -- shut-out" };
  await commit({ audit: auditRow({ action, email: String(first.attributes.email).toLowerCase() }, by) });
  const client = new CognitoIdentityProviderClient({ region: target.region });
  for (const { username: Username } of accounts) {
    const account = { UserPoolId: target.userPoolId, Username };
    if (isUndone) await client.send(new AdminEnableUserCommand(account));
    else {
      await client.send(new AdminDisableUserCommand(account));
      // Ends the refresh tokens. The gateway does not ask the pool about an ID token:
      // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminUserGlobalSignOut.html
      await client.send(new AdminUserGlobalSignOutCommand(account));
    }
  }
  terminal.print(
    isUndone
      ? "The person can sign in again."
      : "The person is shut out. An ID token that they have works for an hour at most.",
  );
  return 0;
}
