/** The invariants of the investment game, checked at every commit. */
import type { StoredAccount } from "#domain/game/account.ts";
import type { Market } from "#domain/game/project.ts";
import type { PricePoint, Trade } from "#domain/game/trade.ts";
import type { Item } from "./expression.ts";
import type { Changed } from "./table.ts";
import type { Witness } from "./world.ts";

const start = 250_000;
/** The admins of the model move a base price by these amounts, in cents. */
const moves: Readonly<Record<string, number>> = { ADD: 500, SEED: 10 };

interface Message {
  readonly detail: { readonly metadata: { readonly correlationId: string } };
}
type Change<T> = { readonly was: T | undefined; readonly is: T };

const priceOf = ({ basePrice, netShares }: Market): number => basePrice + 2 * netShares;
const sharesIn = (account: StoredAccount | undefined, projectId: string): number =>
  account?.holdings[projectId]?.shares ?? 0;

function those<T>(changes: readonly Changed[], prefix: string, sortKey = ""): Change<T>[] {
  const isOne = (item: Item | undefined) =>
    item !== undefined && String(item.PK).startsWith(prefix) && String(item.SK).startsWith(sortKey);
  return changes.flatMap(({ before, after }) =>
    isOne(after) ? [{ was: before as T | undefined, is: after as unknown as T }] : [],
  );
}

export class Judge implements Witness {
  readonly violations = new Set<string>();
  readonly accounts = new Map<string, StoredAccount>();
  readonly markets = new Map<string, Market>();
  /** The number of trades that each request made. */
  readonly traded = new Map<string, number>();
  #trades = 0;

  get trades(): number {
    return this.#trades;
  }

  answered(): void {}

  #demand(isTrue: boolean, violation: string): void {
    if (!isTrue) this.violations.add(violation);
  }

  commit(changes: readonly Changed[]): void {
    const accounts = those<StoredAccount>(changes, "USER#", "BTX#");
    const markets = those<Market>(changes, "BTXP#", "MARKET");
    const trades = those<Trade>(changes, "BTXT#");
    const points = those<PricePoint>(changes, "BTXM#");
    for (const { is } of accounts) this.accounts.set(`${is.email} ${is.eventId}`, is);
    for (const { is } of markets) this.markets.set(is.projectId, is);
    for (const trade of trades) this.#judgeTrade(trade, accounts, markets, those<Message>(changes, "OUT#"));
    if (trades.length === 0) for (const account of accounts) this.#judgeReset(account);
    for (const point of points) this.#judgePoint(point, markets);
    if (trades.length + points.length + accounts.length === 0) for (const market of markets) this.#judgeSaved(market);
    this.#judgeAll();
  }

  #judgeTrade(
    { was: earlier, is: trade }: Change<Trade>,
    accounts: readonly Change<StoredAccount>[],
    markets: readonly Change<Market>[],
    message: readonly Change<Message>[],
  ): void {
    this.#trades += 1;
    const [account, market, told] = [accounts[0], markets[0], message[0]];
    this.#demand(
      accounts.length === 1 && markets.length === 1 && message.length === 1,
      "a trade is told and booked once",
    );
    if (!account || !market?.was || !told) return;
    const request = told.is.detail.metadata.correlationId;
    this.traded.set(request, (this.traded.get(request) ?? 0) + 1);
    this.#demand(earlier === undefined && this.traded.get(request) === 1, "a request trades once");
    const change = trade.side === "BUY" ? trade.shares : -trade.shares;
    const gross = trade.price * trade.shares;
    const percent = trade.side === "BUY" ? -102 : 98;
    this.#demand(market.was.isActive, "nothing is traded that is not in the game");
    this.#demand(market.is.basePrice === market.was.basePrice, "a trade leaves the base");
    this.#demand(market.is.netShares === market.was.netShares + change, "a trade moves the shares it says");
    this.#demand(trade.price * 2 === priceOf(market.was) + priceOf(market.is), "a trade executes at the mean price");
    this.#demand(trade.priceAfter === priceOf(market.is), "a trade leaves a point of the price");
    this.#demand(Math.abs(gross * percent - trade.cashDelta * 100) <= 50, "a trade pays 2 %");
    this.#demand(
      account.is.cash - (account.was?.cash ?? start) === trade.cashDelta,
      "cash changes by what a trade costs",
    );
    const moved = sharesIn(account.is, trade.projectId) - sharesIn(account.was, trade.projectId);
    this.#demand(moved === change, "the trader gets or gives the shares");
    const others = new Set([...Object.keys(account.was?.holdings ?? {}), ...Object.keys(account.is.holdings)]);
    others.delete(trade.projectId);
    for (const id of others) {
      this.#demand(sharesIn(account.is, id) === sharesIn(account.was, id), "a trade leaves the other holdings");
    }
  }

  #judgeReset({ was, is }: Change<StoredAccount>): void {
    const isEmpty = Object.keys(is.holdings).length === 0;
    this.#demand(was !== undefined, "accounts come into being with a trade");
    this.#demand(is.cash === (isEmpty ? start : was?.cash), "a reset puts the cash back when the last shares are gone");
  }

  #judgePoint({ was, is: { priceAfter, source } }: Change<PricePoint>, [market]: readonly Change<Market>[]): void {
    this.#demand(was === undefined, "a request moves a price once");
    if (!market?.was) return;
    this.#demand(priceAfter === priceOf(market.is), "a point is the price that was left");
    this.#demand(market.is.basePrice - market.was.basePrice === moves[source], "every move of the base counts");
  }

  #judgeSaved({ was, is }: Change<Market>): void {
    this.#demand(was !== undefined && is.eventId === was.eventId, "a project exists once, in one event");
    this.#demand(was !== undefined && priceOf(is) === priceOf(was), "saving leaves the price");
  }

  #judgeAll(): void {
    for (const { cash, holdings } of this.accounts.values()) {
      this.#demand(cash >= 0, "cash is never negative");
      for (const { shares, cost } of Object.values(holdings)) {
        this.#demand(shares > 0 && cost >= 0, "holdings are never negative");
      }
    }
    for (const market of this.markets.values()) {
      const held = [...this.accounts.values()].reduce((sum, one) => sum + sharesIn(one, market.projectId), 0);
      this.#demand(market.netShares === held, "the shares of all holders are those of the project");
      this.#demand(market.netShares >= 0 && priceOf(market) >= 10, "no price is below the lowest");
    }
  }
}
