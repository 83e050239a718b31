/** The local stage's payment provider: the REST interface that its official client uses, hosted pages, a webhook. */
import { setTimeout } from "node:timers/promises";
import type { Activity } from "../service-kit/activity.ts";
import { type Clock, systemClock } from "../service-kit/clock.ts";
import { startHttpService } from "../service-kit/http-service.ts";
import { payoutObject, transactionObject } from "./balance.ts";
import { Changes } from "./changes.ts";
import { Deliveries, type DeliveriesOptions } from "./deliveries.ts";
import { disputeObject } from "./dispute.ts";
import { type DisputeResult, Disputes } from "./disputes.ts";
import type { PaymentEvent } from "./event.ts";
import { openKeys } from "./keys.ts";
import { type Delivery, Ledger } from "./ledger.ts";
import { pagePath } from "./pages/checkout.ts";
import { pages } from "./pages/index.ts";
import { Payouts } from "./payouts.ts";
import { refundObject } from "./refund.ts";
import { Refunds } from "./refunds.ts";
import { type RestOptions, restInterface } from "./rest.ts";
import type { sessionObject } from "./session.ts";
import { Sessions } from "./sessions.ts";
import { Switchboard, type Switches } from "./switches.ts";

/** A session as the provider's client gets it. */
export type SessionObject = ReturnType<typeof sessionObject>;
/** A refund as the provider's client gets it. */
export type RefundObject = ReturnType<typeof refundObject>;
/** A dispute as the provider's client gets it. */
export type DisputeObject = ReturnType<typeof disputeObject>;
/** A line of the balance as the provider's client gets it. */
export type TransactionObject = ReturnType<typeof transactionObject>;
/** A payout as the provider's client gets it. */
type PayoutObject = ReturnType<typeof payoutObject>;

export interface PaymentsOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Absent: in memory. */
  readonly directory?: string | undefined;
  /** Milliseconds before the first retry; doubled each time. 500 when absent. */
  readonly retryDelay?: DeliveriesOptions["retryDelay"] | undefined;
  /** Counts the work of all services together. */
  readonly activity?: Activity;
  readonly clock?: Clock;
  /** The time for which a request occupies its idempotency key. A few milliseconds when absent. */
  readonly occupy?: RestOptions["occupy"];
  /** The types of the events that the webhook is sent. All when absent. */
  readonly enabledEvents?: readonly string[];
}

/** All ways in which a payer or time can end a session. @throws SessionClosed when the session has ended */
interface SessionEnds {
  pay(sessionId: string): SessionObject;
  /** Pays with a delayed payment method: the session is complete and unpaid until `arrive` or `fail`. */
  payLater(sessionId: string): SessionObject;
  arrive(sessionId: string): SessionObject;
  fail(sessionId: string): SessionObject;
  expire(sessionId: string): SessionObject;
}

/** What happens to money after a payment. */
interface MoneyMoves {
  /** Oldest first. */
  refunds(): RefundObject[];
  /**
   * A refund that a person makes in the provider's dashboard, of all that is left when the amount is absent.
   * @throws PaymentProblem when the provider's REST interface would refuse it
   */
  refundInDashboard(sessionId: string, amount?: number): RefundObject;
  /**
   * `succeed` lets a pending refund go through. `fail` lets a pending or succeeded one fail, and its amount comes back.
   * @throws PaymentProblem when the refund's state does not allow it
   */
  moveRefund(refundId: string, move: "succeed" | "fail"): RefundObject;
  /** Oldest first. */
  disputes(): DisputeObject[];
  /**
   * The payer's bank takes back what is left of the payment, and pending refunds fail.
   * @throws PaymentProblem when nothing is left, or the payment was disputed before
   */
  dispute(sessionId: string): DisputeObject;
  /** When it is won, the amount comes back. @throws PaymentProblem when there is no open dispute */
  closeDispute(sessionId: string, result: DisputeResult): DisputeObject;
  /** The lines of the balance, oldest first. */
  balanceTransactions(): TransactionObject[];
  /**
   * Pays out all lines that are not paid out yet.
   * @throws PaymentProblem when they are not worth more than nothing
   */
  payOut(): PayoutObject;
}

/** A developer's switches besides those of deliveries. Every start switches them off. */
interface PaymentSwitches {
  /** Whether new refunds stay pending until `moveRefund`. Those that wait already go on waiting. */
  refundsWait(on: boolean): void;
  /** Whether the REST interface does nothing and answers 503. */
  silence(on: boolean): void;
  /** Whether the REST interface does its work, and cuts the connection instead of answering. */
  loseAnswers(on: boolean): void;
  /** The next requests with a key are answered with 500, which is remembered, with or without their work done. */
  breakRequests(left: number, when?: "before work" | "after work"): void;
  readonly switches: Switches;
}

export interface Payments
  extends SessionEnds,
    MoneyMoves,
    PaymentSwitches,
    Pick<Deliveries, "duplicate" | "deliverTo" | "settled"> {
  /** `http://127.0.0.1:<port>`: the REST interface under `/v1/`, a page that lists all sessions at `/`. */
  readonly url: string;
  readonly apiKey: string;
  /** The secret of the webhook's signatures. */
  readonly webhookSecret: string;
  /** Oldest first. */
  sessions(): SessionObject[];
  /** All deliveries to the webhook, oldest first; a duplicate is a delivery of its own. */
  deliveries(): (Delivery & Pick<PaymentEvent, "type" | "sessionId">)[];
  /** Holds all deliveries back until `release`. */
  holdBack(): void;
  /** Delivers held-back events one after the other; resolves when each has been tried once. */
  release: Deliveries["release"];
  /** Starts no more deliveries; those under way may end. The next start delivers the rest. */
  close(): Promise<void>;
}

/** Bytes. */
const largestBody = 1024 * 1024;
/** Milliseconds. */
const occupied = 5;

/** Delivers no event before `deliverTo` is called. @throws Error when the port is taken */
export async function startPayments(options: PaymentsOptions = {}): Promise<Payments> {
  const { port, directory, retryDelay = 500, activity, clock = systemClock, enabledEvents } = options;
  const { occupy = () => setTimeout(occupied) } = options;
  const now = (): number => clock.now();
  const { apiKey, webhookSecret } = await openKeys(directory);
  const ledger = new Ledger(directory, now);
  const switchboard = new Switchboard();
  const deliveries = new Deliveries({ ledger, switchboard, webhookSecret, clock, activity, retryDelay });
  const changes = new Changes({ ledger, deliveries, clock, enabledEvents });
  let url = "";
  const sessions = new Sessions({ ledger, changes, clock, pageOf: (id) => url + pagePath(id) });
  const refunds = new Refunds({ ledger, changes, sessions, switchboard });
  const disputes = new Disputes({ ledger, changes, sessions });
  const payouts = new Payouts({ ledger, changes });
  const resources = { sessions, refunds, disputes, payouts };
  const rest = restInterface({ resources, ledger, switchboard, now, occupy });
  const show = pages({
    ...resources,
    changes,
    deliveries,
    ledger,
    switchboard,
    hosts: () => [new URL(url).host, `localhost:${new URL(url).port}`],
  });
  const service = await startHttpService({
    port,
    maximumBody: largestBody,
    answer: (request) => (request.path.startsWith("/v1/") ? rest(request) : show(request)),
  });
  url = service.url;
  sessions.expireOverdue();

  const ends = (name: keyof SessionEnds) => (sessionId: string) => sessions.object(sessions.move(sessionId, name));
  return {
    url,
    apiKey,
    webhookSecret,
    sessions: () => sessions.all().map((session) => sessions.object(session)),
    pay: ends("pay"),
    payLater: ends("payLater"),
    arrive: ends("arrive"),
    fail: ends("fail"),
    expire: ends("expire"),
    refunds: () => refunds.all().map(refundObject),
    refundInDashboard: (sessionId, amount) => refundObject(refunds.createInDashboard(sessionId, amount)),
    moveRefund: (refundId, move) => refundObject(refunds.move(refundId, move)),
    disputes: () => disputes.all().map(disputeObject),
    dispute: (sessionId) => disputeObject(disputes.open(sessionId)),
    closeDispute: (sessionId, result) => disputeObject(disputes.close(sessionId, result)),
    balanceTransactions: () => payouts.transactions().map(transactionObject),
    payOut: () => payoutObject(payouts.payOut()),
    deliveries: () =>
      ledger.all("deliveries").flatMap((delivery) => {
        const event = ledger.get("events", delivery.eventId);
        return event ? [{ ...delivery, type: event.type, sessionId: event.sessionId }] : [];
      }),
    get switches() {
      return switchboard.now;
    },
    refundsWait: (on) => switchboard.set({ refundsWait: on }),
    silence: (on) => switchboard.set({ silent: on }),
    breakRequests: (left, when) => switchboard.set({ breaking: { left, afterWork: when === "after work" } }),
    loseAnswers: (on) => switchboard.set({ losing: on }),
    holdBack: () => deliveries.hold(),
    release: () => deliveries.release(),
    duplicate: (times) => deliveries.duplicate(times),
    deliverTo: (webhook) => deliveries.deliverTo(webhook),
    settled: () => deliveries.settled(),
    close: async () => {
      await service.close();
      sessions.close();
      await deliveries.close();
      ledger.close();
    },
  };
}
