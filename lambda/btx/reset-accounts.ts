/**
 * Puts accounts back to the start while others trade: each account in transactions of its own, which give its shares
 * back to the projects in the moment in which they leave the account. Done again it goes on where it stopped.
 */
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { isAsAtStart, type StoredAccount } from "./account.ts";
import { priceOf } from "./market.ts";
import * as store from "./store.ts";

interface Origin {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly arrival: string;
}

/** A transaction writes at most a hundred items, the account among them. */
const holdingsAtOnce = 90;

/**
 * A step: gives back as many holdings as fit; the cash goes back to the start with the last of them, so that nobody
 * trades with both in between.
 */
async function giveUp(account: StoredAccount, now: number): Promise<boolean> {
  const held = Object.entries(account.holdings);
  const [given, kept] = [held.slice(0, holdingsAtOnce), held.slice(holdingsAtOnce)];
  const cash = kept.length === 0 ? account.initialCash : account.cash;
  const { committed } = await commit({
    account: store.resetAccount(account, { cash, holdings: Object.fromEntries(kept) }, now),
    ...Object.fromEntries(given.map(([id, { shares }]) => [`market ${id}`, store.giveBack(id, shares, now)])),
  });
  return committed && kept.length === 0;
}

/** @returns the projects whose shares were given back; undefined: there is no such account */
async function resetAccount(email: string, eventId: string, now: number): Promise<ReadonlySet<string> | undefined> {
  const touched = new Set<string>();
  const exists = await untilSettled(async () => {
    const account = await store.readAccount(email, eventId);
    if (!account) return false;
    if (isAsAtStart(account)) return true;
    for (const projectId of Object.keys(account.holdings)) touched.add(projectId);
    return (await giveUp(account, now)) || again;
  });
  return exists ? touched : undefined;
}

/** The price that the shares which were given back have left behind. Nobody's money depends on it, so it is told last. */
async function tellPrices(projectIds: ReadonlySet<string>, { now, arrival }: Origin): Promise<void> {
  const markets = await untilSettled(() => store.readMarkets([...projectIds]));
  for (const market of markets) {
    const point = { projectId: market.projectId, priceAfter: priceOf(market), source: "RESET", createdAt: now };
    await untilSettled(() => commit({ point: store.putPoint(point, arrival) }));
  }
}

/** @returns whether there is such an account */
export async function resetOne(email: string, eventId: string, origin: Origin): Promise<boolean> {
  const touched = await resetAccount(email, eventId, origin.now);
  if (touched) await tellPrices(touched, origin);
  return touched !== undefined;
}

/** Milliseconds after which no further account is begun: one may take a while yet, and the gateway waits for 30 s. */
const patience = 8_000;

/**
 * Accounts that are as at the start are only counted, so the same request again goes on with the others.
 * @param milliseconds how long it may take
 */
export async function resetEvent(
  eventId: string,
  origin: Origin,
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
      complete = performance.now() <= deadline;
      if (!complete) break;
      for (const projectId of (await resetAccount(email, eventId, origin.now)) ?? []) touched.add(projectId);
      accounts += 1;
    }
    if (!complete) break;
  }
  await tellPrices(touched, origin);
  return { accounts, complete };
}
