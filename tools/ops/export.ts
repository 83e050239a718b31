/** `export <folder>`: a copy of the stage outside of its account, encrypted (docs/runbook.md, "A copy"). It reads only. */
import { setTimeout as pause } from "node:timers/promises";
import { CognitoIdentityProviderClient, paginateListUsers } from "@aws-sdk/client-cognito-identity-provider";
import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { classified, client, tableName } from "#kit/table/table.ts";
import { accountsFile, NotWritten, type TableKey, ticketKeyFile } from "../kit/copy/folder.ts";
import { GrowingCopy } from "../kit/copy/growing-copy.ts";
import { passphraseFrom } from "../kit/copy/passphrase.ts";
import { patiently } from "./invariants/patiently.ts";
import type { Run } from "./run.ts";
import { nameOf } from "./stack.ts";
import type { Target } from "./target.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";

/**
 * Milliseconds between two pages of accounts. Sign-ups list accounts too, and an account of AWS has 30 such calls a second
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html).
 */
const betweenPages = 100;

export const leftOut =
  "Not in the copy: passwords and authenticator apps, which Cognito tells nobody; images; secrets of the payment provider, the chat and Google; logs.";

interface Page {
  readonly items: readonly object[];
  readonly next: TableKey | undefined;
}

/** A page of up to 1 MB of items, with all that was written before. */
const scanned = (ExclusiveStartKey: Record<string, AttributeValue> | undefined): Promise<Page> =>
  patiently(async () => {
    try {
      const command = new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey });
      const { Items = [], LastEvaluatedKey } = await client.send(command);
      return { items: Items, next: LastEvaluatedKey };
    } catch (error) {
      throw classified(error);
    }
  });

/** Adds the items that are missing. @returns whether all are in the copy now */
async function copyTable(copy: GrowingCopy, { terminal, total, stop }: Run): Promise<boolean> {
  const progress = progressOf(terminal.note);
  while (!copy.hasTable) {
    if (stop?.aborted) return false;
    const { items, next } = await scanned(copy.index.next as Record<string, AttributeValue> | undefined);
    await copy.addItems(items, next);
    progress("items", linesOf(copy, "table-"), total);
  }
  return true;
}

const linesOf = ({ index }: GrowingCopy, beginning: string): number =>
  index.files.filter(({ name }) => name.startsWith(beginning)).reduce((sum, { lines }) => sum + lines, 0);

/** All accounts. They are read at once, because the place in their list is only known to Cognito. */
async function accountsOf({ target, stop, terminal }: Run): Promise<object[] | undefined> {
  const accounts: object[] = [];
  const progress = progressOf(terminal.note);
  const pool = new CognitoIdentityProviderClient({ region: target.region });
  for await (const { Users = [] } of paginateListUsers({ client: pool }, { UserPoolId: target.userPoolId })) {
    accounts.push(...Users);
    progress("accounts", accounts.length, undefined);
    if (stop?.aborted) return undefined;
    await pause(betweenPages);
  }
  return accounts;
}

async function ticketKeyOf(target: Target): Promise<string> {
  const { isLaptop, text, region } = target;
  const secrets = new SecretsManagerClient({ region });
  const SecretId = isLaptop
    ? text("ticketKeySecret")
    : await nameOf(target, "AWS::SecretsManager::Secret", "TicketKey");
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  if (!SecretString) throw new Error("The ticket key has no value.");
  return SecretString;
}

/** Adds what is missing. @returns whether all is in the copy now */
async function copyAll(copy: GrowingCopy, run: Run): Promise<boolean> {
  if (!copy.has(ticketKeyFile)) await copy.addTicketKey(await ticketKeyOf(run.target));
  if (!(await copyTable(copy, run))) return false;
  if (copy.has(accountsFile)) return true;
  const accounts = await accountsOf(run);
  if (accounts) await copy.addAccounts(accounts);
  return accounts !== undefined;
}

/** @throws CopyProblem */
export async function exportStage(run: Run): Promise<ExitCode> {
  const { target, terminal, meter, words } = run;
  const [folder = ""] = words;
  const source = {
    stage: target.stage.name,
    table: tableName,
    adminEmailDomain: target.stage.adminEmailDomain,
  };
  try {
    const copy = await GrowingCopy.open(folder, source, (isNew) => passphraseFrom(terminal.ask, isNew));
    const before = linesOf(copy, "table-");
    if (before > 0) terminal.note(`${folder} has ${number(before)} items already.`);
    const begun = performance.now();
    if (!(await copyAll(copy, run))) {
      terminal.note("Interrupted. What is written is whole; the same command goes on there.");
      return 130;
    }
    const { begun: from, ended } = await copy.end();
    const counts = `${number(linesOf(copy, "table-"))} items, ${number(linesOf(copy, accountsFile))} accounts`;
    terminal.print(`${folder} has ${counts} and the ticket key.`);
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
