/**
 * Executes a trade. One transaction writes all its changes, at the price that was read (`docs/contract.md`, "Investment
 * game").
 */

import { readUser } from "#domain/people/users/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Decision, execute, type Keep, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { type Account, displayName, holdingsAfter, initialAccount, isNamed, type StoredAccount } from "./account.ts";
import { type Quote, quote, type Side, startingCash } from "./market.ts";
import type { Market, Project } from "./project.ts";
import { InsufficientCash, InsufficientShares, ProjectInactive } from "./refusals.ts";
import * as store from "./store.ts";
import type { Trade } from "./trade.ts";

export interface Order {
  readonly email: string;
  readonly side: Side;
  readonly projectId: string;
  readonly shares: number;
}

/** A trade, with the project and the account after the trade. */
export interface Executed {
  readonly trade: Trade;
  readonly project: Project;
  readonly account: Account;
}

interface Seen {
  readonly project: Project | undefined;
  readonly account: StoredAccount | undefined;
}

/** The market and the account that a refused transaction returned, both from one moment after the request came. */
interface Refusal extends Seen {
  /** The account has too little cash, or too few shares, for the trade. */
  readonly isLacking: boolean;
}

type Name = Pick<StoredAccount, "displayName" | "namedAt">;

interface Facts extends Seen, Partial<Pick<Refusal, "isLacking">> {
  /** The trader's name. Absent when the trade is not possible. */
  readonly name?: Name;
}

async function look({ email, projectId }: Order): Promise<Seen> {
  const [project, accounts] = await Promise.all([
    store.readProject(projectId, "strong"),
    store.accountsOfPerson(email, "strong"),
  ]);
  return { project, account: accounts.find(({ eventId }) => eventId === project?.text.eventId) };
}

/**
 * Executes the order. After a refused transaction the next try uses the items that the refusal returned. On a project
 * with many trades a new read would take so long that another trade would change the price again.
 * @throws NotFound ProjectInactive InsufficientCash InsufficientShares
 */
export function executeTrade(order: Order, context: RequestContext, keep?: Keep<Executed>): Promise<Executed> {
  const named = nameOnce(order.email, context.now);
  return execute(
    {
      keep,
      async read(refusal: Refusal | undefined): Promise<Facts> {
        const seen = refusal ?? (await look(order));
        return mayTrade(order, seen) ? { ...seen, name: await named(seen.account) } : seen;
      },
      decide: (facts: Facts) => decide(order, facts, context),
    },
    context,
  );
}

const lacking = (side: Side) => (side === "BUY" ? new InsufficientCash() : new InsufficientShares());

/**
 * Whether a trade is worth a try. For an existing account the transaction checks cash and shares. A person without an
 * account has no shares to sell, and has the starting cash.
 */
function mayTrade({ side, shares }: Order, { project, account }: Seen): boolean {
  if (account) return true;
  return project !== undefined && side === "BUY" && startingCash + quote(side, shares, project.market).cashDelta >= 0;
}

function decide(order: Order, facts: Facts, context: RequestContext): Decision<Executed, Refusal> {
  const { project, account, name, isLacking = false } = facts;
  if (!project) throw new NotFound("Project");
  const { text, market } = project;
  if (!market.isActive) throw new ProjectInactive();
  if (isLacking || !name) throw lacking(order.side);
  const { side, projectId, shares } = order;
  const wanted = quote(side, shares, market);
  const is = accountAfter(order, { project, account }, wanted, name, context.now);
  const trade = tradeOf(order, is, wanted, context);
  const { tradeId, eventId: eventID } = trade;
  const members = {
    trade: store.putTrade(trade, context.queueKey),
    market: store.tradeOnMarket(market, side, wanted, context.now),
    account: account
      ? store.tradeOnAccount(account, is, { side, projectId, shares, quote: wanted })
      : store.openAccount(is),
    ...(!account && { listed: store.listAccount(is) }),
    message: outboxRow({ type: "btx.traded", data: { tradeId, eventID, projectId, side, shares } }, context),
  };
  const executed = { trade, project: { text, market: marketAfter(market, order, wanted, context.now) }, account: is };
  return write(members, executed, (refused) => ({
    project: { text, market: refused.market ?? market },
    account: refused.account ?? account,
    // Market and account have not changed since the read, so the account's condition failed for lack of cash or shares.
    isLacking: !("market" in refused) && account !== undefined && refused.account?.version === account.version,
  }));
}

type Named = (account: StoredAccount | undefined) => Promise<Name>;

/** The account's stored name, or else the name in the user record. The user record is read once for all tries. */
function nameOnce(email: string, now: number): Named {
  let found: Name | undefined;
  return async (account) => {
    if (isNamed(account, now)) return { displayName: account.displayName, namedAt: account.namedAt };
    found ??= { displayName: displayName(await readUser(email)), namedAt: now };
    return found;
  };
}

/** The project and the account before a trade. The account is undefined before the person's first trade. */
interface Ground {
  readonly project: Project;
  readonly account: StoredAccount | undefined;
}

function accountAfter(
  { email, projectId }: Order,
  { project, account }: Ground,
  wanted: Quote,
  name: Name,
  now: number,
): StoredAccount {
  const was = account ?? initialAccount(email, project.text.eventId);
  return {
    email,
    eventId: was.eventId,
    initialCash: was.initialCash,
    cash: was.cash + wanted.cashDelta,
    holdings: holdingsAfter(was.holdings, projectId, wanted),
    version: (account?.version ?? 0) + 1,
    ...name,
    updatedAt: now,
  };
}

/** The trade's id is the ULID of the request's queueKey, so all tries of a request make the same trade. */
const tradeOf = (
  { projectId, side, shares }: Order,
  { email, eventId, displayName }: StoredAccount,
  { price, fee, cashDelta, priceAfter }: Quote,
  { queueKey, now }: RequestContext,
): Trade => ({
  tradeId: queueKey.slice(queueKey.indexOf("#") + 1),
  projectId,
  eventId,
  email,
  displayName,
  side,
  shares,
  price,
  fee,
  cashDelta,
  priceAfter,
  createdAt: now,
});

const marketAfter = (was: Market, { side, shares }: Order, { change, gross }: Quote, now: number): Market => ({
  ...was,
  netShares: was.netShares + change,
  totalBuyShares: was.totalBuyShares + (side === "BUY" ? shares : 0),
  totalSellShares: was.totalSellShares + (side === "SELL" ? shares : 0),
  totalTrades: was.totalTrades + 1,
  totalVolume: was.totalVolume + gross,
  updatedAt: now,
});
