import { highestBase, maxShares } from "#domain/game/market.ts";
import { bumpTypes } from "#domain/game/worth.ts";
import {
  closed,
  described,
  Email,
  EventId,
  Limit,
  Message,
  Name,
  oneOf,
  optional,
  type Static,
  someTime,
  Text,
  Timestamp,
  type TSchema,
  Type,
  times,
} from "#kit/schema/schema.ts";

/** Dollars with two decimals. */
const Money = Type.Number();
/** Ids of projects look like ids of events. */
const ProjectId = described(EventId, "The project's id.", "abacus");
const ofGame = described(EventId, "The event of the game.");

/** Absent: the default event (`gameEventOf`). */
const gameEvent = described(EventId, "Default: `kickstart`.");
const ofEvent = { eventId: Type.Optional(gameEvent) };
export const eventQuery = closed(ofEvent);
export const projectParams = closed({ projectId: ProjectId });

export const tradesQuery = closed({
  projectId: optional(ProjectId, "Absent: the caller's own trades."),
  limit: optional(Limit(500), "Default: 20."),
});
export const historyQuery = closed({
  projectId: ProjectId,
  limit: optional(Limit(500), "Default: 500. The newest prices count."),
  since: optional(Timestamp, "Epoch milliseconds, inclusive.", someTime),
});
const shownOnBoard = optional(Limit(100, 0), "Default: 5.", 5);
export const leaderboardQuery = closed({ ...ofEvent, limitTop: shownOnBoard, limitBottom: shownOnBoard });

export const Order = closed({
  projectId: ProjectId,
  shares: described(Type.Integer({ minimum: 1, maximum: maxShares }), "How many shares.", 5),
});
export type Order = Static<typeof Order>;

/** An amount of seed. Bounded, so that calculations cannot overflow. */
const Amount = Type.Number({ minimum: -10_000_000, maximum: 10_000_000 });
const BaseChange = Type.Number({ minimum: -highestBase / 100, maximum: highestBase / 100 });

/** What is said of a project. */
const said = {
  ticker: described(Type.String(), "Short name of the project.", "ABA"),
  name: described(Type.String(), "The name that people see.", "Abacus"),
  description: described(Type.String(), "What the project is about.", "A machine that counts."),
};
const seedAmount = described(Type.Number(), "Seed of the project in dollars, which raises its base price.", 0);

/** The fields may be in the query as well. The handler merges both and then checks the required fields. */
const projectFields = {
  projectId: optional(ProjectId, "Required. Unique over all events."),
  ticker: optional({ ...Name, maxLength: 20 }, "Short name of the project. Required.", "ABA"),
  name: optional(Name, "The project's name. Required.", "Abacus"),
  description: optional(Text(10_000), "What the project is about.", "A machine that counts."),
  eventId: Type.Optional(gameEvent),
  seedAmount: Type.Optional({ ...seedAmount, ...Amount }),
};
export const NewProject = closed(projectFields);
export type NewProject = Static<typeof NewProject>;

export const Seed = closed({
  projectId: ProjectId,
  seedDelta: optional(Amount, "Change of the seed. Needed unless `seedAbsolute` is given.", 10),
  seedAbsolute: optional(Amount, "The new seed. Needed unless `seedDelta` is given."),
});
export type Seed = Static<typeof Seed>;

export const PhaseBump = closed({
  projectId: ProjectId,
  bumpType: described(
    oneOf(bumpTypes),
    "Changes the base price. KICKOFF_HYPE: +15 %. VALIDATION_GOOD: +10 %. VALIDATION_BAD: -5 %. MVP_SHIPPED: +30 %. " +
      "USER_FEEDBACK_GOOD: +10 %. USER_FEEDBACK_BAD: -10 %. DEMO_QUALIFIER: +50 %. DEMO_WINNER: +100 %. MULTIPLY: times " +
      "`multiplier`. ADD: plus `delta`.",
    "MVP_SHIPPED",
  ),
  multiplier: optional(Type.Number({ minimum: 0.0001, maximum: 10_000 }), "The factor of MULTIPLY."),
  delta: optional(BaseChange, "What ADD adds, in dollars."),
});
export type PhaseBump = Static<typeof PhaseBump>;

/** Dollars invested in a team; its project has the same id. */
export const Investment = closed({
  teamId: described(ProjectId, "The id of the team's project."),
  amountDelta: Type.Number({
    minimum: -100_000_000,
    maximum: 100_000_000,
    description: "Dollars. Each raises the seed by 0.0001.",
    examples: [1_000],
  }),
});

export const Reset = closed({
  eventId: ofGame,
  userId: optional(Email, "Absent: all accounts of the event."),
});

const count = Type.Integer({ minimum: 0 });

const Project = closed({
  projectId: ProjectId,
  eventId: ofGame,
  ...said,
  basePrice: described(Money, "Price of a share before trades, in dollars.", 1),
  currentPrice: described(Money, "Price of a share now, in dollars.", 1.1),
  netShares: described(count, "Shares that people hold.", 5),
  totalBuyShares: described(count, "Shares ever bought.", 5),
  totalSellShares: described(count, "Shares ever sold.", 0),
  totalTrades: described(count, "How many trades there were.", 1),
  totalVolume: described(Money, "Dollars of all trades.", 5.25),
  seedAmount,
  isActive: Type.Boolean({ description: "`false`: out of the game." }),
  ...times,
});

const userId = described(
  Type.String(),
  "The caller's own email, or the display name of another person.",
  "ada@student.example",
);
const cashBalance = described(Money, "Dollars to buy shares with.", 2494.64);

const Account = closed({
  userId,
  eventId: ofGame,
  cashBalance,
  initialBalance: described(Money, "Dollars at the start.", 2500),
});

const price = described(Money, "Price of a share, in dollars.", 1.05);
const shares = described(Type.Integer({ minimum: 1 }), "How many shares.", 5);

const Trade = closed({
  tradeId: described(Type.String(), "The trade's id.", "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2"),
  projectId: ProjectId,
  userId,
  side: described(oneOf(["BUY", "SELL"]), "Whether shares were bought or sold."),
  shares,
  price,
  fee: described(Money, "Fee of the trade, in dollars.", 0.11),
  cashDelta: described(Money, "What the trade changed in `cashBalance`, in dollars.", -5.36),
  createdAt: times.createdAt,
});

const Contestant = closed({
  userId,
  equityValue: described(Money, "What the shares are worth now, in dollars.", 5.5),
  cashBalance,
  totalValue: described(Money, "Cash and shares, in dollars.", 2500.14),
  totalPnl: described(Money, "Gain since the start, in dollars.", 0.14),
  returnPct: described(Money, "Per cent, with two decimals.", 0.01),
  positionsCount: described(count, "Projects of which the person has shares.", 1),
});

const answer = <const S extends TSchema>(data: S, description: string) =>
  closed({ message: Message, data: described(data, description) });

export const OneProject = answer(Project, "The project.");
export const Projects = answer(Type.Array(Project), "The projects.");
const marketCap = described(Money, "Price times shares that people hold, in dollars.", 5.5);
const listed = Type.Array(closed({ ...Project.properties, marketCap }));
export const Snapshot = answer(closed({ projects: described(listed, "The active projects.") }), "The market.");
const account = described(Account, "The caller's account in the game.");
export const Traded = answer(
  closed({
    trade: described(Trade, "The trade."),
    project: described(Project, "The project after the trade."),
    account,
  }),
  "The trade, and what it changed.",
);
export const Trades = answer(Type.Array(Trade), "The trades.");

const Holding = closed({
  projectId: ProjectId,
  ticker: said.ticker,
  name: said.name,
  shares,
  avgPrice: described(Money, "What a share cost on average, in dollars without fees.", 1.05),
  currentPrice: Project.properties.currentPrice,
  marketValue: described(Money, "What these shares are worth now, in dollars.", 5.5),
  pnl: described(Money, "Gain since they were bought, in dollars.", 0.25),
});
export const Portfolio = answer(
  closed({
    account,
    totalEquityValue: described(Money, "What all shares are worth now, in dollars.", 5.5),
    totalPortfolioValue: Contestant.properties.totalValue,
    holdings: described(Type.Array(Holding), "Shares of each project, without those that are sold."),
  }),
  "Account, shares and their worth.",
);

const Price = closed({
  projectId: ProjectId,
  price,
  source: described(Type.String(), "`TRADE`, or the name of another change of the price.", "TRADE"),
  createdAt: times.createdAt,
  ts: described(times.createdAt, "The same as `createdAt`."),
});
export const PriceHistory = answer(Type.Array(Price), "The prices.");
export const Leaderboard = answer(
  closed({
    traders: described(count, "People with an account.", 24),
    top: described(Type.Array(Contestant), "The highest totals, the highest first."),
    bottom: described(Type.Array(Contestant), "The lowest totals, the lowest first."),
  }),
  "The people.",
);
export const ResetDone = answer(
  closed({
    eventId: ofGame,
    accounts: described(count, "Accounts that have their starting state now.", 24),
    complete: Type.Boolean({ description: "`false`: the time ran out. Send the same request again to go on." }),
  }),
  "The result.",
);
