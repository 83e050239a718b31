/**
 * Reads the provider's lists since the last run, and settles what the table lacks through the functions that the
 * provider's events go through. What it cannot explain it names for the treasurer (`docs/design.md`, "Reconciliation").
 */

import pMap from "p-map";
import { log } from "#kit/log.ts";
import { type RequestContext, systemContext } from "#kit/request/context.ts";
import { day } from "#kit/text/time.ts";
import { readCheckout, readLatestCheckout } from "../checkout/store.ts";
import { type Listed, type ListName, type ProviderLists, UnknownPosition } from "../provider/provider-lists.ts";
import { lineIn, type MoneyProvider } from "../provider/refund-calls.ts";
import type { ReadSession } from "../provider/session.ts";
import { changePayment } from "../record/change-payment.ts";
import { disputeIn } from "../record/dispute.ts";
import { isSettled, withDispute, withLine } from "../record/payment.ts";
import { readPayment, readSettlement } from "../record/payment-store.ts";
import { type Fields, fieldsOf } from "../record/provider-fields.ts";
import { hear } from "./effects.ts";
import { moneyEventOf } from "./money-event.ts";
import { noteDispute } from "./note-dispute.ts";
import { noteFailedPayout, notePayout } from "./note-payout.ts";
import { noteTransactions } from "./note-transactions.ts";
import { checkoutIdOf, newsIn } from "./provider-event.ts";
import { begun, type Mark, moveMark, passed, readMark } from "./reconciliation-mark.ts";

export type Books = Pick<ProviderLists, "page"> & Pick<MoneyProvider, "linesOf" | "disputeNow">;

/** What a run did with an object: nothing, it settled it, or says why the treasurer has to look. */
type Finding = "known" | "settled" | { readonly because: string };

/**
 * Objects change after they were created, so each run begins this long before the last one: a bank may return a refund
 * after a month, and decide about a dispute after months (https://docs.stripe.com/disputes/how-disputes-work). A payout may
 * fail five business days after it has arrived, which may be two weeks after its creation (https://docs.stripe.com/payouts).
 */
const overlap: Readonly<Record<ListName, number>> = {
  // Of each charge in the transactions' day the session must have been read: it lives 40 minutes, and a bank debit may take
  // ten days after its end (`session-end.ts`).
  sessions: 12 * day,
  transactions: 1 * day,
  refunds: 35 * day,
  disputes: 150 * day,
  payouts: 30 * day,
};
/** Payouts whose lines are read again: the provider knows them some days after it has created one. */
const daysOfLines = 7 * day;
/** Objects that are handled at the same time. */
const concurrency = 8;
/** Milliseconds that a page may take. No page begins later than that before the deadline. */
const longestPage = 60_000;

async function reconcileSession(session: Fields & ReadSession, context: RequestContext): Promise<Finding> {
  const news = newsIn(session);
  const id = news && checkoutIdOf(news.session);
  if (!news || id === undefined || (await readSettlement(news.session.id)) !== undefined) return "known";
  const isPaid = news.meaning === "paid";
  const checkout = await readCheckout(id);
  if (!checkout) return isPaid ? { because: "paid, and its checkout is unknown" } : "known";
  if (news.meaning === "expired") {
    const { email, purpose } = checkout;
    const latest = await readLatestCheckout(email, purpose.kind === "event" ? purpose.event : undefined);
    if (latest?.id !== id || latest.closed) return "known";
  }
  await hear(news, context);
  return news.meaning === "under way" ? "known" : "settled";
}

/**
 * Other systems of the club may share the provider's account: a line of a payment that is not settled is theirs, because the
 * sessions were read before. One of a payment that was made since comes again in the next run.
 */
async function reconcileLine(transaction: Fields, context: RequestContext): Promise<Finding> {
  const line = lineIn(transaction);
  // A payout and the provider's own fees have no payment.
  if (!line || !isSettled(await readPayment(line.paymentIntent))) return "known";
  const { id, paymentIntent, ...facts } = line;
  await changePayment(paymentIntent, (payment) => withLine(payment, id, facts), context);
  return "known";
}

async function reconcileRefund(object: object, context: RequestContext): Promise<Finding> {
  const event = moneyEventOf({ type: "refund.updated", data: { object } });
  if (event?.kind !== "payment" || !(await readPayment(event.name))) return "known";
  return (await changePayment(event.name, event.change, context)) ? "settled" : "known";
}

async function reconcileFailure(payout: Fields, context: RequestContext): Promise<Finding> {
  const event = moneyEventOf({ type: "payout.failed", data: { object: payout } });
  if (event?.kind !== "failed payout") return "known";
  const isNews = await noteFailedPayout(event.payout, event.createdAt, context);
  return isNews ? { because: `payout failed: ${event.payout.because}` } : "known";
}

/** @param since epoch milliseconds: when the last complete run began */
async function reconcilePayout(payout: Fields, at: Books, since: number, context: RequestContext): Promise<Finding> {
  if (payout.status === "failed") return reconcileFailure(payout, context);
  // The provider does not know which lines a manual payout has: https://docs.stripe.com/payouts/reconciliation
  const event = moneyEventOf({ type: "payout.reconciliation_completed", data: { object: payout } });
  const isDue = payout.reconciliation_status === "completed" && Number(payout.created) * 1_000 >= since - daysOfLines;
  if (isDue && event?.kind === "payout") await notePayout(event, at, context);
  return "known";
}

/** The list may be old by now, so the provider is asked about a dispute of which it says something new. */
async function reconcileDispute(object: object, at: Books, context: RequestContext): Promise<Finding> {
  const found = disputeIn(object);
  const payment = found && (await readPayment(found.paymentIntent));
  if (!payment || withDispute(payment, found.id, found.dispute) === payment) return "known";
  const heard = { disputeId: found.id, payment: found.paymentIntent };
  return (await noteDispute(heard, at, context)) ? "settled" : "known";
}

function reconcileOne(
  list: ListName,
  object: Listed,
  { at, since }: { readonly at: Books; readonly since: number },
  context: RequestContext,
): Promise<Finding> {
  const fields = fieldsOf(object);
  if (list === "sessions") return reconcileSession(object as Listed & ReadSession & Fields, context);
  if (list === "transactions") return reconcileLine(fields, context);
  if (list === "payouts") return reconcilePayout(fields, at, since, context);
  return list === "disputes" ? reconcileDispute(object, at, context) : reconcileRefund(object, context);
}

export interface Reconciled {
  /** Objects that were read. */
  readonly read: number;
  /** Facts that the table lacked. */
  readonly settled: number;
  /** Objects for the treasurer. */
  readonly unexplained: number;
  /** Whether the run has come to its end. Otherwise another one goes on. */
  readonly isComplete: boolean;
}

class Run {
  read = 0;
  settled = 0;
  unexplained = 0;
  readonly #at: Books;
  readonly #context: RequestContext;

  constructor(at: Books, context: RequestContext) {
    this.#at = at;
    this.#context = context;
  }

  /** @throws what failed; but an object that failed before is named, so that it does not keep the run from the others */
  async #handle(list: ListName, object: Listed, { hasFailed, since }: Mark): Promise<void> {
    const { requestId, now, deadline } = this.#context;
    const finding = await reconcileOne(
      list,
      object,
      { at: this.#at, since },
      systemContext(requestId, now, deadline),
    ).catch((error: unknown): Finding => {
      if (!hasFailed) throw error;
      log.error("not reconciled", { object: object.id, error });
      return { because: "not reconciled" };
    });
    this.read += 1;
    if (finding === "known") return;
    const isSettledNow = finding === "settled";
    this[isSettledNow ? "settled" : "unexplained"] += 1;
    const because = isSettledNow ? "only now settled" : finding.because;
    log.warn("money for the treasurer", { object: object.id, because });
  }

  /** Handles the next page. @returns the next mark; undefined when another run has moved it */
  async page(mark: Mark, list: ListName): Promise<Mark | undefined> {
    const position = { list, since: mark.since - overlap[list], after: mark.after };
    const page = await this.#at.page(position).catch((error: unknown) => {
      if (!(error instanceof UnknownPosition)) throw error;
      return undefined;
    });
    // The list begins again: what was handled is known by now.
    if (!page) {
      this.unexplained += 1;
      log.warn("money for the treasurer", { object: mark.after, because: "the provider does not know it any more" });
      const { after: _, ...begun } = mark;
      return moveMark(mark, begun, this.#context);
    }
    try {
      if (list === "transactions") await noteTransactions(page.objects, this.#context);
      await pMap(page.objects, (object) => this.#handle(list, object, mark), { concurrency, stopOnError: false });
    } catch (error) {
      await moveMark(mark, { ...mark, hasFailed: true }, this.#context);
      throw error;
    }
    return moveMark(mark, passed(mark, page), this.#context);
  }
}

/**
 * Idempotent, and restartable after every page.
 * @throws Unavailable the provider does not answer  @throws AggregateError an object failed; the next run names it
 */
export async function reconcile(at: Books, context: RequestContext): Promise<Reconciled> {
  const run = new Run(at, context);
  let mark: Mark | undefined = begun(await readMark(), context.now);
  while (mark?.list !== undefined && performance.now() < context.deadline - longestPage)
    mark = await run.page(mark, mark.list);
  const { read, settled, unexplained } = run;
  return { read, settled, unexplained, isComplete: mark !== undefined && mark.list === undefined };
}
