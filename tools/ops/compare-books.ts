/** Compares payments of the table with what the provider says of them. Pure. */

import type { BankLine, Dispute, Payment, Refund, Sums } from "#domain/payments/payment.ts";
import { sumsOf } from "#domain/payments/payment.ts";
import type { FoundRefund } from "#domain/payments/provider-refund.ts";
import { amountText } from "#kit/amount.ts";
import type { Money } from "#outbox/catalogue.ts";

/** What the provider says of a payment, in the words of the table. */
export interface ProviderBooks {
  readonly money: Pick<Money, "amount" | "currency">;
  readonly refunds: readonly FoundRefund[];
  readonly disputes: Readonly<Record<string, Dispute>>;
  /** By the id of the transaction. */
  readonly lines: Readonly<Record<string, Pick<BankLine, "amount" | "fee">>>;
}

/** A payment of the table; `found` is undefined when the provider does not know it. */
export interface Pair {
  readonly payment: Payment;
  readonly found: ProviderBooks | undefined;
}

export interface Difference {
  /** The payment's id. */
  readonly payment: string;
  readonly what: string;
  readonly table: string;
  readonly provider: string;
}

/** Texts by the ids of what they describe. */
type Texts = Readonly<Record<string, string>>;

const textsOf = <T>(all: Readonly<Record<string, T>>, textOf: (one: T) => string): Texts =>
  Object.fromEntries(Object.entries(all).map(([id, one]) => [id, textOf(one)]));

const decimal = (cents: number): string => (cents / 100).toFixed(2);
const lineText = ({ amount, fee }: Pick<BankLine, "amount" | "fee">): string =>
  `${decimal(amount)}, fee ${decimal(fee)}`;
const stateText = ({ amount, state }: Pick<Refund | Dispute, "amount" | "state">): string =>
  `${decimal(amount)} ${state}`;

/** The provider's refunds, by their names in the table, or by the provider's ids when the table does not have them. */
function namedRefunds(known: Readonly<Record<string, Refund>>, found: readonly FoundRefund[]) {
  const names = new Map(Object.entries(known).map(([name, { providerId }]) => [providerId, name]));
  const nameOf = ({ providerId, refundId }: FoundRefund): string => {
    const isOwn = refundId !== undefined && known[refundId] && known[refundId].providerId === undefined;
    return names.get(providerId) ?? (isOwn ? refundId : providerId);
  };
  return Object.fromEntries(found.map((refund) => [nameOf(refund), refund]));
}

/** Without refunds that the provider has refused: it has no record of them. */
const madeRefunds = (refunds: Readonly<Record<string, Refund>>) =>
  Object.fromEntries(
    Object.entries(refunds).filter(([, { state, providerId }]) => state !== "failed" || providerId !== undefined),
  );

export function differencesOf({ payment, found }: Pair): Difference[] {
  const differs = (what: string, table = "none", provider = "none"): Difference[] =>
    table === provider ? [] : [{ payment: payment.paymentId, what, table, provider }];
  const allDiffer = (what: string, table: Texts, provider: Texts): Difference[] =>
    [...new Set([...Object.keys(table), ...Object.keys(provider)])].flatMap((id) =>
      differs(`${what} ${id}`, table[id], provider[id]),
    );
  if (!found) return differs("payment", amountText(payment.money), "unknown");
  const { refunds = {}, disputes = {}, lines = {} } = payment;
  return [
    ...differs("amount", amountText(payment.money), amountText(found.money)),
    ...allDiffer(
      "refund",
      textsOf(madeRefunds(refunds), stateText),
      textsOf(namedRefunds(refunds, found.refunds), stateText),
    ),
    ...allDiffer("dispute", textsOf(disputes, stateText), textsOf(found.disputes, stateText)),
    ...Object.entries(lines).flatMap(([id, line]) => {
      const there = found.lines[id];
      return there ? differs(`line ${id} (${line.type})`, lineText(line), lineText(there)) : [];
    }),
  ];
}

/** The lines of the table with the provider's amounts: the provider knows fees before the table does. */
const linesFor = ({ lines = {} }: Payment, found: ProviderBooks) =>
  Object.fromEntries(
    Object.entries(lines).flatMap(([id, line]) => (found.lines[id] ? [[id, { ...line, ...found.lines[id] }]] : [])),
  );

const none: Sums = { came: 0, fee: 0, wentBack: 0, open: 0, frozen: 0 };

/** The sums of a payment by the provider. It does not know what has to go back, only what is on its way. */
function providerSums({ payment, found }: Pair): Sums {
  if (!found) return none;
  const { money, disputes } = found;
  const refunds = Object.fromEntries(found.refunds.map((refund) => [refund.providerId, { ...refund, at: 0 }]));
  return sumsOf({ money, refunds, disputes, lines: linesFor(payment, found), version: 0 });
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

/** The sums of all payments of each currency, a line for each. */
export function sumLines(pairs: readonly Pair[]): string[] {
  const currencies = [...new Set(pairs.map(({ payment }) => payment.money.currency))].sort();
  return currencies.flatMap((currency) => {
    const ofCurrency = pairs.filter(({ payment }) => payment.money.currency === currency);
    const table = added(ofCurrency.map(({ payment }) => sumsOf(payment)));
    const provider = added(ofCurrency.map(providerSums));
    return (Object.keys(titles) as (keyof Sums)[]).map((name) => {
      const [here, there] = [decimal(table[name]).padStart(10), decimal(provider[name]).padStart(10)];
      return `${currency} ${titles[name].padEnd(9)}  table ${here}  provider ${there}`;
    });
  });
}

export const differenceLine = ({ payment, what, table, provider }: Difference): string =>
  `${payment}: ${what}: table ${table}, provider ${provider}`;
