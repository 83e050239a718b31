/** A checkout session, and its form in the provider's answers: https://docs.stripe.com/api/checkout/sessions/object */

/**
 * `underway`: the payer has finished, the money has not arrived; `failed`: the money never arrived. The provider shows
 * both as complete and unpaid.
 */
export type SessionState = "open" | "paid" | "underway" | "failed" | "expired";

/** An item that the payer buys. */
export interface LineItem {
  readonly name: string;
  readonly description?: string;
  /** In the smallest unit of the currency. */
  readonly unitAmount: number;
  readonly quantity: number;
}

/** The payment of a session that is paid: https://docs.stripe.com/api/charges/object */
export interface Charge {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  /** Its line in the balance. */
  readonly transaction: string;
}

/** A session as the local provider stores it. */
export interface Session {
  readonly id: string;
  readonly state: SessionState;
  /** Epoch seconds. */
  readonly created: number;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** ISO 4217, lower-case. */
  readonly currency: string;
  readonly lineItems: readonly LineItem[];
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly clientReferenceId: string | null;
  /** The email that the caller gave. */
  readonly customerEmail: string | null;
  /** The email that the payer gave. */
  readonly payerEmail?: string;
  readonly paymentIntent?: string;
  /** Metadata for the payment intent and its charge. */
  readonly intentMetadata?: Readonly<Record<string, string>>;
  /** Only of a paid session. */
  readonly charge?: Charge;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A session with a payment that can be refunded and disputed. */
export interface PaidSession extends Session {
  readonly paymentIntent: string;
  readonly charge: Charge;
}

export const isPaid = (session: Session): session is PaidSession =>
  session.charge !== undefined && session.paymentIntent !== undefined;

/** In the smallest unit of the currency. */
export const totalOf = (lineItems: readonly LineItem[]): number =>
  lineItems.reduce((total, { unitAmount, quantity }) => total + unitAmount * quantity, 0);

const statusOf: Readonly<Record<SessionState, "open" | "complete" | "expired">> = {
  open: "open",
  paid: "complete",
  underway: "complete",
  failed: "complete",
  expired: "expired",
};

/** The address to which the payer returns after paying. */
export const returnAddress = ({ id, successUrl }: Session): string =>
  successUrl.replaceAll("{CHECKOUT_SESSION_ID}", id);

/** @param page address of the session's page */
export function sessionObject(session: Session, page: string) {
  const total = totalOf(session.lineItems);
  const email = session.payerEmail ?? session.customerEmail;
  return {
    id: session.id,
    object: "checkout.session",
    amount_subtotal: total,
    amount_total: total,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: session.currency,
    customer: null,
    customer_details: email === null ? null : { address: null, email, name: null, phone: null, tax_exempt: "none" },
    customer_email: session.customerEmail,
    expires_at: session.expiresAt,
    livemode: false,
    metadata: session.metadata,
    mode: "payment",
    payment_intent: session.paymentIntent ?? null,
    payment_method_types: ["card"],
    payment_status: session.state === "paid" ? "paid" : "unpaid",
    status: statusOf[session.state],
    success_url: session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    url: session.state === "open" ? page : null,
  } as const;
}
