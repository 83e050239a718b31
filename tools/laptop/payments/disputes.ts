/** Disputes: a cardholder's bank takes the money back, and gives it back to the club when the club wins. */
import { newTransaction } from "./balance.ts";
import type { Changes } from "./changes.ts";
import { leftOf } from "./charge.ts";
import { type Dispute, disputeObject } from "./dispute.ts";
import type { EventType, Told } from "./event.ts";
import { newId } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { missing, PaymentProblem } from "./problem.ts";
import { failed } from "./refund.ts";
import { refundEvents } from "./refunds.ts";
import { isPaid } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** The parts that disputes need. */
export interface DisputesOptions {
  readonly ledger: Ledger;
  readonly changes: Changes;
  readonly sessions: Sessions;
}

export type DisputeResult = "won" | "lost";

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
   * The payer's bank takes back what is left of the charge. Pending refunds of it fail.
   * @throws PaymentProblem when nothing is left of the charge, or it was disputed before
   */
  open(sessionId: string): Dispute {
    const { ledger, changes, sessions } = this.#options;
    const session = sessions.find(sessionId);
    const now = changes.now();
    const refunds = ledger.all("refunds").filter((one) => one.sessionId === sessionId);
    const pending = refunds.filter(({ status }) => status === "pending");
    const failures = pending.map((one) => failed(one, now, "charge_for_pending_refund_disputed"));
    const amount = leftOf(
      session,
      refunds.filter((one) => !pending.includes(one)),
    );
    if (!isPaid(session) || amount === 0 || this.ofSession(sessionId)) {
      throw new PaymentProblem(400, "This payment cannot be disputed.");
    }
    const { charge, paymentIntent, currency } = session;
    const id = newId("du");
    const withdrawal = newTransaction("dispute", {
      amount: -amount,
      currency,
      created: now,
      source: id,
      description: `Chargeback withdrawal for ${charge.id}`,
    });
    const dispute: Dispute = {
      id,
      sessionId,
      paymentIntent,
      charge: charge.id,
      amount,
      currency,
      created: now,
      status: "needs_response",
      transactions: [withdrawal],
    };
    changes.write(
      {
        disputes: [dispute],
        refunds: failures.map(({ refund }) => refund),
        transactions: [...failures.flatMap(({ transactions }) => transactions), ...dispute.transactions],
      },
      {
        told: [
          ...events(dispute, "charge.dispute.created", "charge.dispute.funds_withdrawn"),
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
    if (before?.status !== "needs_response") throw new PaymentProblem(400, "This dispute is already closed");
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
}
