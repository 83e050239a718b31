/** The states that a session can reach, and the event of each move. Pure. */
import type { EventOf } from "./event.ts";
import { PaymentProblem } from "./problem.ts";
import type { Session, SessionState } from "./session.ts";

interface Move {
  readonly from: SessionState;
  readonly to: SessionState;
  readonly event: EventOf<"checkout.session">;
}

/** `payLater` pays with a delayed payment method; `arrive` and `fail` are its two results. */
export const moves = {
  pay: { from: "open", to: "paid", event: "checkout.session.completed" },
  payLater: { from: "open", to: "underway", event: "checkout.session.completed" },
  arrive: { from: "underway", to: "paid", event: "checkout.session.async_payment_succeeded" },
  fail: { from: "underway", to: "failed", event: "checkout.session.async_payment_failed" },
  expire: { from: "open", to: "expired", event: "checkout.session.expired" },
} as const satisfies Readonly<Record<string, Move>>;

export type MoveName = keyof typeof moves;

/** A move that the session's state does not allow. */
export class SessionClosed extends PaymentProblem {}

/** @throws SessionClosed when the session is not in the state that the move begins in */
export function moved(session: Session, name: MoveName, payment: Pick<Session, "payerEmail" | "paymentIntent">) {
  const { from, to, event }: Move = moves[name];
  if (session.state !== from) {
    const status = session.state === "expired" || session.state === "open" ? session.state : "complete";
    const message =
      name === "expire"
        ? `Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of ${status}.`
        : `This Checkout Session has a status of ${status}.`;
    throw new SessionClosed(400, message);
  }
  return { session: { ...session, ...(from === "open" && to !== "expired" && payment), state: to }, event };
}
