/** The sums of many payments, as a treasurer adds them up. In cents. Pure. */
import type { EventKey } from "#domain/events/event.ts";
import { type Payment, restOf, type Sums, sumsOf } from "../record/payment.ts";

export interface Totals extends Sums {
  readonly payments: number;
  /** What is left to pay of prices. */
  readonly owes: number;
  /** Of what came: deposits. */
  readonly deposits: number;
  /** What of them has gone back to people who came, or has to. */
  readonly depositsReturned: number;
  /** What of them the club has, and does not have to give back: of people who have not come. */
  readonly depositsKept: number;
  /** What the club has of it: what came, less what went back, fees, and what disputes have taken. */
  readonly net: number;
}

const none: Totals = {
  ...{ payments: 0, came: 0, fee: 0, wentBack: 0, open: 0, frozen: 0, lost: 0, owes: 0, net: 0 },
  ...{ deposits: 0, depositsReturned: 0, depositsKept: 0 },
};
const names = Object.keys(none) as (keyof Totals)[];

/** In cents. Beside both, disputes and refunds to people who have not come. */
function depositsOf({ deposit }: Payment, { came, wentBack, open, frozen, lost }: Sums) {
  if (!deposit) return { deposits: 0, depositsReturned: 0, depositsKept: 0 };
  const depositsKept = came - wentBack - open - frozen - lost;
  return { deposits: came, depositsReturned: deposit === "due" ? wentBack + open : 0, depositsKept };
}

function totalsOfOne(payment: Payment): Totals {
  const sums = sumsOf(payment);
  const { came, wentBack, fee, frozen, lost } = sums;
  return {
    ...sums,
    ...depositsOf(payment, sums),
    payments: 1,
    owes: restOf(payment),
    net: came - wentBack - fee - frozen - lost,
  };
}

const added = (one: Totals, other: Totals): Totals =>
  Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as unknown as Totals;

export const totalsOf = (payments: readonly Payment[]): Totals => payments.map(totalsOfOne).reduce(added, none);

/** What payments were for: an event, or the memberships of a year. */
export type Group =
  | {
      readonly purpose: "event";
      readonly eventID: string;
      readonly year: number;
      readonly currency: string;
      /** It was deleted, and perhaps created again since. */
      readonly isDeleted?: true;
    }
  | { readonly purpose: "membership"; readonly membershipYear: string; readonly currency: string };

/** The month in which a year of memberships begins: September. */
const firstMonth = 9;

/** The year of a membership, such as `2029/30`. @param day `2029-09-01` */
function membershipYearOf(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  const first = month < firstMonth ? year - 1 : year;
  return `${first}/${`${first + 1}`.slice(2)}`;
}

/** What payments are grouped by. */
export interface Grouping {
  /** The day of a time, such as `2029-09-01`. */
  readonly dayOf: (at: number) => string;
  /** When the event of this name was created, in epoch milliseconds. Undefined: there is none any more. */
  readonly createdAt: (event: EventKey) => number | undefined;
}

function groupOf({ purpose, settledAt, money: { currency } }: Payment, { dayOf, createdAt }: Grouping): Group {
  if (purpose.kind === "event") {
    const { id: eventID, year } = purpose.event;
    const isPresent = settledAt >= (createdAt(purpose.event) ?? Number.POSITIVE_INFINITY);
    return { purpose: "event", eventID, year, currency, ...(!isPresent && { isDeleted: true }) };
  }
  return { purpose: "membership", membershipYear: membershipYearOf(dayOf(settledAt)), currency };
}

/** The totals of each event and of each year of memberships, the former first. */
export function groupedTotals(payments: readonly Payment[], by: Grouping): (Group & Totals)[] {
  const groups = new Map<string, Payment[]>();
  for (const payment of payments) {
    const name = JSON.stringify(groupOf(payment, by));
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(payment);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => ({ ...JSON.parse(name), ...totalsOf(all) }));
}
