/** A trade: everything it changes, at the price that was read, in one transaction or not at all. */
import { InsufficientCash, InsufficientShares, NotFound, ProjectInactive } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { type Consistency, commit } from "#kit/table.ts";
import { outboxRow } from "../outbox/store.ts";
import { readUser } from "../users/store.ts";
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
  /** Epoch milliseconds of the request. */
  readonly now: number;
  /** `<epoch ms>#<ulid>`: names the request, and the trade. */
  readonly arrival: string;
  readonly requestId: string;
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
  /** Whether it was so at some time after the request came. */
  readonly isCertain: boolean;
}

async function look({ email, projectId }: Order, consistency: Consistency): Promise<Seen> {
  const [projects, accounts] = await Promise.all([
    store.readProjects([projectId], consistency),
    store.accountsOfPerson(email, consistency),
  ]);
  const project = projects.get(projectId);
  const account = accounts.find(({ eventId }) => eventId === project?.text.eventId);
  return { project, account, isCertain: consistency === "strong" };
}

/**
 * Whoever is refused goes on with what the refusal shows: on a hot project, reading it would take so long that the next
 * trade is through before.
 * @throws NotFound, ProjectInactive, InsufficientCash, InsufficientShares
 */
export function executeTrade(order: Order): Promise<Executed> {
  let consistency: Consistency = "eventual";
  let latest: Seen | undefined;
  const named = nameOnce(order);
  return untilSettled(async () => {
    const { project, account, isCertain } = latest ?? (await look(order, consistency));
    latest = undefined;
    consistency = "strong";
    const wanted = project && quote(order.side, order.shares, project.market);
    if (wanted && (account || canOpenWith(order, wanted))) {
      const outcome = await tryToTrade(order, { project, account }, wanted, named);
      if ("trade" in outcome) return outcome;
      latest = outcome;
      return again;
    }
    // Nothing refuses on a read that may be old.
    if (!isCertain) return again;
    throw project ? lacking(order.side) : new NotFound("Project");
  });
}

const lacking = (side: Side) => (side === "BUY" ? new InsufficientCash() : new InsufficientShares());

/** Nobody has shares to sell before their first trade. */
const canOpenWith = ({ side }: Order, { cashDelta }: Quote): boolean => side === "BUY" && startingCash + cashDelta >= 0;

/** What a trade is made with. */
interface Ground {
  readonly project: Project;
  readonly account: StoredAccount | undefined;
}

/** @returns the trade, or what has become of market and account meanwhile */
async function tryToTrade(
  order: Order,
  { project, account }: Ground,
  wanted: Quote,
  named: Named,
): Promise<Executed | Seen> {
  const { side, projectId, shares, now, arrival, requestId } = order;
  const is = accountAfter(order, { project, account }, wanted, await named(account));
  const trade = tradeOf(order, is, wanted);
  const { tradeId, eventId: eventID } = trade;
  const outcome = await commit({
    trade: store.putTrade(trade, arrival),
    market: store.tradeOnMarket(project.market, side, wanted, now),
    account: account
      ? store.tradeOnAccount(account, is, { side, projectId, shares, quote: wanted })
      : store.openAccount(is),
    news: outboxRow(
      { type: "btx.traded", data: { tradeId, eventID, projectId, side, shares } },
      { now, actor: order.email, correlationId: requestId },
    ),
  });
  if (outcome.committed)
    return { trade, project: { ...project, market: marketAfter(project.market, order, wanted) }, account: is };
  const { refused } = outcome;
  if (refused.trade) {
    // An earlier try was carried out, and only its answer got lost.
    const { project: projectNow = project, account: accountNow = is } = await look(order, "strong");
    return { trade: refused.trade, project: projectNow, account: accountNow };
  }
  if (refused.market && !refused.market.isActive) throw new ProjectInactive();
  // The price is the one that was read, and so is the account: it does not have what this takes.
  if (!("market" in refused) && account && refused.account?.version === account.version) throw lacking(side);
  return {
    project: { ...project, market: refused.market ?? project.market },
    account: refused.account ?? account,
    isCertain: true,
  };
}

type Name = Pick<StoredAccount, "displayName" | "namedAt">;
type Named = (account: StoredAccount | undefined) => Promise<Name>;

/** The name that an account has, or else the person's, which is looked up once however often the trade is tried. */
function nameOnce({ email, now }: Order): Named {
  let found: Name | undefined;
  return async (account) => {
    if (isNamed(account, now)) return { displayName: account.displayName, namedAt: account.namedAt };
    found ??= { displayName: displayName(await readUser(email)), namedAt: now };
    return found;
  };
}

function accountAfter({ email, projectId, now }: Order, { project, account }: Ground, wanted: Quote, name: Name) {
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

/** The ULID of the request's arrival is the trade's as well. */
const tradeOf = (order: Order, { email, eventId, displayName }: StoredAccount, wanted: Quote): Trade => ({
  tradeId: order.arrival.slice(order.arrival.indexOf("#") + 1),
  projectId: order.projectId,
  eventId,
  email,
  displayName,
  side: order.side,
  shares: order.shares,
  price: wanted.price,
  fee: wanted.fee,
  cashDelta: wanted.cashDelta,
  priceAfter: wanted.priceAfter,
  createdAt: order.now,
});

const marketAfter = (was: Market, { side, shares, now }: Order, { change, gross }: Quote): Market => ({
  ...was,
  netShares: was.netShares + change,
  totalBuyShares: was.totalBuyShares + (side === "BUY" ? shares : 0),
  totalSellShares: was.totalSellShares + (side === "SELL" ? shares : 0),
  totalTrades: was.totalTrades + 1,
  totalVolume: was.totalVolume + gross,
  updatedAt: now,
});
