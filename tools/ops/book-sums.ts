/** The sums of the payments by the table, by the provider, and by hand. Pure. */
import { isReversed } from "#domain/payments/record/by-hand.ts";
import { type Movement, movementsByHand } from "#domain/payments/record/movement.ts";
import { type Payment, type Sums, sumsOf } from "#domain/payments/record/payment.ts";
import { currencyOf, decimal, filtered, type Pair, sum } from "./compare-books.ts";
import { number } from "./terminal.ts";

const none: Sums = { came: 0, fee: 0, wentBack: 0, open: 0, frozen: 0, lost: 0 };

/**
 * The sums of a payment by the provider, and what was given back by hand. It does not know what has to go back, only what
 * is on its way.
 */
function providerSums({ payment, session, facts }: Pair): Sums {
  if (!session) return none;
  const refunds = {
    ...filtered(payment?.refunds ?? {}, (id, refund) => refund.isByHand === true && !isReversed(payment ?? {}, id)),
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
  lost: "lost",
};

const sumText = (cents: number): string => decimal(cents).padStart(10);

/** What was taken and given back by hand in an account. A reversal takes away from what it reverses. */
function handLine(currency: string, what: string, movements: readonly Movement[]): string {
  const isTaken = ({ type, amount }: Movement): boolean => (type === "reversal" ? amount < 0 : amount > 0);
  const came = sum(movements.filter(isTaken).map(({ amount }) => amount));
  const net = sum(movements.map(({ amount }) => amount));
  return `${currency} ${what.padEnd(9)}  came  ${sumText(came)}  given back ${sumText(came - net)}  net ${sumText(net)}`;
}

/** What was taken and given back in cash, by transfer, and in all. */
function handLines(currency: string, payments: readonly Payment[]): string[] {
  const movements = payments.flatMap(movementsByHand);
  const parts = (
    [
      ["cash", "cash"],
      ["transfer", "bank"],
    ] as const
  ).flatMap(([how, account]) => {
    const own = movements.filter((movement) => movement.account === account);
    return own.length === 0 ? [] : [handLine(currency, how, own)];
  });
  return parts.length === 0 ? [] : [...parts, handLine(currency, "by hand", movements)];
}

/** The sums of all payments of each currency, a line for each, and of those by hand. */
export function sumLines(pairs: readonly Pair[], byHand: readonly Payment[]): string[] {
  const currencies = [...new Set([...pairs.map(currencyOf), ...byHand.map(({ money }) => money.currency)])].sort();
  return currencies.flatMap((currency) => {
    const ofCurrency = pairs.filter((pair) => currencyOf(pair) === currency);
    const table = added(ofCurrency.map(({ payment }) => (payment ? sumsOf(payment) : none)));
    const provider = added(ofCurrency.map(providerSums));
    const hands = byHand.filter(({ money }) => money.currency === currency);
    return [
      ...(Object.keys(titles) as (keyof Sums)[]).map(
        (name) =>
          `${currency} ${titles[name].padEnd(9)}  table ${sumText(table[name])}  provider ${sumText(provider[name])}`,
      ),
      ...handLines(currency, [...ofCurrency.flatMap(({ payment }) => payment ?? []), ...hands]),
    ];
  });
}

/** The lines that are not in the currency of their payment, which are in no sum: how many, and their net. */
export function otherCurrencyLines(pairs: readonly Pair[]): string[] {
  const lines = pairs.flatMap((pair) =>
    Object.values({ ...pair.payment?.lines, ...pair.facts.lines }).filter(
      ({ currency = currencyOf(pair) }) => currency !== currencyOf(pair),
    ),
  );
  const currencies = [...new Set(lines.map(({ currency = "" }) => currency))].sort();
  return currencies.map((currency) => {
    const nets = lines.flatMap((line) => (line.currency === currency ? line.net : []));
    return `Of another currency than their payments, in no sum: ${number(nets.length)} lines, net ${decimal(sum(nets))} ${currency}.`;
  });
}
