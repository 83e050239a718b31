/** Disputes: a cardholder's bank takes the money back, and gives it back to the club when the club wins. */
import { newTransaction } from "./balance.ts";
import type { Changes } from "./changes.ts";
import { leftOf } from "./charge.ts";
import { type Dispute, type DisputeStatus, disputeObject, type firstStatuses, isTaken, takenBy } from "./dispute.ts";
import type { EventOf, Told } from "./event.ts";
import { newId } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { missing, PaymentProblem } from "./problem.ts";
import { failed } from "./refund.ts";
import { refundEvents } from "./refunds.ts";
import { isPaid, type Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/** The parts that disputes need. */
export interface DisputesOptions {
  readonly ledger: Ledger;
  readonly changes: Changes;
  readonly sessions: Sessions;
}

/** What a bank disputes. */
export interface NewDispute {
  /** In the smallest unit of the currency. All that is left of the charge when absent. */
  readonly amount?: number | undefined;
  readonly status?: (typeof firstStatuses)[number];
}

export type DisputeResult = "won" | "lost";

const events = (dispute: Dispute, ...types: readonly EventOf<"charge.dispute">[]): Told[] =>
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

  /** Oldest first. */
  ofSession(id: string): Dispute[] {
    return this.all().filter(({ sessionId }) => sessionId === id);
  }

  /**
   * The payer's bank takes back what is left of the charge, or a part. It has taken nothing when it only asks.
   * @throws PaymentProblem when there is not so much left of the charge
   */
  open(sessionId: string, { amount, status = "needs_response" }: NewDispute = {}): Dispute {
    const session = this.#options.sessions.find(sessionId);
    const left = this.#leftOf(session);
    const disputed = amount ?? left;
    if (!isPaid(session) || disputed <= 0 || disputed > left) {
      throw new PaymentProblem(400, "This payment cannot be disputed.");
    }
    const { charge, paymentIntent, currency } = session;
    const created = this.#options.changes.now();
    const dispute: Dispute = {
      ...{ id: newId("du"), sessionId, paymentIntent, charge: charge.id, amount: disputed, currency, created, status },
      transactions: [],
    };
    return this.#write(dispute, "charge.dispute.created");
  }

  /**
   * The bank goes on with a dispute, in whatever order: what it takes and brings back are lines of the balance.
   * @param id of a dispute, or of a session for its latest dispute
   * @param money `later`: the line comes when the dispute is moved to the same status again
   * @throws PaymentProblem when there is none
   */
  move(id: string, status: DisputeStatus, money: "at once" | "later" = "at once"): Dispute {
    const before = this.#options.ledger.get("disputes", id) ?? this.ofSession(id).at(-1);
    if (!before) throw new PaymentProblem(400, "This payment is not disputed.");
    // https://docs.stripe.com/api/events/types: what is prevented is not closed.
    const isOver = before.status !== status && /^(won|lost|warning_closed)$/.test(status);
    const type = isOver ? "charge.dispute.closed" : "charge.dispute.updated";
    const dispute = { ...before, status };
    if (money === "at once") return this.#write(dispute, type);
    this.#options.changes.write({ disputes: [dispute] }, { told: events(dispute, type) });
    return dispute;
  }

  /**
   * When the club wins, the amount comes back, and the fee does not.
   * @throws PaymentProblem when there is no open dispute
   */
  close(sessionId: string, result: DisputeResult): Dispute {
    this.#options.sessions.find(sessionId);
    const before = this.ofSession(sessionId).at(-1);
    if (before?.status !== "needs_response") throw new PaymentProblem(400, "This dispute is already closed");
    return this.move(sessionId, result);
  }

  /** What a bank can still take back: pending refunds will fail. */
  #leftOf(session: Session): number {
    const refunds = this.#options.ledger.all("refunds").filter((one) => one.sessionId === session.id);
    const taken = this.ofSession(session.id).reduce((sum, dispute) => sum + takenBy(dispute), 0);
    const settled = refunds.filter(({ status }) => status !== "pending");
    return leftOf(session, settled) - taken;
  }

  /**
   * Stores a dispute with the line that its status demands, if any: no more is taken than what is left of the charge
   * (`is_charge_refundable` of https://docs.stripe.com/api/disputes/object). Taking money lets pending refunds fail.
   */
  #write(before: Dispute, type: EventOf<"charge.dispute">): Dispute {
    const { ledger, changes, sessions } = this.#options;
    const { id, amount, currency, charge, sessionId, status } = before;
    const taken = takenBy(before);
    const takes =
      isTaken(status) && taken === 0 ? Math.min(amount, Math.max(0, this.#leftOf(sessions.find(sessionId)))) : 0;
    const returned = isTaken(status) ? 0 : taken;
    if (takes === 0 && returned === 0) {
      changes.write({ disputes: [before] }, { told: events(before, type) });
      return before;
    }
    const created = changes.now();
    const line = newTransaction(takes > 0 ? "dispute" : "dispute_reversal", {
      ...{ amount: returned - takes, currency, created, source: id },
      description: `Chargeback ${takes > 0 ? "withdrawal" : "reversal"} for ${charge}`,
    });
    const dispute: Dispute = { ...before, transactions: [...before.transactions, line] };
    const pending = ledger.all("refunds").filter((one) => one.sessionId === sessionId && one.status === "pending");
    const failures = takes > 0 ? pending.map((one) => failed(one, created, "charge_for_pending_refund_disputed")) : [];
    const moved = takes > 0 ? "charge.dispute.funds_withdrawn" : "charge.dispute.funds_reinstated";
    changes.write(
      {
        disputes: [dispute],
        refunds: failures.map(({ refund }) => refund),
        transactions: [...failures.flatMap(({ transactions }) => transactions), line],
      },
      { told: [...events(dispute, type, moved), ...failures.flatMap(({ refund }) => refundEvents(refund))] },
    );
    return dispute;
  }
}
