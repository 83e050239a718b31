/** A person's account in the game of one event: cash, and how many shares of which project. Pure. */
import { oneLine } from "#kit/text.ts";
import type { Quote } from "./market.ts";
import { startingCash } from "./market.ts";
import { share, shown } from "./money.ts";

/** What somebody has of one project. */
export interface Holding {
  /** More than none. */
  readonly shares: number;
  /** What was paid for these shares without fees, in cents. */
  readonly cost: number;
}

/** By project id; of a project that is sold out there is no entry. */
export type Holdings = Readonly<Record<string, Holding>>;

/** What somebody has in the game of one event. */
export interface Account {
  readonly email: string;
  readonly eventId: string;
  /** In cents. */
  readonly cash: number;
  /** In cents. */
  readonly initialCash: number;
  /** By project id. */
  readonly holdings: Holdings;
}

/** Comes into being with the first trade. */
export interface StoredAccount extends Account {
  /** Counts the writes, from 1. */
  readonly version: number;
  /** What others see of the person. */
  readonly displayName: string;
  /** When the name was looked up, epoch milliseconds. */
  readonly namedAt: number;
  readonly updatedAt: number;
}

/** What everybody has before their first trade. */
export const initialAccount = (email: string, eventId: string): Account => ({
  email,
  eventId,
  cash: startingCash,
  initialCash: startingCash,
  holdings: {},
});

/** Whether a reset has nothing to do here. */
export const isAsAtStart = ({ cash, initialCash, holdings }: Account): boolean =>
  cash === initialCash && Object.keys(holdings).length === 0;

/** Shares that are sold take their part of the cost with them, so that the average price of the rest stays. */
export function holdingsAfter(holdings: Holdings, projectId: string, { change, gross }: Quote): Holdings {
  const held = holdings[projectId] ?? { shares: 0, cost: 0 };
  const shares = held.shares + change;
  const { [projectId]: _, ...others } = holdings;
  if (shares <= 0) return others;
  const cost = change > 0 ? held.cost + gross : held.cost - share(held.cost, -change, held.shares);
  return { ...others, [projectId]: { shares, cost } };
}

const nobody = "Player";
const longestName = 60;

/**
 * First name and initial of the last; nothing by which the person could be written to, and nothing that turns around what
 * stands beside it on a wall.
 */
export function displayName(person: { readonly fname?: string; readonly lname?: string } | undefined): string {
  const first = [...oneLine(person?.fname ?? "")].slice(0, longestName).join("");
  if (first === "" || first.includes("@")) return nobody;
  const [initial] = oneLine(person?.lname ?? "");
  return initial && /\p{L}/u.test(initial) ? `${first} ${initial}.` : first;
}

const day = 86_400_000;

/** Names are looked up again once a day, so that a corrected one is seen. */
export const isNamed = (account: StoredAccount | undefined, now: number): account is StoredAccount =>
  account !== undefined && account.displayName !== nobody && now - account.namedAt < day;

/** An account as its person sees it. */
export const accountAnswer = ({ email, eventId, cash, initialCash }: Account) => ({
  userId: email,
  eventId,
  cashBalance: shown(cash),
  initialBalance: shown(initialCash),
});
