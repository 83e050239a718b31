import { highestBase, mostShares } from "#domain/game/market.ts";
import { bumpTypes } from "#domain/game/worth.ts";
import { closed, Email, EventId, each, Limit, Name, oneOf, type Static, Text, Timestamp, Type } from "#kit/schema.ts";

/** Dollars with two decimals. */
const Money = Type.Number();
/** Ids of projects look like ids of events. */
const ProjectId = EventId;

/** Absent: the usual event (`gameEventOf`). */
const ofEvent = { eventId: Type.Optional(EventId) };
export const eventQuery = closed(ofEvent);
export const projectParams = closed({ projectId: ProjectId });

const limit = Type.Optional(Limit(500));
export const tradesQuery = closed({ projectId: Type.Optional(ProjectId), limit });
export const historyQuery = closed({ projectId: ProjectId, limit, since: Type.Optional(Timestamp) });
const shownOnBoard = Type.Optional(Limit(100, 0));
export const leaderboardQuery = closed({ ...ofEvent, limitTop: shownOnBoard, limitBottom: shownOnBoard });

export const Order = closed({ projectId: ProjectId, shares: Type.Integer({ minimum: 1, maximum: mostShares }) });
export type Order = Static<typeof Order>;

/** An amount of seed. A number that could never fit is refused before it is used in a calculation. */
const Amount = Type.Number({ minimum: -10_000_000, maximum: 10_000_000 });
const BaseChange = Type.Number({ minimum: -highestBase / 100, maximum: highestBase / 100 });

/** The fields may come in the query as well. The handler checks for required fields after it has put both together. */
const projectFields = {
  projectId: Type.Optional(ProjectId),
  ticker: Type.Optional({ ...Name, maxLength: 20 }),
  name: Type.Optional(Name),
  description: Type.Optional(Text(10_000)),
  eventId: Type.Optional(EventId),
  seedAmount: Type.Optional(Amount),
};
export const NewProject = closed(projectFields);
export type NewProject = Static<typeof NewProject>;

export const Seed = closed({
  projectId: ProjectId,
  seedDelta: Type.Optional(Amount),
  seedAbsolute: Type.Optional(Amount),
});
export type Seed = Static<typeof Seed>;

export const PhaseBump = closed({
  projectId: ProjectId,
  bumpType: oneOf(bumpTypes),
  multiplier: Type.Optional(Type.Number({ minimum: 0.0001, maximum: 10_000 })),
  delta: Type.Optional(BaseChange),
});
export type PhaseBump = Static<typeof PhaseBump>;

/** Dollars invested in a team; its project has the same id. */
export const Investment = closed({
  teamId: ProjectId,
  amountDelta: Type.Number({ minimum: -100_000_000, maximum: 100_000_000 }),
});

export const Reset = closed({ eventId: EventId, userId: Type.Optional(Email) });

const Project = closed({
  projectId: ProjectId,
  eventId: EventId,
  ...each(["ticker", "name", "description"], Type.String()),
  ...each(["basePrice", "currentPrice"], Money),
  ...each(["netShares", "totalBuyShares", "totalSellShares", "totalTrades"], Type.Integer({ minimum: 0 })),
  totalVolume: Money,
  seedAmount: Type.Number(),
  isActive: Type.Boolean(),
  ...each(["createdAt", "updatedAt"], Timestamp),
});

const Account = closed({
  userId: Type.String(),
  eventId: EventId,
  ...each(["cashBalance", "initialBalance"], Money),
});

const Trade = closed({
  tradeId: Type.String(),
  projectId: ProjectId,
  /** The caller's own email, or the display name of another person. */
  userId: Type.String(),
  side: oneOf(["BUY", "SELL"]),
  shares: Type.Integer({ minimum: 1 }),
  ...each(["price", "fee", "cashDelta"], Money),
  createdAt: Timestamp,
});

const Contestant = closed({
  userId: Type.String(),
  ...each(["equityValue", "cashBalance", "totalValue", "totalPnl"], Money),
  /** Per cent, with two decimals. */
  returnPct: Type.Number(),
  positionsCount: Type.Integer({ minimum: 0 }),
});

const answer = <const S extends Parameters<typeof closed>[0][string]>(data: S) =>
  closed({ message: Type.String(), data });

export const OneProject = answer(Project);
export const Projects = answer(Type.Array(Project));
export const Snapshot = answer(closed({ projects: Type.Array(closed({ ...Project.properties, marketCap: Money })) }));
export const Traded = answer(closed({ trade: Trade, project: Project, account: Account }));
export const Trades = answer(Type.Array(Trade));
export const Portfolio = answer(
  closed({
    account: Account,
    ...each(["totalEquityValue", "totalPortfolioValue"], Money),
    holdings: Type.Array(
      closed({
        projectId: ProjectId,
        ticker: Type.String(),
        name: Type.String(),
        shares: Type.Integer({ minimum: 1 }),
        /** `avgPrice` is without fees. */
        ...each(["avgPrice", "currentPrice", "marketValue", "pnl"], Money),
      }),
    ),
  }),
);
export const PriceHistory = answer(
  Type.Array(
    closed({
      projectId: ProjectId,
      price: Money,
      /** `TRADE`, or the name of another change of the price. */
      source: Type.String(),
      createdAt: Timestamp,
      /** The same as `createdAt`. */
      ts: Timestamp,
    }),
  ),
);
export const Leaderboard = answer(
  closed({
    /** People with an account. */
    traders: Type.Integer({ minimum: 0 }),
    top: Type.Array(Contestant),
    bottom: Type.Array(Contestant),
  }),
);
export const ResetDone = answer(
  closed({
    eventId: EventId,
    /** Accounts that have their starting state now. */
    accounts: Type.Integer({ minimum: 0 }),
    /** False: the time was over before all accounts were done. The same request goes on. */
    complete: Type.Boolean(),
  }),
);
