/** `export <folder>`: a copy of the stage outside of its account, encrypted (docs/runbook.md, "A copy"). It reads only. */
import { setTimeout as pause } from "node:timers/promises";
import { CognitoIdentityProviderClient, paginateListUsers } from "@aws-sdk/client-cognito-identity-provider";
import { type AttributeValue, ScanCommand } from "@aws-sdk/client-dynamodb";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { classified, client, tableName } from "#kit/table/table.ts";
import { accountsFile, NotWritten } from "../kit/copy/folder.ts";
import { NewCopy } from "../kit/copy/new-copy.ts";
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
  "Not in the copy: passwords and authenticator apps, which Cognito does not tell; images; secrets of the payment provider, the chat and Google; logs.";

type Key = Record<string, AttributeValue>;

/** A page of up to 1 MB of items, with all that was written before. */
const scanned = (ExclusiveStartKey: Key | undefined) =>
  patiently(async () => {
    try {
      return await client.send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey }));
    } catch (error) {
      throw classified(error);
    }
  });

/** @returns whether all items are in the copy now */
async function copyTable(copy: NewCopy, { terminal, total, stop }: Run): Promise<boolean> {
  const progress = progressOf(terminal.note);
  let next: Key | undefined;
  do {
    if (stop?.aborted) return false;
    const { Items = [], LastEvaluatedKey } = await scanned(next);
    await copy.addItems(Items);
    progress("items", copy.linesOf("table-"), total);
    next = LastEvaluatedKey;
  } while (next);
  return true;
}

/** @returns whether all accounts are in the copy now */
async function copyAccounts(copy: NewCopy, { target, stop, terminal }: Run): Promise<boolean> {
  const accounts: object[] = [];
  const progress = progressOf(terminal.note);
  const pool = new CognitoIdentityProviderClient({ region: target.region });
  for await (const { Users = [] } of paginateListUsers({ client: pool }, { UserPoolId: target.userPoolId })) {
    accounts.push(...Users);
    progress("accounts", accounts.length, undefined);
    if (stop?.aborted) return false;
    await pause(betweenPages);
  }
  await copy.addAccounts(accounts);
  return true;
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
  };
  try {
    const copy = await NewCopy.begin(folder, source, () => passphraseFrom(terminal.ask, true), workFactor);
    const begun = performance.now();
    await copy.addTicketKey(await ticketKeyOf(target));
    if (!(await copyTable(copy, run)) || !(await copyAccounts(copy, run))) {
      terminal.note(`Interrupted. Delete ${folder}, and take another copy.`);
      return 130;
    }
    const { begun: from, ended } = await copy.end();
    const counts = `${number(copy.linesOf("table-"))} items, ${number(copy.linesOf(accountsFile))} accounts`;
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
