/**
 * Puts accounts back to the start while others trade: each account in transactions of its own, which give its shares
 * back to the projects in the moment in which they leave the account. Done again it goes on where it stopped.
 */
import type { RequestContext } from "#kit/context.ts";
import { Contended } from "#kit/errors.ts";
import { afterCommit, answer, type Decision, execute, write, writeOnce } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import { isAsAtStart, type StoredAccount } from "./account.ts";
import { priceOf } from "./market.ts";
import * as store from "./store.ts";

/** A transaction writes at most a hundred items, the account among them. */
const holdingsAtOnce = 90;

/** A part of an account's reset. */
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
 * Gives back as many holdings as fit into a transaction; the cash goes back to the start with the last of them, so that
 * nobody trades with both in between.
 */
const giveUp = (email: string, eventId: string, context: RequestContext): Promise<Part> =>
  execute(
    {
      depth: "certain",
      read: () => store.readAccount(email, eventId),
      decide: (account: StoredAccount | undefined) => decide(account, context.now),
    },
    context,
  );

/** @returns the projects whose shares were given back; undefined: there is no such account */
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

/** The price that the shares which were given back have left behind. Nobody's money depends on it, so it is told last. */
async function tellPrices(projectIds: ReadonlySet<string>, context: RequestContext): Promise<void> {
  const markets = await retried(() => store.readMarkets([...projectIds]), context);
  for (const market of markets) {
    const { projectId } = market;
    const point = { projectId, priceAfter: priceOf(market), source: "RESET", createdAt: context.now };
    await writeOnce({ point: store.putPoint(point, context.queueKey) }, context);
  }
}

/** @returns whether there is such an account */
export async function resetOne(email: string, eventId: string, context: RequestContext): Promise<boolean> {
  const touched = await resetAccount(email, eventId, context);
  if (touched) await afterCommit(() => tellPrices(touched, context));
  return touched !== undefined;
}

/** @returns undefined when others were in the way for too long: the account is as it was */
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

/** Milliseconds after which no further account is begun: one may take a while yet, and the gateway waits for 30 s. */
const patience = 8_000;

/**
 * Accounts that are as at the start are only counted, so the same request again goes on with the others.
 * @param milliseconds how long it may take
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
