/**
 * Puts accounts back to the start while other people trade. Each account has transactions of its own. A transaction
 * takes shares from the account and gives them back to the projects. A second reset continues where the first one
 * stopped.
 */
import type { RequestContext } from "#kit/context.ts";
import { Contended } from "#kit/errors.ts";
import { afterCommit, answer, type Decision, execute, write, writeOnce } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import { isAsAtStart, type StoredAccount } from "./account.ts";
import { priceOf } from "./market.ts";
import * as store from "./store.ts";

/** DynamoDB allows 100 items in a transaction. One of them is the account. */
const holdingsAtOnce = 90;

/** The result of one transaction of an account's reset. */
interface Part {
  readonly exists: boolean;
  /** The projects whose shares were given back. */
  readonly given: readonly string[];
  readonly isLast: boolean;
}

function decide(account: StoredAccount | undefined, now: number): Decision<Part> {
  if (!account || isAsAtStart(account)) return answer({ exists: account !== undefined, given: [], isLast: true });
  const held = Object.entries(account.holdings);
  const [given, kept] = [held.slice(0, holdingsAtOnce), held.slice(holdingsAtOnce)];
  const isLast = kept.length === 0;
  const after = { cash: isLast ? account.initialCash : account.cash, holdings: Object.fromEntries(kept) };
  const members = {
    account: store.resetAccount(account, after, now),
    ...Object.fromEntries(given.map(([id, { shares }]) => [`market ${id}`, store.giveBack(id, shares, now)])),
  };
  return write(members, { exists: true, given: given.map(([id]) => id), isLast });
}

/**
 * Gives back as many holdings as fit into one transaction. The last transaction also resets the cash, so that the
 * person never has the starting cash and old shares at the same time.
 */
const giveUp = (email: string, eventId: string, context: RequestContext): Promise<Part> =>
  execute(
    {
      read: () => store.readAccount(email, eventId),
      decide: (account: StoredAccount | undefined) => decide(account, context.now),
    },
    context,
  );

/** @returns the projects whose shares were given back; undefined when the account does not exist */
async function resetAccount(
  email: string,
  eventId: string,
  context: RequestContext,
): Promise<ReadonlySet<string> | undefined> {
  let part = await giveUp(email, eventId, context);
  if (!part.exists) return undefined;
  const touched = new Set(part.given);
  while (!part.isLast) {
    part = await afterCommit(() => giveUp(email, eventId, context));
    for (const projectId of part.given) touched.add(projectId);
  }
  return touched;
}

/** Adds the new prices to the price history. No person's money depends on the history, so this is the last step. */
async function tellPrices(projectIds: ReadonlySet<string>, context: RequestContext): Promise<void> {
  const markets = await retried(() => store.readMarkets([...projectIds], "strong"), context);
  for (const market of markets) {
    const { projectId } = market;
    const point = { projectId, priceAfter: priceOf(market), source: "RESET", createdAt: context.now };
    await writeOnce({ point: store.putPoint(point, context.queueKey) }, context);
  }
}

/** @returns whether the account exists */
export async function resetOne(email: string, eventId: string, context: RequestContext): Promise<boolean> {
  const touched = await resetAccount(email, eventId, context);
  if (touched) await afterCommit(() => tellPrices(touched, context));
  return touched !== undefined;
}

/** @returns undefined when other writes were in the way for too long; then the account is unchanged */
async function resetUnlessContended(
  email: string,
  eventId: string,
  context: RequestContext,
): Promise<ReadonlySet<string> | undefined> {
  try {
    return (await resetAccount(email, eventId, context)) ?? new Set();
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    return undefined;
  }
}

/**
 * Milliseconds after which no further account is begun. One account may take some seconds, and the gateway waits 30 s.
 */
const patience = 8_000;

/**
 * Resets all accounts of an event. Accounts that are as at the start are only counted, so a repeated request continues
 * with the others.
 * @param milliseconds time after which no further account is begun
 */
export async function resetEvent(
  eventId: string,
  context: RequestContext,
  milliseconds = patience,
): Promise<{ readonly accounts: number; readonly complete: boolean }> {
  const deadline = performance.now() + milliseconds;
  const touched = new Set<string>();
  let accounts = 0;
  let complete = true;
  for await (const page of store.accountsInTurn(eventId)) {
    const waiting = page.filter((account) => !isAsAtStart(account));
    accounts += page.length - waiting.length;
    for (const { email } of waiting) {
      const given = performance.now() <= deadline ? await resetUnlessContended(email, eventId, context) : undefined;
      complete = given !== undefined;
      if (!given) break;
      for (const projectId of given) touched.add(projectId);
      accounts += 1;
    }
    if (!complete) break;
  }
  await afterCommit(() => tellPrices(touched, context));
  return { accounts, complete };
}
