/** A checkout session, and its form in the provider's answers: https://docs.stripe.com/api/checkout/sessions/object */
import type Stripe from "stripe";

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
  /** Description of the payment. */
  readonly description?: string;
  /** The end of the text on the card's statement. */
  readonly statementSuffix?: string;
  /** Whether the payer may pay in another currency. */
  readonly adaptivePricing?: boolean;
  readonly allowedMethods?: readonly string[];
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

/** The payer's email: the one that the caller gave, or else the one that the payer gave. */
export const emailOf = ({ payerEmail, customerEmail }: Session): string | null => payerEmail ?? customerEmail;

const customerDetails = (email: string) =>
  ({
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: "none",
    tax_ids: null,
  }) satisfies Stripe.Checkout.Session.CustomerDetails;

/** What no session of the laptop has: null, or the documented default. */
const unused = {
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  customer_creation: "if_required",
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: "if_required",
  payment_method_configuration_details: null,
  payment_method_options: {},
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  subscription: null,
  wallet_options: null,
};

/** The path of a session's hosted page. */
export const pagePath = (id: string): string => `/c/pay/${id}`;

/** @param page address of the session's page */
export function sessionObject(session: Session, page: string) {
  const total = totalOf(session.lineItems);
  const email = emailOf(session);
  return {
    ...unused,
    id: session.id,
    object: "checkout.session",
    adaptive_pricing: { enabled: session.adaptivePricing ?? true },
    allowed_payment_method_types: session.allowedMethods ? [...session.allowedMethods] : null,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    created: session.created,
    currency: session.currency,
    customer_details: email === null ? null : customerDetails(email),
    customer_email: session.customerEmail,
    expires_at: session.expiresAt,
    livemode: false,
    locale: null,
    metadata: session.metadata,
    mode: "payment",
    payment_intent: session.paymentIntent ?? null,
    payment_method_types: ["card"],
    payment_status: session.state === "paid" ? "paid" : "unpaid",
    status: statusOf[session.state],
    submit_type: null,
    success_url: session.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: session.state === "open" ? page : null,
  } satisfies Stripe.Checkout.Session;
}
