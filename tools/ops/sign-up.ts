/** `sign-up`: closes and opens the sign-up with a password, and says how many mails with codes an hour has (docs/runbook.md). */
import { countsIn, switchKey } from "#domain/people/sign-ups/store.ts";
import { commit, drop, getItem, put, queryPages } from "#kit/table/table.ts";
import { auditRow } from "#outbox/audit.ts";
import { UsageError } from "../kit/outputs.ts";
import type { Run } from "./run.ts";
import { type ExitCode, number } from "./terminal.ts";

interface Switch {
  /** Epoch milliseconds. */
  readonly closedAt: number;
}

/** The domains that are printed. */
const mostDomains = 5;

const said = (closed: Switch | undefined): string =>
  closed === undefined ? "Sign-up is open." : `Sign-up is closed since ${new Date(closed.closedAt).toISOString()}.`;

/** What an hour has of one kind of mails, together and by domain. Domains that are open have no part in the first number. */
function counted(
  kind: string,
  prefix: string,
  items: readonly { readonly SK: string; readonly count: number }[],
): string {
  const ofKind = items.filter(({ SK }) => SK.startsWith(`${prefix}DOMAIN#`));
  const all = items.find(({ SK }) => SK === `${prefix}ALL`)?.count ?? 0;
  const most = [...ofKind].sort((a, b) => b.count - a.count);
  const list = most.slice(0, mostDomains).map(({ SK, count }) => `${SK.split("#")[1]} ${number(count)}`);
  const rest = most.length > mostDomains ? ` and ${number(most.length - mostDomains)} other domains` : "";
  return `${kind} in this hour: ${number(all)}${list.length > 0 ? `; ${list.join(", ")}${rest}` : ""}.`;
}

async function countsOf(now: number): Promise<string[]> {
  const partition = {
    KeyConditionExpression: "PK = :hour",
    ExpressionAttributeValues: { ":hour": countsIn(now) },
    ConsistentRead: true,
  };
  const counts: { SK: string; count: number }[] = [];
  for await (const { items } of queryPages<{ readonly count: number }>(partition)) counts.push(...items);
  return [counted("Mails with codes", "", counts), counted("Guests' mails", "GUEST-", counts)];
}

export async function signUp({ terminal, isApplied, words: [wanted] }: Run): Promise<ExitCode> {
  if (wanted !== "close" && wanted !== "open") throw new UsageError("npm run ops -- sign-up takes close or open.");
  const now = Date.now();
  const closed = await getItem<Switch>(switchKey, "strong");
  for (const line of await countsOf(now)) terminal.print(line);
  if ((closed !== undefined) === (wanted === "close")) {
    terminal.print(said(closed));
    return 0;
  }
  if (!isApplied) {
    terminal.print(`${said(closed)} To ${wanted} it, add --apply.`);
    return 1;
  }
  const change = wanted === "close" ? put({ ...switchKey, closedAt: now }, "last wins") : drop(switchKey, "last wins");
  const audit = auditRow(
    { action: wanted === "close" ? "signUp.closed" : "signUp.opened" },
    { now, actor: "operator", requestId: "npm run ops -- sign-up" },
  );
  await commit({ change, audit });
  terminal.print(
    wanted === "close"
      ? "Sign-up is closed: codes go to accounts that are confirmed, and Google works. It stays closed until you open it."
      : said(undefined),
  );
  return 0;
}
