/** `sign-up`: closes and opens the sign-up with a password, and says how many mails with codes an hour has (docs/runbook.md). */
import { partitionOf, switchKey } from "#domain/people/sign-ups/store.ts";
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

/** This hour's mails with codes, together and by domain. Domains that are open have no part in the first number. */
async function counted(now: number): Promise<string> {
  const counts = new Map<string, number>();
  const partition = {
    KeyConditionExpression: "PK = :hour",
    ExpressionAttributeValues: { ":hour": partitionOf(now) },
    ConsistentRead: true,
  };
  for await (const { items } of queryPages<{ readonly count: number }>(partition)) {
    for (const { SK, count } of items) if (/^(ALL$|DOMAIN#)/.test(SK)) counts.set(SK.replace("DOMAIN#", ""), count);
  }
  const { ALL = 0, ...domains } = Object.fromEntries(counts);
  const most = Object.entries(domains).sort(([, a], [, b]) => b - a);
  const list = most.slice(0, mostDomains).map(([domain, count]) => `${domain} ${number(count)}`);
  const rest = most.length > mostDomains ? ` and ${number(most.length - mostDomains)} other domains` : "";
  return `Mails with codes in this hour: ${number(ALL)}${list.length > 0 ? `; ${list.join(", ")}${rest}` : ""}.`;
}

export async function signUp({ terminal, isApplied, words: [wanted] }: Run): Promise<ExitCode> {
  if (wanted !== "close" && wanted !== "open") throw new UsageError("npm run ops -- sign-up takes close or open.");
  const now = Date.now();
  const closed = await getItem<Switch>(switchKey, "strong");
  terminal.print(await counted(now));
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
