/** `who <email>`: what is kept about a person, as JSON for an answer to this person (docs/runbook.md). */
import { CognitoIdentityProviderClient, paginateListUsers } from "@aws-sdk/client-cognito-identity-provider";
import { leftOut, shownOf } from "#domain/personal-data/shown.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import { UsageError } from "../kit/outputs.ts";
import { pagesOfTable } from "./invariants/walk.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, progressOf } from "./terminal.ts";

export interface SignIn {
  readonly username: string | undefined;
  readonly status: string | undefined;
  readonly enabled: boolean | undefined;
  readonly createdAt: string | undefined;
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

/** The accounts with this value of an attribute. */
export async function signInAccounts({ target }: Run, value: string, by: "email" | "sub" = "email"): Promise<SignIn[]> {
  const client = new CognitoIdentityProviderClient({ region: target.region });
  const accounts: SignIn[] = [];
  const request = { UserPoolId: target.userPoolId, Filter: `${by} = "${value}"` };
  for await (const { Users = [] } of paginateListUsers({ client }, request)) {
    for (const { Username, UserStatus, Enabled, UserCreateDate, Attributes = [] } of Users) {
      accounts.push({
        username: Username,
        status: UserStatus,
        enabled: Enabled,
        createdAt: UserCreateDate?.toISOString(),
        attributes: Object.fromEntries(Attributes.map(({ Name = "", Value }) => [Name, Value])),
      });
    }
  }
  return accounts;
}

export async function who(run: Run): Promise<ExitCode> {
  const { words, terminal, stop, total, meter } = run;
  const [text = ""] = words;
  const email = canonicalEmail(text);
  if (email === undefined) throw new UsageError(`${text} is no email.`);
  const begun = performance.now();
  const accounts = await signInAccounts(run, email);
  const records: Record<string, object[]> = {};
  const progress = progressOf(terminal.note);
  let items = 0;
  for await (const page of pagesOfTable()) {
    for (const item of page) {
      const shown = shownOf(item, email);
      if (!shown) continue;
      records[shown.kind] ??= [];
      records[shown.kind]?.push(shown.record);
    }
    items += page.length;
    progress("items", items, total);
    if (stop?.aborted) return 130;
  }
  const answer = { email, stage: run.target.name, at: new Date().toISOString(), accounts, records, leftOut };
  terminal.print(JSON.stringify(answer, null, 2));
  terminal.note(costLine(begun, meter.units));
  return 0;
}
