import { highestBase, maxShares } from "#domain/game/market.ts";
import { bumpTypes } from "#domain/game/worth.ts";
import {
  closed,
  described,
  Email,
  EventId,
  each,
  Limit,
  Name,
  oneOf,
  type Static,
  Text,
  Timestamp,
  Type,
} from "#kit/schema/schema.ts";

/** Dollars with two decimals. */
const Money = Type.Number();
/** Ids of projects look like ids of events. */
const ProjectId = EventId;

/** Absent: the default event (`gameEventOf`). */
const gameEvent = described(EventId, "Default: `kickstart`.");
const ofEvent = { eventId: Type.Optional(gameEvent) };
export const eventQuery = closed(ofEvent);
export const projectParams = closed({ projectId: ProjectId });

export const tradesQuery = closed({
  projectId: Type.Optional(described(ProjectId, "Absent: the caller's own trades.")),
  limit: Type.Optional(described(Limit(500), "Default: 20.")),
});
export const historyQuery = closed({
  projectId: ProjectId,
  limit: Type.Optional(described(Limit(500), "Default: 500. The newest prices count.")),
  since: Type.Optional(described(Timestamp, "Epoch milliseconds, inclusive.")),
});
const shownOnBoard = Type.Optional(described(Limit(100, 0), "Default: 5."));
export const leaderboardQuery = closed({ ...ofEvent, limitTop: shownOnBoard, limitBottom: shownOnBoard });

export const Order = closed({ projectId: ProjectId, shares: Type.Integer({ minimum: 1, maximum: maxShares }) });
export type Order = Static<typeof Order>;

/** An amount of seed. Bounded, so that calculations cannot overflow. */
const Amount = Type.Number({ minimum: -10_000_000, maximum: 10_000_000 });
const BaseChange = Type.Number({ minimum: -highestBase / 100, maximum: highestBase / 100 });

/** The fields may be in the query as well. The handler merges both and then checks the required fields. */
const projectFields = {
  projectId: Type.Optional(described(ProjectId, "Required. Unique over all events.")),
  ticker: Type.Optional(described({ ...Name, maxLength: 20 }, "Short name of the project. Required.")),
  name: Type.Optional(described(Name, "The project's name. Required.")),
  description: Type.Optional(Text(10_000)),
  eventId: Type.Optional(gameEvent),
  seedAmount: Type.Optional(Amount),
};
export const NewProject = closed(projectFields);
export type NewProject = Static<typeof NewProject>;

export const Seed = closed({
  projectId: ProjectId,
  seedDelta: Type.Optional(described(Amount, "Change of the seed. Needed unless `seedAbsolute` is given.")),
  seedAbsolute: Type.Optional(described(Amount, "The new seed. Needed unless `seedDelta` is given.")),
});
export type Seed = Static<typeof Seed>;

export const PhaseBump = closed({
  projectId: ProjectId,
  bumpType: described(
    oneOf(bumpTypes),
    "Changes the base price. KICKOFF_HYPE: +15 %. VALIDATION_GOOD: +10 %. VALIDATION_BAD: -5 %. MVP_SHIPPED: +30 %. " +
      "USER_FEEDBACK_GOOD: +10 %. USER_FEEDBACK_BAD: -10 %. DEMO_QUALIFIER: +50 %. DEMO_WINNER: +100 %. MULTIPLY: times " +
      "`multiplier`. ADD: plus `delta`.",
  ),
  multiplier: Type.Optional(Type.Number({ minimum: 0.0001, maximum: 10_000 })),
  delta: Type.Optional(described(BaseChange, "What ADD adds, in dollars.")),
});
export type PhaseBump = Static<typeof PhaseBump>;

/** Dollars invested in a team; its project has the same id. */
export const Investment = closed({
  teamId: described(ProjectId, "The id of the team's project."),
  amountDelta: Type.Number({
    minimum: -100_000_000,
    maximum: 100_000_000,
    description: "Dollars. Each raises the seed by 0.0001.",
  }),
});

export const Reset = closed({
  eventId: EventId,
  userId: Type.Optional(described(Email, "Absent: all accounts of the event.")),
});

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

const userId = Type.String({ description: "The caller's own email, or the display name of another person." });

const Account = closed({
  userId,
  eventId: EventId,
  ...each(["cashBalance", "initialBalance"], Money),
});

const Trade = closed({
  tradeId: Type.String(),
  projectId: ProjectId,
  userId,
  side: oneOf(["BUY", "SELL"]),
  shares: Type.Integer({ minimum: 1 }),
  ...each(["price", "fee", "cashDelta"], Money),
  createdAt: Timestamp,
});

const Contestant = closed({
  userId,
  ...each(["equityValue", "cashBalance", "totalValue", "totalPnl"], Money),
  returnPct: Type.Number({ description: "Per cent, with two decimals." }),
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
        avgPrice: described(Money, "What a share cost on average, in dollars without fees."),
        ...each(["currentPrice", "marketValue", "pnl"], Money),
      }),
    ),
  }),
);
export const PriceHistory = answer(
  Type.Array(
    closed({
      projectId: ProjectId,
      price: Money,
      source: Type.String({ description: "`TRADE`, or the name of another change of the price." }),
      createdAt: Timestamp,
      ts: described(Timestamp, "The same as `createdAt`."),
    }),
  ),
);
export const Leaderboard = answer(
  closed({
    traders: Type.Integer({ minimum: 0, description: "People with an account." }),
    top: Type.Array(Contestant),
    bottom: Type.Array(Contestant),
  }),
);
export const ResetDone = answer(
  closed({
    eventId: EventId,
    accounts: Type.Integer({ minimum: 0, description: "Accounts that have their starting state now." }),
    complete: Type.Boolean({ description: "`false`: the time ran out. Send the same request again to go on." }),
  }),
);
