/**
 * The provider without a network: its objects, what payers, banks and developers do with them, and the REST interface that
 * its official client uses.
 */
import type { Clock } from "../service-kit/clock.ts";
import { balanceObject, type PayoutStatus, payoutObject, transactionObject } from "./balance.ts";
import { Changes, type ChangesOptions } from "./changes.ts";
import { type DisputeStatus, disputeObject } from "./dispute.ts";
import { type DisputeResult, Disputes, type NewDispute } from "./disputes.ts";
import type { MoveName } from "./moves.ts";
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

/**
 * What happens at the provider without a request of the club's service. Lists are oldest first; what the state of things does not
 * allow throws a PaymentProblem.
 */
const movesOf = ({ sessions, refunds, disputes, payouts }: Resources) => {
  const ends = (name: MoveName) => (sessionId: string) => sessions.object(sessions.move(sessionId, name));
  return {
    sessions: () => sessions.all().map((session) => sessions.object(session)),
    pay: ends("pay"),
    /** Pays with a delayed payment method: the session is complete and unpaid until `arrive` or `fail`. */
    payLater: ends("payLater"),
    arrive: ends("arrive"),
    fail: ends("fail"),
    expire: ends("expire"),
    refunds: () => refunds.all().map(refundObject),
    /** A refund that a person makes in the provider's dashboard, of all that is left when the amount is absent. */
    refundInDashboard: (sessionId: string, amount?: number) =>
      refundObject(refunds.createInDashboard(sessionId, amount)),
    /** `succeed` lets a pending refund go through. `fail` lets a pending or succeeded one fail, and its amount comes back. */
    moveRefund: (refundId: string, move: "succeed" | "fail") => refundObject(refunds.move(refundId, move)),
    disputes: () => disputes.all().map(disputeObject),
    /**
     * The payer's bank takes back what is left of the payment, or a part, and pending refunds fail. With the status
     * `warning_needs_response` it only asks. A payment may be disputed again.
     */
    dispute: (sessionId: string, details?: NewDispute) => disputeObject(disputes.open(sessionId, details)),
    /**
     * The bank goes on with a dispute, in whatever order.
     * @param id of a dispute, or of a session for its latest dispute
     * @param money `later`: it is not taken or back before the dispute is moved to the same status again
     */
    moveDispute: (id: string, status: DisputeStatus, money?: "at once" | "later") =>
      disputeObject(disputes.move(id, status, money)),
    /** When it is won, the amount comes back. */
    closeDispute: (sessionId: string, result: DisputeResult) => disputeObject(disputes.close(sessionId, result)),
    balanceTransactions: () => payouts.transactions().map(transactionObject),
    /** Pays out all lines that are not paid out yet. It arrives at once, or in two days when its status is not `paid`. */
    payOut: (status?: Exclude<PayoutStatus, "failed">) => payoutObject(payouts.payOut(status)),
    /** The bank goes on with a payout; `failed`, also after `paid`, brings its amount back to the balance. */
    movePayout: (id: string, status: Exclude<PayoutStatus, "pending">) => payoutObject(payouts.move(id, status)),
    /** What is not paid out. */
    balance: () => balanceObject(payouts.unpaid()),
  };
};

/** A developer's switches besides those of deliveries. Every start switches them off. */
const switchesOf = (switchboard: Switchboard) => ({
  /** Whether new refunds stay pending until `moveRefund`. Those that wait already go on waiting. */
  refundsWait: (on: boolean) => switchboard.set({ refundsWait: on }),
  /** Whether a refund that the balance does not cover stays pending until `moveRefund`, for `insufficient_funds`. */
  poorBalance: (on: boolean) => switchboard.set({ neverNegative: on }),
  /** The next requests are answered with 429. */
  limitRequests: (left: number) => switchboard.set({ limited: left }),
  /** Permissions without which the caller's key is refused with 403, instead of those before. */
  withhold: (...permissions: readonly Permission[]) => switchboard.set({ withheld: permissions }),
  /** Whether the REST interface does nothing and answers 503. */
  silence: (on: boolean) => switchboard.set({ silent: on }),
  /** The next requests with a key are answered with 500, which is remembered, with or without their work done. */
  breakRequests: (left: number, when?: "before work" | "after work") =>
    switchboard.set({ breaking: { left, afterWork: when === "after work" } }),
  /** Whether the REST interface does its work, and cuts the connection instead of answering. */
  loseAnswers: (on: boolean) => switchboard.set({ losing: on }),
});

/** All that can happen at the provider. */
export type Moves = ReturnType<typeof movesOf> & ReturnType<typeof switchesOf>;

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
