/** Compares the payments of the table with what the provider's lists say of them, in both directions. Pure. */

import type { FoundRefund } from "#domain/payments/provider/provider-refund.ts";
import { type StoredDispute, statusOf, takenBy } from "#domain/payments/record/dispute.ts";
import type { BankLine, Payment, Refund } from "#domain/payments/record/payment.ts";
import { paymentName } from "#domain/payments/record/payment.ts";
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
  readonly disputes: ById<StoredDispute>;
  /** `created` in epoch milliseconds; absent for a line that only its payout names. */
  readonly lines: ById<BankLine & { readonly created?: number }>;
}

export interface Payout {
  readonly id: string;
  readonly amount: number;
  /** ISO 4217, upper case. */
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
export const currencyOf = ({ payment, session }: Pair): string => (payment ?? session)?.money.currency ?? "";
export const decimal = (cents: number): string => (cents / 100).toFixed(2);
export const filtered = <T>(all: ById<T>, isWanted: (id: string, one: T) => boolean): ById<T> =>
  Object.fromEntries(Object.entries(all).filter(([id, one]) => isWanted(id, one)));
const mapped = <T, U>(all: ById<T>, change: (one: T) => U): ById<U> =>
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

/** A dispute in the words of the provider, and what it has taken. */
const compared = (dispute: StoredDispute) => ({
  ...{ amount: dispute.amount, status: statusOf(dispute), taken: takenBy(dispute) },
});

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
  const disputes = mapped(payment.disputes ?? {}, compared);
  return [
    ...differs(of, "amount", amountText(payment.money), amountText(session.money)),
    ...differs(of, "session", payment.paymentId, session.id),
    ...differs(of, "transfer", payment.money.paymentIntent, session.money.paymentIntent),
    ...differs(of, "settlement", settlement, paymentName({ paymentId: session.id, ...session.money })),
    ...allDiffer<Pick<Refund, "amount" | "state">>(of, "refund", seen(known, refunds), refunds, ["amount", "state"]),
    ...allDiffer(of, "dispute", seen(disputes, facts.disputes), mapped(facts.disputes, compared), [
      "amount",
      "status",
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

export const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/**
 * The net of the payments' lines in each payout. When all of the balance is about payments, a payout's own amount counts,
 * without what it has for payments of others. A failed one is named until a later one succeeds.
 */
export function payoutDifferences(pairs: readonly Pair[], { payouts, facts, hasOtherLines }: ProviderBooks) {
  const linesIn = (lines: ById<BankLine> = {}, own?: string) =>
    Object.values(lines).map((line) => ({ currency: own, ...line }));
  const netIn = ({ id, currency }: Payout, lines: readonly BankLine[]): number =>
    sum(lines.flatMap((line) => (line.payout === id && (line.currency ?? currency) === currency ? line.net : [])));
  const here = pairs.flatMap((pair) => linesIn(pair.payment?.lines, currencyOf(pair)));
  const there = pairs.flatMap((pair) => linesIn(pair.facts.lines, currencyOf(pair)));
  const everywhere = [...facts.values()].flatMap(({ lines }) => linesIn(lines));
  return payouts.flatMap((payout) => {
    const { id, amount, currency, created, hasLines, failure } = payout;
    const isWhole = hasLines && !hasOtherLines;
    const net = netIn(payout, there) + (isWhole ? amount - netIn(payout, everywhere) : 0);
    const isReplaced = payouts.some(
      (one) => one.failure === undefined && one.currency === currency && one.created > created,
    );
    const failed = failure === undefined || isReplaced ? "" : `, failed: ${failure}`;
    return differs(id, "payout", decimal(netIn(payout, here)), `${decimal(net)}${failed}`);
  });
}

export const differenceLine = ({ of, what, table, provider }: Difference): string =>
  `${of}: ${what}: table ${table}, provider ${provider}`;
