/**
 * The provider without a network: its objects, what payers, banks and developers do with them, and the REST interface that
 * its official client uses.
 */
import type Stripe from "stripe";
import type { Clock } from "../service-kit/clock.ts";
import { balanceObject, type PayoutStatus, payoutObject, transactionObject } from "./balance.ts";
import { Changes, type ChangesOptions } from "./changes.ts";
import { type DisputeStatus, disputeObject } from "./dispute.ts";
import { type DisputeResult, Disputes, type NewDispute } from "./disputes.ts";
import { Payouts } from "./payouts.ts";
import { refundObject } from "./refund.ts";
import { Refunds } from "./refunds.ts";
import { type RestOptions, restInterface } from "./rest.ts";
import type { Resources } from "./routes.ts";
import type { sessionObject } from "./session.ts";
import { Sessions, type SessionsOptions } from "./sessions.ts";
import type { Permission, Switchboard } from "./switches.ts";

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
   * The payer's bank takes back what is left of the payment, or a part, and pending refunds fail. With the status
   * `warning_needs_response` it only asks. A payment may be disputed again.
   * @throws PaymentProblem when there is not so much left
   */
  dispute(sessionId: string, details?: NewDispute): DisputeObject;
  /**
   * The bank goes on with a dispute, in whatever order.
   * @param id of a dispute, or of a session for its latest dispute
   * @param money `later`: it is not taken or back before the dispute is moved to the same status again
   * @throws PaymentProblem when there is none
   */
  moveDispute(id: string, status: DisputeStatus, money?: "at once" | "later"): DisputeObject;
  /** When it is won, the amount comes back. @throws PaymentProblem when there is no open dispute */
  closeDispute(sessionId: string, result: DisputeResult): DisputeObject;
  /** The lines of the balance, oldest first. */
  balanceTransactions(): TransactionObject[];
  /**
   * Pays out all lines that are not paid out yet. It arrives at once, or in two days when its status is not `paid`.
   * @throws PaymentProblem when they are not worth more than nothing
   */
  payOut(status?: Exclude<PayoutStatus, "failed">): PayoutObject;
  /**
   * The bank goes on with a payout; `failed`, also after `paid`, brings its amount back to the balance.
   * @throws PaymentProblem when there is none, or it has come further
   */
  movePayout(payoutId: string, status: Exclude<PayoutStatus, "pending">): PayoutObject;
  /** What is not paid out. */
  balance(): Stripe.Balance;
}

/** A developer's switches besides those of deliveries. Every start switches them off. */
interface PaymentSwitches {
  /** Whether new refunds stay pending until `moveRefund`. Those that wait already go on waiting. */
  refundsWait(on: boolean): void;
  /** Whether a refund that the balance does not cover stays pending until `moveRefund`, for `insufficient_funds`. */
  poorBalance(on: boolean): void;
  /** The next requests are answered with 429. */
  limitRequests(left: number): void;
  /** Permissions without which the caller's key is refused with 403, instead of those before. */
  withhold(...permissions: readonly Permission[]): void;
  /** Whether the REST interface does nothing and answers 503. */
  silence(on: boolean): void;
  /** Whether the REST interface does its work, and cuts the connection instead of answering. */
  loseAnswers(on: boolean): void;
  /** The next requests with a key are answered with 500, which is remembered, with or without their work done. */
  breakRequests(left: number, when?: "before work" | "after work"): void;
}

/** All that can happen at the provider. */
export interface Moves extends SessionEnds, MoneyMoves, PaymentSwitches {
  /** Oldest first. */
  sessions(): SessionObject[];
}

const movesOf = ({ sessions, refunds, disputes, payouts }: Resources): Omit<Moves, keyof PaymentSwitches> => {
  const ends = (name: keyof SessionEnds) => (sessionId: string) => sessions.object(sessions.move(sessionId, name));
  return {
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
    dispute: (sessionId, details) => disputeObject(disputes.open(sessionId, details)),
    moveDispute: (id, status, money) => disputeObject(disputes.move(id, status, money)),
    closeDispute: (sessionId, result) => disputeObject(disputes.close(sessionId, result)),
    balanceTransactions: () => payouts.transactions().map(transactionObject),
    payOut: (status) => payoutObject(payouts.payOut(status)),
    movePayout: (id, status) => payoutObject(payouts.move(id, status)),
    balance: () => balanceObject(payouts.unpaid()),
  };
};

const switchesOf = (switchboard: Switchboard): PaymentSwitches => ({
  refundsWait: (on) => switchboard.set({ refundsWait: on }),
  poorBalance: (on) => switchboard.set({ neverNegative: on }),
  limitRequests: (left) => switchboard.set({ limited: left }),
  withhold: (...permissions) => switchboard.set({ withheld: permissions }),
  silence: (on) => switchboard.set({ silent: on }),
  breakRequests: (left, when) => switchboard.set({ breaking: { left, afterWork: when === "after work" } }),
  loseAnswers: (on) => switchboard.set({ losing: on }),
});

type ProviderOptions = ChangesOptions &
  Pick<RestOptions, "switchboard" | "occupy"> &
  Pick<SessionsOptions, "pageOf"> & { readonly clock: Clock };

/** A provider that stores everything in the ledger. */
export function newProvider(options: ProviderOptions) {
  const { switchboard, clock } = options;
  const changes = new Changes(options);
  const sessions = new Sessions({ ...options, changes });
  const payouts = new Payouts({ ...options, changes });
  const refunds = new Refunds({ ...options, changes, sessions, payouts });
  const disputes = new Disputes({ ...options, changes, sessions });
  const resources = { sessions, refunds, disputes, payouts };
  const rest = restInterface({ ...options, resources, now: () => clock.now() });
  return { resources, changes, rest, moves: { ...movesOf(resources), ...switchesOf(switchboard) } };
}
