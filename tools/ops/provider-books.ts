/** Reads the payment provider's lists. */
import { setTimeout as pause } from "node:timers/promises";
import pMap from "p-map";
import { classified } from "#domain/payments/provider/classified.ts";
import { limit, stripe } from "#domain/payments/provider/provider.ts";
import { type Listed, type ListName, lists } from "#domain/payments/provider/provider-lists.ts";
import { refundIn } from "#domain/payments/provider/provider-refund.ts";
import { lineIn } from "#domain/payments/provider/refund-calls.ts";
import type { ReadSession } from "#domain/payments/provider/session.ts";
import { checkoutIdOf, newsIn } from "#domain/payments/provider-events/provider-event.ts";
import type { Books } from "#domain/payments/provider-events/reconcile.ts";
import { disputeIn } from "#domain/payments/record/dispute.ts";
import { centsIn, type Fields, fieldsOf, idIn, nameIn } from "#domain/payments/record/provider-fields.ts";
import { ProviderRefuses } from "#domain/payments/refusals.ts";
import { Unavailable } from "#kit/errors.ts";
import { UsageError } from "../kit/outputs.ts";
import type { PaidSession, Payout, ProviderBooks, ProviderFacts } from "./compare-books.ts";

/** Calls at the same time: the provider limits the calls of a second. */
export const concurrency = 5;
/** How often a call is repeated that was not answered, and milliseconds before that. */
const repeats = 5;
const restBetween = 1_000;

const isOfKey = ({ because }: ProviderRefuses): boolean => because === "permission" || because === "authentication";

/** @throws UsageError the key may not read it @throws Unavailable the provider does not answer */
async function answered<T>(call: () => Promise<T>, stop: AbortSignal | undefined): Promise<T> {
  for (let left = repeats; ; left -= 1) {
    stop?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (error instanceof ProviderRefuses && isOfKey(error)) {
        throw new UsageError(
          "The provider's key may not read sessions, refunds, disputes and the balance (docs/deploy.md, Payments).",
        );
      }
      if (error instanceof ProviderRefuses || !(error instanceof Unavailable) || left === 0) throw error;
      await pause(restBetween);
    }
  }
}

/** The provider's lists, and a call for one payment. */
export interface SearchedBooks extends Books {
  /** The sessions that were paid by a transfer; none if the provider does not know it. @throws Unavailable */
  sessionsOf(paymentIntent: string): Promise<readonly Listed[]>;
}

async function sessionsOf(paymentIntent: string): Promise<readonly Listed[]> {
  const client = await stripe();
  try {
    return (await client.checkout.sessions.list({ payment_intent: paymentIntent, limit })).data;
  } catch (error) {
    const known = classified(error);
    if (known instanceof ProviderRefuses && known.because === "unknown object") return [];
    throw known;
  }
}

/** The same lists, asked patiently, and not after Ctrl-C. */
export const patient = (at: Books, stop?: AbortSignal): SearchedBooks => ({
  page: (position) => answered(() => at.page(position), stop),
  linesOf: (payout) => answered(() => at.linesOf(payout), stop),
  disputeNow: (id) => answered(() => at.disputeNow(id), stop),
  sessionsOf: (intent) => answered(() => sessionsOf(intent), stop),
});

async function allOfList(at: Books, list: ListName, since: number): Promise<Fields[]> {
  const all: Listed[] = [];
  for (;;) {
    const { objects, hasMore } = await at.page({ list, since, after: all.at(-1)?.id });
    all.push(...objects);
    if (!hasMore || objects.length === 0) return all.map(fieldsOf);
  }
}

const createdAt = ({ created }: Fields): number => (centsIn(created) ?? 0) * 1_000;

/** The sessions that are paid. */
export const paidSessions = (sessions: readonly object[], isWhole: boolean): PaidSession[] =>
  sessions.flatMap((object) => {
    const news = newsIn(object as ReadSession);
    if (news?.meaning !== "paid") return [];
    const { id, amount = 0, currency = "", paymentIntent } = news.session;
    const money = { amount, currency: currency.toUpperCase(), ...(paymentIntent !== undefined && { paymentIntent }) };
    return [{ id, checkoutId: checkoutIdOf(news.session), money, created: createdAt(fieldsOf(object)), isWhole }];
  });

/** The line of a transaction; none if it is not about a payment. */
function listedLine(object: Fields) {
  const line = lineIn(object);
  return line ? [{ ...line, created: createdAt(object) }] : [];
}

const payoutIn = (object: Fields): Payout => ({
  id: String(object.id),
  amount: centsIn(object.amount) ?? 0,
  currency: String(object.currency).toUpperCase(),
  created: createdAt(object),
  hasLines: object.reconciliation_status === "completed",
  failure: object.status === "failed" ? (nameIn(object.failure_code) ?? "unknown") : undefined,
});

/** @param since epoch milliseconds @param payoutsSince later than that: all lines of these payouts are in the lists */
export async function providerBooks(at: Books, since: number, payoutsSince: number): Promise<ProviderBooks> {
  const [sessions = [], transactions = [], refunds = [], disputes = [], payouts = []] = await pMap(
    lists,
    (list) => allOfList(at, list, since),
    { concurrency: 1 },
  );
  const allPayouts = payouts.map(payoutIn);
  const withLines = allPayouts.filter(({ hasLines }) => hasLines);
  const paidOut = (await pMap(withLines, ({ id }) => at.linesOf(id), { concurrency })).flat();
  const facts = new Map<string, ProviderFacts>();
  const add = (intent: string | undefined, more: (known: ProviderFacts) => Partial<ProviderFacts>) => {
    if (intent === undefined) return;
    const known = facts.get(intent) ?? { refunds: [], disputes: {}, lines: {} };
    facts.set(intent, { ...known, ...more(known) });
  };
  for (const { id, paymentIntent, ...line } of [...transactions.flatMap(listedLine), ...paidOut]) {
    add(paymentIntent, ({ lines }) => ({ lines: { ...lines, [id]: line } }));
  }
  for (const object of refunds) {
    add(idIn(object.payment_intent), (known) => ({ refunds: [...known.refunds, refundIn(object) ?? []].flat() }));
  }
  for (const { id, paymentIntent, dispute } of disputes.flatMap((object) => disputeIn(object) ?? [])) {
    add(paymentIntent, (known) => ({ disputes: { ...known.disputes, [id]: dispute } }));
  }
  return {
    sessions: paidSessions(sessions, true),
    facts,
    payouts: allPayouts.filter(({ created }) => created >= payoutsSince),
    hasOtherLines: transactions.some((object) => object.type !== "payout" && !lineIn(object)),
  };
}
