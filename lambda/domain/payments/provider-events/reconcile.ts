/**
 * Reads the provider's lists since the last run, and settles what the table lacks through the functions that the
 * provider's events go through. What it cannot explain it names for the treasurer (`docs/design.md`, "Reconciliation").
 */
import pMap from "p-map";
import { log } from "#kit/log.ts";
import { type RequestContext, systemContext } from "#kit/request/context.ts";
import { changePayment } from "../change-payment.ts";
import { readCheckout, readLatestCheckout } from "../checkout/store.ts";
import { isSettled, withLine } from "../payment.ts";
import { readPayment, readSettlement } from "../payment-store.ts";
import { type Fields, fieldsOf } from "../provider/provider-fields.ts";
import type { Listed, ListName, ProviderLists } from "../provider/provider-lists.ts";
import { lineIn, type MoneyProvider } from "../provider/refund-calls.ts";
import { hear } from "./effects.ts";
import { moneyEventOf } from "./money-event.ts";
import { notePayout } from "./note-payout.ts";
import { checkoutIdOf, newsIn, type ReadSession } from "./provider-event.ts";
import { begun, type Mark, moveMark, passed, readMark } from "./reconciliation-mark.ts";

export type Books = ProviderLists & Pick<MoneyProvider, "linesOf">;

/** What a run did with an object: nothing, it settled it, or says why the treasurer has to look. */
type Finding = "known" | "settled" | { readonly because: string };

const day = 86_400_000;
/**
 * Objects change after they were created, so each run begins this long before the last one: a bank may return a refund
 * after a month, and decide about a dispute after months (https://docs.stripe.com/disputes/how-disputes-work).
 */
const overlap: Readonly<Record<ListName, number>> = {
  sessions: 1 * day,
  transactions: 1 * day,
  refunds: 35 * day,
  disputes: 150 * day,
  payouts: 7 * day,
};
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

async function reconcileLine(transaction: Fields, at: Books, context: RequestContext): Promise<Finding> {
  const line = lineIn(transaction);
  // A payout and the provider's own fees have no payment.
  if (!line) return "known";
  const { id, paymentIntent, ...facts } = line;
  let finding: Finding = "known";
  if (!isSettled(await readPayment(paymentIntent))) {
    const sessions = await at.sessionsOf(paymentIntent);
    for (const one of sessions) finding = await reconcileSession(one as Listed & ReadSession & Fields, context);
    // Other systems of the club may share the provider's account.
    if (!isSettled(await readPayment(paymentIntent))) return finding;
  }
  await changePayment(paymentIntent, (payment) => withLine(payment, id, facts), context);
  return finding;
}

async function reconcileFact(type: string, object: object, context: RequestContext): Promise<Finding> {
  const event = moneyEventOf({ type, data: { object } });
  if (event?.kind !== "payment" || !(await readPayment(event.name))) return "known";
  return (await changePayment(event.name, event.change, context)) ? "settled" : "known";
}

async function reconcilePayout(payout: Fields, at: Books, context: RequestContext): Promise<Finding> {
  if (payout.status === "failed") return { because: `payout failed: ${payout.failure_code}` };
  // The provider does not know which lines a manual payout has: https://docs.stripe.com/payouts/reconciliation
  const event = moneyEventOf({ type: "payout.reconciliation_completed", data: { object: payout } });
  if (payout.reconciliation_status === "completed" && event?.kind === "payout") await notePayout(event, at, context);
  return "known";
}

function reconcileOne(list: ListName, object: Listed, at: Books, context: RequestContext): Promise<Finding> {
  const fields = fieldsOf(object);
  if (list === "sessions") return reconcileSession(object as Listed & ReadSession & Fields, context);
  if (list === "transactions") return reconcileLine(fields, at, context);
  if (list === "payouts") return reconcilePayout(fields, at, context);
  return reconcileFact(list === "refunds" ? "refund.updated" : "charge.dispute.updated", object, context);
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
  async #handle(list: ListName, object: Listed, { hasFailed }: Mark): Promise<void> {
    const { requestId, now, deadline } = this.#context;
    const finding = await reconcileOne(list, object, this.#at, systemContext(requestId, now, deadline)).catch(
      (error: unknown): Finding => {
        if (!hasFailed) throw error;
        log.error("not reconciled", { object: object.id, error });
        return { because: "not reconciled" };
      },
    );
    this.read += 1;
    if (finding === "known") return;
    const isSettledNow = finding === "settled";
    this[isSettledNow ? "settled" : "unexplained"] += 1;
    const because = isSettledNow ? "only now settled" : finding.because;
    log.warn("money for the treasurer", { object: object.id, because });
  }

  /** Handles the next page. @returns the next mark; undefined when another run has moved it */
  async page(mark: Mark, list: ListName): Promise<Mark | undefined> {
    const page = await this.#at.page({ list, since: mark.since - overlap[list], after: mark.after });
    try {
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
