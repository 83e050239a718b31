/** Compares the payments of the table with what the provider's lists say of them, in both directions. Pure. */
import type { BankLine, Dispute, Payment, Refund, Sums } from "#domain/payments/payment.ts";
import { paymentName, sumsOf } from "#domain/payments/payment.ts";
import type { FoundRefund } from "#domain/payments/provider/provider-refund.ts";
import { amountText } from "#kit/text/amount.ts";
import type { Money } from "#outbox/catalogue.ts";

/** A session at the provider that was paid. */
export interface PaidSession {
  readonly id: string;
  /** Undefined for a session of another system with the same account. */
  readonly checkoutId: string | undefined;
  readonly money: Money;
  /** Epoch milliseconds. */
  readonly created: number;
  /** It was created in the time that was read, and so was all that became of its money. */
  readonly isWhole: boolean;
}

/** By the provider's ids. */
type ById<T> = Readonly<Record<string, T>>;

/** What became of a payment, in the words of the table. */
export interface ProviderFacts {
  readonly refunds: readonly FoundRefund[];
  readonly disputes: ById<Dispute>;
  /** `created` in epoch milliseconds; absent for a line that only its payout names. */
  readonly lines: ById<BankLine & { readonly created?: number }>;
}

export interface Payout {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
  /** The provider has said which lines it consists of. */
  readonly hasLines: boolean;
  readonly failure?: string | undefined;
}

export interface ProviderBooks {
  readonly sessions: readonly PaidSession[];
  /** By transfer. */
  readonly facts: ReadonlyMap<string, ProviderFacts>;
  readonly payouts: readonly Payout[];
  /** There are lines besides payouts that are not about a payment, such as the provider's own fees. */
  readonly hasOtherLines: boolean;
}

export interface TableBooks {
  readonly payments: readonly Payment[];
  /** The payments' names, by session. */
  readonly settlements: ReadonlyMap<string, string>;
  /** Since when lines without a payout may lack, in epoch milliseconds: the reconciliation brings them. */
  readonly reconciledAt: number;
}

/** The provider's times are whole seconds. */
const secondOf = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

/** A payment on both sides; one of them may lack it. */
export interface Pair {
  readonly payment: Payment | undefined;
  readonly session: PaidSession | undefined;
  readonly settlement: string | undefined;
  readonly facts: ProviderFacts;
  /** Lines that the next reconciliation brings. */
  readonly later: number;
}

export interface Difference {
  /** The payment's or the payout's id. */
  readonly of: string;
  readonly what: string;
  readonly table: string;
  readonly provider: string;
}

/** Recorded by hand: cash, or a transfer to the club's bank account. */
export const isByHand = ({ byHand }: Payment): boolean => byHand !== undefined;

const noFacts: ProviderFacts = { refunds: [], disputes: {}, lines: {} };
const idOf = ({ payment, session }: Pair): string => payment?.paymentId ?? session?.id ?? "";
const decimal = (cents: number): string => (cents / 100).toFixed(2);
const filtered = <T>(all: ById<T>, isWanted: (id: string, one: T) => boolean): ById<T> =>
  Object.fromEntries(Object.entries(all).filter(([id, one]) => isWanted(id, one)));
const mapped = <T>(all: ById<T>, change: (one: T) => T): ById<T> =>
  Object.fromEntries(Object.entries(all).map(([id, one]) => [id, change(one)]));

/** Pairs the payments with the sessions of the service, by the session's id or by the transfer. */
export function pairsOf(table: TableBooks, { sessions, facts }: ProviderBooks): Pair[] {
  const payments = table.payments.filter((payment) => !isByHand(payment));
  const bySession = new Map(payments.map((payment) => [payment.paymentId, payment]));
  const byName = new Map(payments.map((payment) => [paymentName({ ...payment, ...payment.money }), payment]));
  const pairOf = (payment: Payment | undefined, session: PaidSession | undefined): Pair => {
    const { refunds, disputes, lines } = facts.get(`${(session ?? payment)?.money.paymentIntent}`) ?? noFacts;
    const due = filtered(
      lines,
      (id, { payout, created = 0 }) =>
        payment?.lines?.[id] !== undefined || payout !== undefined || created < secondOf(table.reconciledAt),
    );
    const later = Object.keys(lines).length - Object.keys(due).length;
    const settlement = session && table.settlements.get(session.id);
    return { payment, session, settlement, facts: { refunds, disputes, lines: due }, later };
  };
  const paid = sessions
    .filter(({ checkoutId }) => checkoutId !== undefined)
    .map((session) =>
      pairOf(
        bySession.get(session.id) ?? byName.get(paymentName({ paymentId: session.id, ...session.money })),
        session,
      ),
    );
  const paired = new Set(paid.map(({ payment }) => payment));
  const others = payments.filter((payment) => !paired.has(payment));
  return [...paid, ...others.map((payment) => pairOf(payment, undefined))];
}

/** The provider's refunds, by their names in the table, or by the provider's ids when the table does not have them. */
function namedRefunds(known: ById<Refund>, found: readonly FoundRefund[]): ById<FoundRefund> {
  const names = new Map(Object.entries(known).map(([name, { providerId }]) => [providerId, name]));
  const nameOf = ({ providerId, refundId }: FoundRefund): string => {
    const isOwn = refundId !== undefined && known[refundId] && known[refundId].providerId === undefined;
    return names.get(providerId) ?? (isOwn ? refundId : providerId);
  };
  return Object.fromEntries(found.map((refund) => [nameOf(refund), refund]));
}

/** Older records do not say what a dispute has taken, but it follows from the others. */
const withTaken = (dispute: Dispute): Dispute => {
  const sums = sumsOf({ money: { amount: 0, currency: "" }, disputes: { dispute }, version: 0 });
  return { ...dispute, taken: sums.frozen + sums.wentBack };
};

const differs = (of: string, what: string, table = "none", provider = "none"): Difference[] =>
  table === provider ? [] : [{ of, what, table, provider }];

const textOf = (value: unknown): string => (typeof value === "number" ? decimal(value) : `${value ?? "none"}`);

/** A difference for each of the fields. What only one side has is one difference. */
function allDiffer<T>(of: string, kind: string, table: ById<T>, provider: ById<T>, fields: readonly (keyof T)[]) {
  const wholeText = (one: T | undefined) =>
    one &&
    fields.flatMap((field) => (one[field] === undefined ? [] : `${String(field)} ${textOf(one[field])}`)).join(", ");
  return [...new Set([...Object.keys(table), ...Object.keys(provider)])].flatMap((id) => {
    const [here, there] = [table[id], provider[id]];
    if (!here || !there) return differs(of, `${kind} ${id}`, wholeText(here), wholeText(there));
    return fields.flatMap((field) =>
      differs(of, `${kind} ${id} ${String(field)}`, textOf(here[field]), textOf(there[field])),
    );
  });
}

/** Of a payment from before the time that was read only what the provider has listed is compared. */
export function differencesOf(pair: Pair): Difference[] {
  const { payment, session, settlement, facts } = pair;
  const of = idOf(pair);
  if (!payment || !session) {
    return differs(
      of,
      "payment",
      payment && amountText(payment.money),
      session ? amountText(session.money) : "unknown",
    );
  }
  const seen = <T>(table: ById<T>, provider: ById<unknown>): ById<T> =>
    session.isWhole ? table : filtered(table, (id) => provider[id] !== undefined);
  // The provider has no record of refunds that it has refused, or that were given back by hand.
  const known = filtered(
    payment.refunds ?? {},
    (_, { state, providerId, isByHand: byHand }) => !byHand && (state !== "failed" || providerId !== undefined),
  );
  const refunds = namedRefunds(payment.refunds ?? {}, facts.refunds);
  const disputes = mapped(payment.disputes ?? {}, withTaken);
  return [
    ...differs(of, "amount", amountText(payment.money), amountText(session.money)),
    ...differs(of, "session", payment.paymentId, session.id),
    ...differs(of, "transfer", payment.money.paymentIntent, session.money.paymentIntent),
    ...differs(of, "settlement", settlement, paymentName({ paymentId: session.id, ...session.money })),
    ...allDiffer<Pick<Refund, "amount" | "state">>(of, "refund", seen(known, refunds), refunds, ["amount", "state"]),
    ...allDiffer(of, "dispute", seen(disputes, facts.disputes), mapped(facts.disputes, withTaken), [
      "amount",
      "state",
      "taken",
    ]),
    ...allDiffer<BankLine>(of, "line", seen(payment.lines ?? {}, facts.lines), facts.lines, [
      "type",
      "amount",
      "fee",
      "net",
      "payout",
    ]),
  ];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/**
 * The net of the payments' lines in each payout. When all of the balance is about payments, a payout's own amount counts,
 * without what it has for payments of others. A failed one is named until a later one succeeds.
 */
export function payoutDifferences(pairs: readonly Pair[], { payouts, facts, hasOtherLines }: ProviderBooks) {
  const netIn = (id: string, all: readonly (ById<BankLine> | undefined)[]) =>
    sum(all.flatMap((lines = {}) => Object.values(lines).map(({ payout, net }) => (payout === id ? net : 0))));
  const here = pairs.map(({ payment }) => payment?.lines);
  const there = pairs.map((pair) => pair.facts.lines);
  const everywhere = [...facts.values()].map(({ lines }) => lines);
  return payouts.flatMap(({ id, amount, currency, created, hasLines, failure }) => {
    const isWhole = hasLines && !hasOtherLines;
    const net = netIn(id, there) + (isWhole ? amount - netIn(id, everywhere) : 0);
    const isReplaced = payouts.some(
      (one) => one.failure === undefined && one.currency === currency && one.created > created,
    );
    const failed = failure === undefined || isReplaced ? "" : `, failed: ${failure}`;
    return differs(id, "payout", decimal(netIn(id, here)), `${decimal(net)}${failed}`);
  });
}

const none: Sums = { came: 0, fee: 0, wentBack: 0, open: 0, frozen: 0 };

/**
 * The sums of a payment by the provider, and what was given back by hand. It does not know what has to go back, only what
 * is on its way.
 */
function providerSums({ payment, session, facts }: Pair): Sums {
  if (!session) return none;
  const refunds = {
    ...filtered(payment?.refunds ?? {}, (_, refund) => refund.isByHand === true),
    ...Object.fromEntries(facts.refunds.map((refund) => [refund.providerId, { ...refund, at: 0 }])),
  };
  return sumsOf({ money: session.money, refunds, disputes: facts.disputes, lines: facts.lines, version: 0 });
}

const added = (sums: readonly Sums[]): Sums =>
  sums.reduce((all, one) => {
    const names = Object.keys(none) as (keyof Sums)[];
    return Object.fromEntries(names.map((name) => [name, all[name] + one[name]])) as unknown as Sums;
  }, none);

const titles: Readonly<Record<keyof Sums, string>> = {
  came: "came",
  fee: "fee",
  wentBack: "went back",
  open: "open",
  frozen: "frozen",
};

const currencyOf = ({ payment, session }: Pair): string => (payment ?? session)?.money.currency ?? "";
const sumText = (cents: number): string => decimal(cents).padStart(10);

/** The sums of all payments of each currency, a line for each, and of those by hand. */
export function sumLines(pairs: readonly Pair[], byHand: readonly Payment[]): string[] {
  const currencies = [...new Set([...pairs.map(currencyOf), ...byHand.map(({ money }) => money.currency)])].sort();
  return currencies.flatMap((currency) => {
    const ofCurrency = pairs.filter((pair) => currencyOf(pair) === currency);
    const table = added(ofCurrency.map(({ payment }) => (payment ? sumsOf(payment) : none)));
    const provider = added(ofCurrency.map(providerSums));
    const hands = byHand.filter(({ money }) => money.currency === currency);
    const handSum = sum(hands.map(({ money }) => money.amount));
    return [
      ...(Object.keys(titles) as (keyof Sums)[]).map(
        (name) =>
          `${currency} ${titles[name].padEnd(9)}  table ${sumText(table[name])}  provider ${sumText(provider[name])}`,
      ),
      ...(hands.length > 0 ? [`${currency} by hand    table ${sumText(handSum)}  payments ${hands.length}`] : []),
    ];
  });
}

export const differenceLine = ({ of, what, table, provider }: Difference): string =>
  `${of}: ${what}: table ${table}, provider ${provider}`;
