/** Keys, items and transaction members of the investment game. */

import { allOf, itemsBeginning, itemsOf, queryItems } from "#kit/lists/pages.ts";
import { partsOf } from "#kit/request/context.ts";
import { unedited } from "#kit/request/etag.ts";
import { timeText } from "#kit/table/item.ts";
import {
  type Consistency,
  getItem,
  getItems,
  getRecord,
  isAbsent,
  type Key,
  listFromStart,
  put,
  putIf,
  putNew,
  type Query,
  queryOnce,
  queryPages,
  type TransactItem,
  updateIf,
} from "#kit/table/table.ts";
import { keyOf, partitionOf, prefixOf } from "#outbox/stored-kinds.ts";
import type { Account, StoredAccount } from "./account.ts";
import type { Quote, Side } from "./market.ts";
import type { Description, Market, Project } from "./project.ts";
import type { PricePoint, Trade } from "./trade.ts";
import type { Contestant } from "./valuation.ts";
import type { Worth } from "./worth.ts";

export const textKey = (project: string): Key => keyOf("project, text", { project });
export const marketKey = (project: string): Key => keyOf("project, market", { project });
export const accountKey = (email: string, event: string): Key => keyOf("account in the game", { email, event });
const projectsOf = (eventId: string): string => `BTX#${eventId}`;
const accountsOf = (event: string): string => partitionOf("listed game account", { event });
/** The list of a person's trades. */
export const tradesListOf = (email: string): string => `TRD#${email}`;

/** The projects that exist, by id. */
export async function readProjects(
  projectIds: readonly string[],
  consistency: Consistency,
): Promise<ReadonlyMap<string, Project>> {
  const keys = projectIds.flatMap((id) => [textKey(id), marketKey(id)]);
  const items = await getItems<Description & Market>(keys, consistency);
  const markets = new Map(items.filter(({ SK }) => SK === "MARKET").map((item) => [item.projectId, item]));
  const texts = items.filter(({ SK }) => SK === "META");
  return paired(texts, markets);
}

/** The project, strongly consistent. */
export const readProject = async (projectId: string): Promise<Project | undefined> =>
  (await readProjects([projectId], "strong")).get(projectId);

/**
 * A project for an edit. The text is read first, so that its edit version is never newer than the market: an admin who
 * saves with this version has seen the effects of earlier edits on the market.
 */
export async function readProjectToEdit(projectId: string): Promise<Project | undefined> {
  const text = await getRecord<Description>(textKey(projectId), "strong");
  const market = text && (await getItem<Market>(marketKey(projectId), "strong"));
  return market && { text, market };
}

const paired = (texts: readonly Description[], markets: ReadonlyMap<string, Market>) =>
  new Map(
    texts.flatMap((text) => {
      const market = markets.get(text.projectId);
      return market ? [[text.projectId, { text, market }] as const] : [];
    }),
  );

/** The markets of these projects. */
export const readMarkets = (projectIds: readonly string[], consistency: Consistency): Promise<Market[]> =>
  getItems<Market>(projectIds.map(marketKey), consistency);

/** Whether a project has this id, also one that was removed from the game. */
export async function projectExists(projectId: string): Promise<boolean> {
  return (await getItem(marketKey(projectId), "eventual")) !== undefined;
}

const listed = <T extends object>(list: string) => allOf(queryItems<T>(listFromStart(list)));

/** All projects of an event, sorted by id. */
export async function projectsOfEvent(eventId: string): Promise<Project[]> {
  const texts = await listed<Description>(projectsOf(eventId));
  const markets = await readMarkets(
    texts.map(({ projectId }) => projectId),
    "eventual",
  );
  return [...paired(texts, new Map(markets.map((market) => [market.projectId, market]))).values()];
}

/** The account, or undefined before the person's first trade in this event. */
export const readAccount = (email: string, eventId: string) =>
  getItem<StoredAccount>(accountKey(email, eventId), "strong");

/** A person's accounts in all events. An order contains only a project, so its event is unknown before the read. */
export async function accountsOfPerson(email: string): Promise<StoredAccount[]> {
  const accounts = partitionOf("account in the game", { email });
  return (await queryOnce<StoredAccount>(itemsBeginning(accounts, prefixOf("account in the game")))).items;
}

/** The accounts of all people who have traded in an event, from the index, which is eventually consistent. */
export const contestants = (eventId: string) => listed<Contestant>(accountsOf(eventId));

/**
 * The accounts of an event in pages of 100, strongly consistent, so including those that the index does not have yet.
 */
export async function* accountsInTurn(eventId: string): AsyncGenerator<StoredAccount[]> {
  const list = { ...itemsOf(accountsOf(eventId)), Limit: 100 };
  for await (const { items } of queryPages<Pick<StoredAccount, "email">>(list)) {
    const keys = items.map(({ email }) => accountKey(email, eventId));
    yield await getItems<StoredAccount>(keys, "strong");
  }
}

const newestOf = (values: Record<string, unknown>, condition: string, limit: number): Query => ({
  KeyConditionExpression: condition,
  ExpressionAttributeValues: values,
  ScanIndexForward: false,
  Limit: limit,
});

/** The newest trades of a project, newest first. */
export async function tradesOfProject(project: string, limit: number): Promise<Trade[]> {
  return (await queryOnce<Trade>(newestOf({ ":trades": partitionOf("trade", { project }) }, "PK = :trades", limit)))
    .items;
}

/** The newest trades of a person, newest first. */
export async function tradesOfPerson(email: string, limit: number): Promise<Trade[]> {
  const query = newestOf({ ":trader": tradesListOf(email) }, "GSI1PK = :trader", limit);
  return (await queryOnce<Trade>({ ...query, IndexName: "GSI1" })).items;
}

/** The newest trades and other price changes of a project, each newest first. @param since epoch milliseconds */
export async function priceChanges(project: string, since: number, limit: number) {
  const from = timeText(since);
  const newest = <T extends object>(partition: string) =>
    queryOnce<T>(newestOf({ ":list": partition, ":since": from }, "PK = :list AND SK >= :since", limit));
  const [trades, points] = await Promise.all([
    newest<Trade>(partitionOf("trade", { project })),
    newest<PricePoint>(partitionOf("other price change", { project })),
  ]);
  return { trades: trades.items, points: points.items };
}

const textItem = (text: Description) => ({
  ...textKey(text.projectId),
  GSI1PK: projectsOf(text.eventId),
  GSI1SK: text.projectId,
  ...text,
});

/** Refused when a project of any event has this id. */
export const putText = (text: Description): TransactItem => putNew(textItem(text));

/** Replaces the text of a project as its next edit. Refused when the project was edited since it was read. */
export const replaceText = (text: Description, read: Description): TransactItem =>
  putIf(textItem(text), unedited(read));

/** Refused when a project has this id. */
export const putMarket = (market: Market): TransactItem => putNew({ ...marketKey(market.projectId), ...market });

/** Activates or deactivates a project. The rest of the market is unchanged. */
export const setActive = (projectId: string, isActive: boolean, now: number): TransactItem =>
  updateIf(marketKey(projectId), {
    UpdateExpression: "SET isActive = :active, updatedAt = :now",
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeValues: { ":active": isActive, ":now": now },
  });

/** Changes the base. Refused when the market has changed since it was read. */
export const moveBase = (was: Market, worth: Worth, now: number): TransactItem<Market> =>
  updateIf(marketKey(was.projectId), {
    UpdateExpression: "SET basePrice = :base, seed = :seed, bumped = :bumped, updatedAt = :now",
    ConditionExpression: "seed = :seedWas AND bumped = :bumpedWas AND netShares = :netShares",
    ExpressionAttributeValues: {
      ":base": worth.basePrice,
      ":seed": worth.seed,
      ":bumped": worth.bumped,
      ":now": now,
      ":seedWas": was.seed,
      ":bumpedWas": was.bumped,
      ":netShares": was.netShares,
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });

/**
 * A price that changed without a trade. A separate partition, so that a query with a limit returns only trades.
 * @param queueKey sorts the points
 */
export const putPoint = (point: PricePoint, queueKey: string): TransactItem =>
  put({ ...keyOf("other price change", { project: point.projectId, ...partsOf(queueKey) }), ...point }, "new key");

/** Trades at the price that was read. Refused when the price has changed or the project is no longer active. */
export const tradeOnMarket = (was: Market, side: Side, { change, gross }: Quote, now: number): TransactItem<Market> =>
  updateIf(marketKey(was.projectId), {
    UpdateExpression:
      "SET netShares = netShares + :change, totalBuyShares = totalBuyShares + :bought, " +
      "totalSellShares = totalSellShares + :sold, totalTrades = totalTrades + :one, " +
      "totalVolume = totalVolume + :gross, updatedAt = :now",
    ConditionExpression: "basePrice = :base AND netShares = :netShares AND isActive = :active",
    ExpressionAttributeValues: {
      ":change": change,
      ":bought": side === "BUY" ? change : 0,
      ":sold": side === "SELL" ? -change : 0,
      ":one": 1,
      ":gross": gross,
      ":now": now,
      ":base": was.basePrice,
      ":netShares": was.netShares,
      ":active": true,
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });

/** Creates the account with its first trade. Refused when the account exists. */
export const openAccount = (account: StoredAccount): TransactItem<StoredAccount> =>
  putIf(
    {
      ...accountKey(account.email, account.eventId),
      GSI1PK: accountsOf(account.eventId),
      GSI1SK: account.email,
      ...account,
    },
    { ...isAbsent, ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
  );

/** Adds a new account to the list of its event's accounts. */
export const listAccount = ({ email, eventId }: Account): TransactItem =>
  put({ ...keyOf("listed game account", { event: eventId, email }), email }, "beside a condition");

/**
 * Changes cash and holdings by a trade. Refused when the account has changed since it was read, or has too little cash
 * or too few shares.
 */
export function tradeOnAccount(
  was: StoredAccount,
  is: StoredAccount,
  { side, projectId, shares, cashDelta }: Trade,
): TransactItem<StoredAccount> {
  const isBuy = side === "BUY";
  return updateIf(accountKey(was.email, was.eventId), {
    UpdateExpression:
      "SET cash = cash + :cashDelta, holdings = :holdings, version = version + :one, " +
      "displayName = :name, namedAt = :namedAt, again = :again, updatedAt = :now",
    ConditionExpression: `version = :version AND ${isBuy ? "cash" : "holdings.#project.shares"} >= :taken`,
    ...(!isBuy && { ExpressionAttributeNames: { "#project": projectId } }),
    ExpressionAttributeValues: {
      ":cashDelta": cashDelta,
      ":holdings": is.holdings,
      ":one": 1,
      ":name": is.displayName,
      ":namedAt": is.namedAt,
      ":again": is.again,
      ":now": is.updatedAt,
      ":version": was.version,
      ":taken": isBuy ? -cashDelta : shares,
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
}

/** @param queueKey sorts the trades */
export function putTrade(trade: Trade, queueKey: string): TransactItem {
  const key = keyOf("trade", { project: trade.projectId, ...partsOf(queueKey) });
  return put({ ...key, GSI1PK: tradesListOf(trade.email), GSI1SK: queueKey, ...trade }, "new key");
}

/** Sets cash and holdings in a reset. Refused when the account has changed since it was read. */
export const resetAccount = (was: StoredAccount, is: Pick<Account, "cash" | "holdings">, now: number): TransactItem =>
  updateIf(accountKey(was.email, was.eventId), {
    UpdateExpression: "SET cash = :cash, holdings = :holdings, version = version + :one, updatedAt = :now",
    ConditionExpression: "version = :version",
    ExpressionAttributeValues: {
      ":cash": is.cash,
      ":holdings": is.holdings,
      ":one": 1,
      ":now": now,
      ":version": was.version,
    },
  });

/** Removes shares from the market without a trade, because a reset has removed them from an account. */
export const giveBack = (projectId: string, shares: number, now: number): TransactItem =>
  updateIf(marketKey(projectId), {
    UpdateExpression: "SET netShares = netShares - :shares, updatedAt = :now",
    ExpressionAttributeValues: { ":shares": shares, ":now": now },
  });
