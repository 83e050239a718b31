/** A trade: everything it changes, at the price that was read, in one transaction or not at all. */

import { readUser } from "#domain/people/users/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { InsufficientCash, InsufficientShares, NotFound, ProjectInactive } from "#kit/errors.ts";
import { type Decision, type Depth, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { type Account, displayName, holdingsAfter, initialAccount, isNamed, type StoredAccount } from "./account.ts";
import { type Quote, quote, type Side, startingCash } from "./market.ts";
import type { Market, Project } from "./project.ts";
import * as store from "./store.ts";
import type { Trade } from "./trade.ts";

/** What somebody wants to buy or sell. */
export interface Order {
  readonly email: string;
  readonly side: Side;
  readonly projectId: string;
  readonly shares: number;
}

/** A trade, and project and account after it. */
export interface Executed {
  readonly trade: Trade;
  readonly project: Project;
  readonly account: Account;
}

interface Seen {
  readonly project: Project | undefined;
  readonly account: StoredAccount | undefined;
}

/** What a refused trade shows: market and account at one moment after the request came. */
interface Refusal extends Seen {
  /** The account does not have what the trade takes. */
  readonly isLacking: boolean;
}

type Name = Pick<StoredAccount, "displayName" | "namedAt">;

interface Facts extends Seen, Partial<Pick<Refusal, "isLacking">> {
  /** Of the trader, where there may be a trade. */
  readonly name?: Name;
}

async function look({ email, projectId }: Order, depth: Depth): Promise<Seen> {
  const consistency = depth === "cheap" ? "eventual" : "strong";
  const [project, accounts] = await Promise.all([
    store.readProject(projectId, consistency),
    store.accountsOfPerson(email, consistency),
  ]);
  return { project, account: accounts.find(({ eventId }) => eventId === project?.text.eventId) };
}

/**
 * A refused trade goes on with what the refusal shows: on a hot project, a read would take so long that the next trade is
 * through before.
 * @throws NotFound ProjectInactive InsufficientCash InsufficientShares
 */
export function executeTrade(order: Order, context: RequestContext): Promise<Executed> {
  const named = nameOnce(order.email, context.now);
  return execute(
    {
      async read(depth: Depth, refusal: Refusal | undefined): Promise<Facts> {
        const seen = refusal ?? (await look(order, depth));
        return mayTrade(order, seen) ? { ...seen, name: await named(seen.account) } : seen;
      },
      decide: (facts: Facts) => decide(order, facts, context),
    },
    context,
  );
}

const lacking = (side: Side) => (side === "BUY" ? new InsufficientCash() : new InsufficientShares());

/** An account is asked by the trade itself. Without one there are no shares to sell, and the starting cash to buy with. */
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
    message: outboxRow({ type: "btx.traded", data: { tradeId, eventID, projectId, side, shares } }, context),
  };
  const executed = { trade, project: { text, market: marketAfter(market, order, wanted, context.now) }, account: is };
  return write(members, executed, (refused) => ({
    project: { text, market: refused.market ?? market },
    account: refused.account ?? account,
    // The price is the one that was read, and so is the account.
    isLacking: !("market" in refused) && account !== undefined && refused.account?.version === account.version,
  }));
}

type Named = (account: StoredAccount | undefined) => Promise<Name>;

/** The name that an account has, or else the person's, which is looked up once however often the trade is tried. */
function nameOnce(email: string, now: number): Named {
  let found: Name | undefined;
  return async (account) => {
    if (isNamed(account, now)) return { displayName: account.displayName, namedAt: account.namedAt };
    found ??= { displayName: displayName(await readUser(email)), namedAt: now };
    return found;
  };
}

/** What a trade is made with. */
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

/** The ULID of the request's place in line is the trade's as well. */
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
