/**
 * Executes a trade. One transaction writes all its changes, at the price that was read (`docs/contract.md`, "Investment
 * game").
 */

import { onceMore } from "#domain/people/once-more.ts";
import { readUser } from "#domain/people/users/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { type Account, displayName, holdingsAfter, initialAccount, isNamed, type StoredAccount } from "./account.ts";
import { quote, type Side, startingCash } from "./market.ts";
import type { Project } from "./project.ts";
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

/** Project and account: as read, or as a refused transaction returned them, in either case a consistent snapshot. */
interface Seen {
  readonly project: Project | undefined;
  /** Undefined before the person's first trade. */
  readonly account: StoredAccount | undefined;
  /** The account has too little cash, or too few shares, for the trade. */
  readonly isInsufficient?: boolean;
}

type Name = Pick<StoredAccount, "displayName" | "namedAt">;

interface Facts extends Seen {
  /** The trader's name. Absent when the trade is not possible. */
  readonly name?: Name;
}

async function readSeen({ email, projectId }: Order): Promise<Seen> {
  const [project, accounts] = await Promise.all([store.readProject(projectId), store.accountsOfPerson(email)]);
  return { project, account: accounts.find(({ eventId }) => eventId === project?.text.eventId) };
}

/**
 * Executes the order. After a refused transaction the next try uses the items that the refusal returned: with many
 * concurrent trades, the price would change again during another read.
 * @throws NotFound ProjectInactive InsufficientCash InsufficientShares TooOften
 */
export function executeTrade(order: Order, context: RequestContext, keep?: Keep<Executed>): Promise<Executed> {
  let name: Name | undefined;
  return execute(
    {
      keep,
      async read(refused: Seen | undefined): Promise<Facts> {
        const seen = refused ?? (await readSeen(order));
        if (!mayTrade(order, seen)) return seen;
        name ??= await nameOf(order, seen, context.now);
        return { ...seen, name };
      },
      decide: (facts: Facts) => decide(order, facts, context),
    },
    context,
  );
}

/**
 * Whether the trade can succeed. For an existing account the transaction checks cash and shares. A person without an
 * account has the starting cash and no shares.
 */
function mayTrade({ side, shares }: Order, { project, account }: Seen): boolean {
  if (account) return true;
  return project !== undefined && side === "BUY" && startingCash + quote(side, shares, project.market).cashDelta >= 0;
}

function decide(order: Order, facts: Facts, context: RequestContext): Decision<Executed, Seen> {
  const { project, account, name, isInsufficient } = facts;
  if (!project) throw new NotFound("Project");
  const { text, market } = project;
  if (!market.isActive) throw new ProjectInactive();
  const { email, side, projectId, shares } = order;
  if (isInsufficient || !name) throw side === "BUY" ? new InsufficientCash() : new InsufficientShares();
  const { now, queueKey } = context;
  const wanted = quote(side, shares, market);
  const { change, gross, price, fee, cashDelta, priceAfter } = wanted;
  const was = account ?? initialAccount(email, text.eventId);
  const is: StoredAccount = {
    email,
    eventId: was.eventId,
    initialCash: was.initialCash,
    cash: was.cash + cashDelta,
    holdings: holdingsAfter(was.holdings, projectId, wanted),
    version: (account?.version ?? 0) + 1,
    ...name,
    again: onceMore("trade", account?.again, now),
    updatedAt: now,
  };
  const { eventId, displayName } = is;
  // The trade's id is the ULID of the request's queueKey, so retries of a request make the same trade.
  const tradeId = queueKey.slice(queueKey.indexOf("#") + 1);
  const about = { tradeId, projectId, eventId, email, displayName, side, shares };
  const trade: Trade = { ...about, price, fee, cashDelta, priceAfter, createdAt: now };
  const members = {
    trade: store.putTrade(trade, queueKey),
    market: store.tradeOnMarket(market, side, wanted, now),
    account: account ? store.tradeOnAccount(account, is, trade) : store.openAccount(is),
    ...(!account && { listed: store.listAccount(is) }),
    message: outboxRow({ type: "btx.traded", data: { tradeId, eventID: eventId, projectId, side, shares } }, context),
  };
  const marketAfter = {
    ...market,
    netShares: market.netShares + change,
    totalBuyShares: market.totalBuyShares + (side === "BUY" ? shares : 0),
    totalSellShares: market.totalSellShares + (side === "SELL" ? shares : 0),
    totalTrades: market.totalTrades + 1,
    totalVolume: market.totalVolume + gross,
    updatedAt: now,
  };
  return write(members, { trade, project: { text, market: marketAfter }, account: is }, (refused) => ({
    project: { text, market: refused.market ?? market },
    account: refused.account ?? account,
    // Market and account are unchanged since the read, so the account's condition failed for lack of cash or shares.
    isInsufficient: !("market" in refused) && account !== undefined && refused.account?.version === account.version,
  }));
}

/** The account's stored name, or else the name in the user record. */
async function nameOf({ email }: Order, { account }: Seen, now: number): Promise<Name> {
  if (isNamed(account, now)) return { displayName: account.displayName, namedAt: account.namedAt };
  return { displayName: displayName(await readUser(email)), namedAt: now };
}
