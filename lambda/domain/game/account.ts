/** A person's account in the game of one event: cash and shares (`docs/contract.md`, "Investment game"). Pure. */

import type { Again } from "#domain/people/once-more.ts";
import { oneLine } from "#kit/text/text.ts";
import { day } from "#kit/text/time.ts";
import type { Quote } from "./market.ts";
import { startingCash } from "./market.ts";
import { share, shown } from "./money.ts";

/** A person's shares of one project. */
export interface Holding {
  /** At least 1. */
  readonly shares: number;
  /** The price that the person paid for these shares, without fees, in cents. */
  readonly cost: number;
}

/** Holdings by project id. A project without shares has no entry. */
export type Holdings = Readonly<Record<string, Holding>>;

/** A person's cash and holdings in the game of one event. */
export interface Account {
  readonly email: string;
  readonly eventId: string;
  /** In cents. */
  readonly cash: number;
  /** In cents. */
  readonly initialCash: number;
  readonly holdings: Holdings;
}

/** An account as stored. The person's first trade in the event creates it. */
export interface StoredAccount extends Account {
  /** Counts the writes, from 1. */
  readonly version: number;
  /** The name that other people see. */
  readonly displayName: string;
  /** Time at which the name was read from the person's user record, epoch milliseconds. */
  readonly namedAt: number;
  readonly updatedAt: number;
  /** How often the person has recently traded. */
  readonly again?: Again;
}

/** The account of a person before the first trade; not stored. */
export const initialAccount = (email: string, eventId: string): Account => ({
  email,
  eventId,
  cash: startingCash,
  initialCash: startingCash,
  holdings: {},
});

/** Whether the account is in its initial state, so that a reset has nothing to do. */
export const isInitial = ({ cash, initialCash, holdings }: Account): boolean =>
  cash === initialCash && Object.keys(holdings).length === 0;

/** Holdings after a trade. A sale reduces the cost proportionally, so the average price of the rest is unchanged. */
export function holdingsAfter(holdings: Holdings, projectId: string, { change, gross }: Quote): Holdings {
  const held = holdings[projectId] ?? { shares: 0, cost: 0 };
  const shares = held.shares + change;
  const { [projectId]: _, ...others } = holdings;
  if (shares <= 0) return others;
  const cost = change > 0 ? held.cost + gross : held.cost - share(held.cost, -change, held.shares);
  return { ...others, [projectId]: { shares, cost } };
}

const unnamed = "Player";
const longestName = 60;

/**
 * First name and initial of the last name, for the public leaderboard: without an email or characters that change the
 * text direction.
 */
export function displayName(person: { readonly fname?: string; readonly lname?: string } | undefined): string {
  const first = [...oneLine(person?.fname ?? "")].slice(0, longestName).join("");
  if (first === "" || first.includes("@")) return unnamed;
  const [initial] = oneLine(person?.lname ?? "");
  return initial && /\p{L}/u.test(initial) ? `${first} ${initial}.` : first;
}

/** Whether the stored name is at most a day old, so that corrections of names appear. */
export const isNamed = (account: StoredAccount | undefined, now: number): account is StoredAccount =>
  account !== undefined && account.displayName !== unnamed && now - account.namedAt < day;

/** An account as its owner sees it. */
export const accountAnswer = ({ email, eventId, cash, initialCash }: Account) => ({
  userId: email,
  eventId,
  cashBalance: shown(cash),
  initialBalance: shown(initialCash),
});
