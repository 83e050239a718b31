/**
 * Resets accounts while other people trade. Each account has its own transactions, which return its shares to the
 * projects. A second reset continues where the first one stopped.
 */

import { Contended } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { afterCommit, answer, type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { isInitial, type StoredAccount } from "./account.ts";
import { priceOf } from "./market.ts";
import * as store from "./store.ts";

/** DynamoDB allows 100 items in a transaction. One of them is the account. */
const holdingsPerTransaction = 90;

/** The result of one transaction of an account's reset. */
interface Part {
  readonly exists: boolean;
  /** The projects whose shares were returned. */
  readonly returned: readonly string[];
  readonly isLast: boolean;
}

/**
 * Returns as many holdings as fit into one transaction. The last transaction also resets the cash, so that no player has
 * the starting cash and old shares at the same time.
 */
const returnHoldings = (email: string, eventId: string, context: RequestContext): Promise<Part> =>
  execute(
    {
      read: () => store.readAccount(email, eventId),
      decide(account: StoredAccount | undefined): Decision<Part> {
        if (!account || isInitial(account))
          return answer({ exists: account !== undefined, returned: [], isLast: true });
        const held = Object.entries(account.holdings);
        const [returned, kept] = [held.slice(0, holdingsPerTransaction), held.slice(holdingsPerTransaction)];
        const isLast = kept.length === 0;
        const after = { cash: isLast ? account.initialCash : account.cash, holdings: Object.fromEntries(kept) };
        const { now } = context;
        const { cash, holdings } = account;
        const change = {
          action: "gameAccount.reset",
          email,
          id: eventId,
          changes: changesOf({ cash, holdings }, after),
        };
        const members = {
          account: store.resetAccount(account, after, now),
          audit: auditRow(change, context),
          ...Object.fromEntries(returned.map(([id, { shares }]) => [`market ${id}`, store.giveBack(id, shares, now)])),
        };
        return write(members, { exists: true, returned: returned.map(([id]) => id), isLast });
      },
    },
    context,
  );

/**
 * @param touched receives the projects whose shares were returned
 * @returns whether the account exists
 * @throws Contended the account is unchanged
 */
async function resetAccount(
  email: string,
  eventId: string,
  context: RequestContext,
  touched: Set<string>,
): Promise<boolean> {
  let part = await returnHoldings(email, eventId, context);
  for (const projectId of part.returned) touched.add(projectId);
  while (!part.isLast) {
    part = await afterCommit(() => returnHoldings(email, eventId, context));
    for (const projectId of part.returned) touched.add(projectId);
  }
  return part.exists;
}

/** Adds the new prices to the price history. The last step, because no balance depends on the history. */
async function recordPrices(projectIds: ReadonlySet<string>, context: RequestContext): Promise<void> {
  const markets = await retried(() => store.readMarkets([...projectIds], "strong"), context);
  for (const market of markets) {
    const { projectId } = market;
    const point = { projectId, priceAfter: priceOf(market), source: "RESET", createdAt: context.now };
    await writeOnce({ point: store.putPoint(point, context.queueKey) }, context);
  }
}

/** @returns whether the account exists */
export async function resetOne(email: string, eventId: string, context: RequestContext): Promise<boolean> {
  const touched = new Set<string>();
  const exists = await resetAccount(email, eventId, context, touched);
  await afterCommit(() => recordPrices(touched, context));
  return exists;
}

/** Time after which no other account is started. One account may take some seconds, and the gateway waits 30 s. */
const timeLimitMs = 8_000;

/**
 * Resets all accounts of an event. Accounts in the initial state are only counted, so a repeated request continues with
 * the others.
 * @param milliseconds time after which no other account is started
 */
export async function resetEvent(
  eventId: string,
  context: RequestContext,
  milliseconds = timeLimitMs,
): Promise<{ readonly accounts: number; readonly complete: boolean }> {
  const deadline = performance.now() + milliseconds;
  const touched = new Set<string>();
  let accounts = 0;
  let complete = true;
  try {
    for await (const page of store.accountsInTurn(eventId)) {
      const waiting = page.filter((account) => !isInitial(account));
      accounts += page.length - waiting.length;
      for (const { email } of waiting) {
        if (performance.now() > deadline) throw new Contended();
        await resetAccount(email, eventId, context, touched);
        accounts += 1;
      }
    }
  } catch (error) {
    // The time limit is reached, or concurrent writes lasted too long. The current account is unchanged.
    if (!(error instanceof Contended)) throw error;
    complete = false;
  }
  await afterCommit(() => recordPrices(touched, context));
  return { accounts, complete };
}
