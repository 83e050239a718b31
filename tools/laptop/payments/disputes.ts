/** Disputes: a cardholder's bank takes the money back, and gives it back to the club when the club wins. */
import { newTransaction } from "./balance.ts";
import type { Changes } from "./changes.ts";
import { leftOf } from "./charge.ts";
import { type Dispute, disputeObject, isInquiry, isOpen } from "./dispute.ts";
import type { EventType, Told } from "./event.ts";
import { newId } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { missing, PaymentProblem } from "./problem.ts";
import { failed } from "./refund.ts";
import { refundEvents } from "./refunds.ts";
import { isPaid, type Session, totalOf } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** The parts that disputes need. */
export interface DisputesOptions {
  readonly ledger: Ledger;
  readonly changes: Changes;
  readonly sessions: Sessions;
  /** Refunds all that is left of a session. */
  readonly refund: (sessionId: string) => unknown;
}

/** An inquiry ends `warning_closed`: its bank asks no more. */
export type DisputeResult = "won" | "lost" | "warning_closed";

export interface Opening {
  readonly as?: "dispute" | "inquiry" | "prevented, a line" | "prevented, a refund";
  readonly isWhole?: boolean;
}

const events = (dispute: Dispute, ...types: readonly EventType[]): Told[] =>
  types.map((type) => ({ type, object: disputeObject(dispute), sessionId: dispute.sessionId }));

export class Disputes {
  readonly #options: DisputesOptions;

  constructor(options: DisputesOptions) {
    this.#options = options;
  }

  /** @throws PaymentProblem 404 when there is no dispute of this id */
  find(id: string): Dispute {
    const dispute = this.#options.ledger.get("disputes", id);
    if (dispute) return dispute;
    throw missing("dispute", id, "dispute");
  }

  /** Oldest first. */
  all(): Dispute[] {
    return this.#options.ledger.all("disputes");
  }

  /** A charge is disputed at most once. */
  ofSession(id: string): Dispute | undefined {
    return this.all().find(({ sessionId }) => sessionId === id);
  }

  /**
   * The payer's bank asks about the charge, or takes back what is left of it; of a whole one also what was refunded.
   * Pending refunds of a charge whose money is taken fail. The documentation does not say whether the network's refund of a
   * prevented dispute is a refund or a line of the dispute, so both are played.
   * @throws PaymentProblem when nothing is left of the charge, or it was disputed before
   */
  open(sessionId: string, { as = "dispute", isWhole = false }: Opening = {}): Dispute {
    const { ledger, changes, sessions, refund } = this.#options;
    const session = sessions.find(sessionId);
    const now = changes.now();
    const refunds = ledger.all("refunds").filter((one) => one.sessionId === sessionId);
    const pending = as === "inquiry" ? [] : refunds.filter(({ status }) => status === "pending");
    const failures = pending.map((one) => failed(one, now, "charge_for_pending_refund_disputed"));
    const left = leftOf(
      session,
      refunds.filter((one) => !pending.includes(one)),
    );
    const amount = isWhole ? totalOf(session.lineItems) : left;
    if (!isPaid(session) || amount === 0 || this.ofSession(sessionId)) {
      throw new PaymentProblem(400, "This payment cannot be disputed.");
    }
    const { charge, paymentIntent, currency } = session;
    const id = newId("du");
    const withdrawal = newTransaction(as === "prevented, a line" ? "dispute_prevented" : "dispute", {
      amount: -amount,
      currency,
      created: now,
      source: id,
      description: `Chargeback withdrawal for ${charge.id}`,
    });
    const takesMoney = as === "dispute" || as === "prevented, a line";
    const status = as === "inquiry" ? "warning_needs_response" : as === "dispute" ? "needs_response" : "prevented";
    const dispute: Dispute = {
      id,
      sessionId,
      paymentIntent,
      charge: charge.id,
      amount,
      currency,
      created: now,
      status,
      transactions: takesMoney ? [withdrawal] : [],
    };
    if (as === "prevented, a refund" && left > 0) refund(sessionId);
    changes.write(
      {
        disputes: [dispute],
        refunds: failures.map(({ refund }) => refund),
        transactions: [...failures.flatMap(({ transactions }) => transactions), ...dispute.transactions],
      },
      {
        told: [
          ...events(dispute, "charge.dispute.created"),
          ...(takesMoney ? events(dispute, "charge.dispute.funds_withdrawn") : []),
          ...(status === "prevented" ? events(dispute, "charge.dispute.closed") : []),
          ...failures.flatMap(({ refund }) => refundEvents(refund)),
        ],
      },
    );
    return dispute;
  }

  /**
   * When the club wins, the amount comes back, and the fee does not.
   * @throws PaymentProblem when there is no open dispute
   */
  close(sessionId: string, result: DisputeResult): Dispute {
    const { changes, sessions } = this.#options;
    sessions.find(sessionId);
    const before = this.ofSession(sessionId);
    if (!before || !isOpen(before)) throw new PaymentProblem(400, "This dispute is already closed");
    if (isInquiry(before) !== (result === "warning_closed"))
      throw new PaymentProblem(400, `No dispute ends ${result}.`);
    if (result !== "won") {
      const dispute: Dispute = { ...before, status: result };
      changes.write({ disputes: [dispute] }, { told: events(dispute, "charge.dispute.closed") });
      return dispute;
    }
    const reversal = newTransaction("dispute_reversal", {
      amount: before.amount,
      currency: before.currency,
      created: changes.now(),
      source: before.id,
      description: `Chargeback reversal for ${before.charge}`,
    });
    const dispute: Dispute = { ...before, status: result, transactions: [...before.transactions, reversal] };
    changes.write(
      { disputes: [dispute], transactions: [reversal] },
      { told: events(dispute, "charge.dispute.funds_reinstated", "charge.dispute.closed") },
    );
    return dispute;
  }
  /** The club has answered an inquiry or a dispute, or the bank makes a dispute of an inquiry, and takes the money. */
  advance(sessionId: string, to: "under review" | "dispute"): Dispute {
    const { changes } = this.#options;
    const before = this.ofSession(sessionId);
    if (!before || !isOpen(before)) throw new PaymentProblem(400, "This dispute is already closed");
    if (to === "under review") {
      const status = isInquiry(before) ? "warning_under_review" : "under_review";
      const dispute: Dispute = { ...before, status };
      changes.write({ disputes: [dispute] }, { told: events(dispute, "charge.dispute.updated") });
      return dispute;
    }
    if (!isInquiry(before)) throw new PaymentProblem(400, "This is a dispute already.");
    const { amount, currency, id: source } = before;
    const withdrawal = newTransaction("dispute", { amount: -amount, currency, created: changes.now(), source });
    const dispute: Dispute = { ...before, status: "needs_response", transactions: [withdrawal] };
    const told = events(dispute, "charge.dispute.updated", "charge.dispute.funds_withdrawn");
    changes.write({ disputes: [dispute], transactions: [withdrawal] }, { told });
    return dispute;
  }

  /** A refund of all that was left ends an inquiry. */
  afterRefund(session: Session): void {
    const before = this.ofSession(session.id);
    const refunds = this.#options.ledger.all("refunds").filter(({ sessionId }) => sessionId === session.id);
    if (before && isInquiry(before) && isOpen(before) && leftOf(session, refunds) === 0) {
      this.close(session.id, "warning_closed");
    }
  }
}
