/** Messages about money: a required refund, and a payment that was used. Pure. */
import type { Money, OutboxMessage, RefundFact } from "#outbox/catalogue.ts";
import type { TakenByHand } from "./by-hand.ts";
import type { PurposeName } from "./purpose.ts";

/** Money that was received. */
export interface ArrivedMoney {
  readonly email: string;
  /** The checkout session at the provider, or `hand_…`. */
  readonly paymentId: string;
  readonly money: Money;
  readonly byHand?: TakenByHand;
  /** It is a deposit. */
  readonly deposit?: "held" | undefined;
}

/** The purpose as messages name it. */
export const purposeOf = (purpose: PurposeName) =>
  purpose.kind === "event"
    ? ({ purpose: "event", eventID: purpose.event.id, year: purpose.event.year } as const)
    : ({ purpose: "membership" } as const);

type Paid = Pick<ArrivedMoney, "email" | "paymentId" | "money">;

/** The message that money has to be refunded. */
export const refundMessage = (
  { email, paymentId, money }: Paid,
  purpose: PurposeName,
  reason: RefundFact["reason"],
): OutboxMessage => ({
  type: "payment.refundRequired",
  data: { ...money, ...purposeOf(purpose), email, paymentId, reason },
});

/** The message that money has paid for a seat or a membership. */
export const completedMessage = ({ email, paymentId, money }: Paid, purpose: PurposeName): OutboxMessage => ({
  type: "payment.completed",
  data: { ...money, ...purposeOf(purpose), email, paymentId },
});
