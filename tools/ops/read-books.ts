/** Reads what the table and the provider say of the payments of a list. */
import pMap from "p-map";
import { isSettled, type Payment, paymentName, type StoredPayment } from "#domain/payments/record/payment.ts";
import { paymentKey, paymentsOf, settledKey } from "#domain/payments/record/payment-store.ts";
import { allOf } from "#kit/lists/pages.ts";
import { getItems, recordOf } from "#kit/table/table.ts";
import {
  isByHand,
  type PaidSession,
  type Pair,
  type ProviderBooks,
  type ProviderFacts,
  pairsOf,
} from "./compare-books.ts";
import { patiently } from "./invariants/patiently.ts";
import { concurrency, paidSessions, providerBooks, type SearchedBooks } from "./provider-books.ts";

const day = 86_400_000;
/** Payments of so many days are compared when no time is named. */
const daysCompared = 35;
/**
 * The provider's lists are read from so long before: a payment is settled after its session, by a bank debit ten days after,
 * and paid out in days.
 */
const margin = 12 * day;

export interface BothBooks {
  /** Also earlier payments, if the provider's lists name them. */
  readonly pairs: readonly Pair[];
  /** The pairs whose sums are known on both sides. */
  readonly counted: readonly Pair[];
  readonly byHand: readonly Payment[];
  readonly provider: ProviderBooks;
  /** Of other systems with the same account. */
  readonly others: { readonly sessions: number; readonly lines: number };
}

const nameOf = ({ id, money }: Pick<PaidSession, "id" | "money">): string => paymentName({ paymentId: id, ...money });
const paidName = ({ paymentId, money }: Payment): string => nameOf({ id: paymentId, money });

const without = (names: Iterable<string>, known: Iterable<string>): string[] => {
  const all = new Set(known);
  return [...new Set(names)].filter((name) => !all.has(name));
};

/** The settled ones of these payments. */
async function paymentsNamed(names: readonly string[]): Promise<Payment[]> {
  const items = await patiently(() => getItems<StoredPayment>(names.map(paymentKey), "strong"));
  return items.map((item) => recordOf<StoredPayment>(item)).filter(isSettled);
}

/** The names of the sessions' payments. */
async function settlementsOf(sessions: readonly PaidSession[]): Promise<ReadonlyMap<string, string>> {
  const keys = sessions.map(({ id }) => settledKey(id));
  const items = await patiently(() => getItems<{ readonly payment: string }>(keys, "strong"));
  const names = new Map(items.map(({ PK, payment }) => [PK, payment]));
  return new Map(
    sessions.flatMap(({ id }) => [[id, names.get(settledKey(id).PK) ?? ""] as const]).filter(([, name]) => name),
  );
}

/** Whether the money came in the time that was read. The session of such a payment is listed, if it has one. */
const hasCharge = ({ lines }: ProviderFacts): boolean =>
  Object.values(lines).some(({ type }) => type === "charge" || type === "payment");

/**
 * Sessions from before the time that was read, asked for by the transfers of payments and of the provider's facts. The
 * charges of other systems with the same account are not asked about.
 */
async function olderSessions(at: SearchedBooks, payments: readonly Payment[], { sessions, facts }: ProviderBooks) {
  const listed = new Set(sessions.map(({ id }) => id));
  const unpaired = payments.filter((payment) => !listed.has(payment.paymentId) && !isByHand(payment));
  const older = [...facts].flatMap(([name, all]) => (hasCharge(all) ? [] : name));
  const unknown = without(older, [...payments.map(paidName), ...sessions.map(nameOf)]);
  const intents = [...unpaired.flatMap(({ money }) => money.paymentIntent ?? []), ...unknown];
  const asked = await pMap(intents, (intent) => at.sessionsOf(intent), { concurrency });
  return paidSessions(asked.flat(), false).filter(({ id }) => !listed.has(id));
}

/**
 * @param reconciledAt since when the table may lack lines of the provider, in epoch milliseconds
 * @param from payments settled since then are compared
 * @throws UsageError the provider's key may not read it @throws Unavailable the provider does not answer
 */
export async function readBooks(
  at: SearchedBooks,
  reconciledAt: number,
  from: number = Date.now() - daysCompared * day,
): Promise<BothBooks> {
  const listed = await patiently(() => allOf(paymentsOf({ kind: "all" }, { from })));
  const provider = await providerBooks(at, from - margin, from);
  // Read after the provider, and not from the index, which may lag.
  const names = [...listed.map(paidName), ...provider.sessions.map(nameOf), ...provider.facts.keys()];
  const named = await paymentsNamed([...new Set(names)]);
  const isNamed = new Set(named.map(({ paymentId }) => paymentId));
  const payments = [...named, ...listed.filter(({ paymentId }) => !isNamed.has(paymentId))];
  const sessions = [...provider.sessions, ...(await olderSessions(at, payments, provider))];
  const settlements = await settlementsOf(sessions);
  const pairs = pairsOf({ payments, settlements, reconciledAt }, { ...provider, sessions });
  const timeOf = ({ payment, session }: Pair): number => payment?.settledAt ?? session?.created ?? 0;
  const others = without(provider.facts.keys(), [
    ...payments.map(paidName),
    ...pairs.flatMap(({ session }) => (session ? nameOf(session) : [])),
  ]);
  return {
    pairs,
    counted: pairs.filter((pair) => timeOf(pair) >= from && pair.session?.isWhole !== false),
    byHand: listed.filter(isByHand),
    provider,
    others: {
      sessions: sessions.filter(({ checkoutId }) => checkoutId === undefined).length,
      lines: others.reduce((sum, name) => sum + Object.keys(provider.facts.get(name)?.lines ?? {}).length, 0),
    },
  };
}
