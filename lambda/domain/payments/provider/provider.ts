/** Calls to the payment provider. Each checkout has one hosted session there, even after repeated calls. */
import type { Stripe } from "stripe";
import { NothingToPay, ProviderRefuses } from "../refusals.ts";
import { classified, type ProviderError } from "./classified.ts";
import { createOnce } from "./create-once.ts";
import { paymentCredentials } from "./credentials.ts";
import { apiVersion, type ReadSession, type Session, type SessionOrder } from "./session.ts";

/** Milliseconds per try. The client makes two tries, a request may make two calls, and the gateway waits 30 s. */
const timeout = 5_000;

/** The provider's limit for a page. */
export const limit = 100;

/** The laptop stage's payment provider. Not set in AWS. */
const endpoint = process.env.PAYMENTS_ENDPOINT_URL;

let made: { readonly apiKey: string; readonly client: Stripe } | undefined;

/** The provider's client for the current API key. A rotated key is used as soon as the secret is read again. */
export async function stripe(): Promise<Stripe> {
  // The package is loaded on first use, because most requests do not call the provider.
  const [{ apiKey }, { Stripe }] = await Promise.all([paymentCredentials(), import("stripe")]);
  if (made?.apiKey === apiKey) return made.client;
  const { protocol, hostname, port } = new URL(endpoint ?? "https://api.stripe.com");
  const client = new Stripe(apiKey, {
    apiVersion,
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 1,
    timeout,
    telemetry: false,
    ...(endpoint && { protocol: protocol === "http:" ? "http" : "https", host: hostname, port }),
  });
  made = { apiKey, client };
  return client;
}

const tooSmall = "This amount is too small to be paid online. Please ask the organizers.";

/** Characters of the text on a card's statement that fit behind the longest prefix of an account. */
const longestSuffix = 10;

/**
 * The beginning of the product's name in the letters that banks show; undefined if it has none.
 * https://docs.stripe.com/get-started/account/statement-descriptors
 */
function statementSuffix(product: string): string | undefined {
  const plain = product.normalize("NFD").replace(/[^A-Za-z0-9 ]/g, "");
  const suffix = plain.slice(0, longestSuffix).trim().toUpperCase();
  return /[A-Z]/.test(suffix) ? suffix : undefined;
}

/** What the provider's exports show beside a payment, so that they can be split by event. */
function paymentData({ purpose, product }: SessionOrder) {
  const suffix = statementSuffix(product);
  return {
    description: product,
    metadata: {
      purpose: purpose.kind,
      ...(purpose.kind === "event" && { event: purpose.event.id, year: `${purpose.event.year}` }),
    },
    ...(suffix !== undefined && { statement_descriptor_suffix: suffix }),
  };
}

/**
 * The parameters of a session. The provider gets the payer's email, the product and the amount, but no data from the
 * person's forms.
 */
export const sessionParameters = (checkout: SessionOrder) =>
  ({
    mode: "payment",
    client_reference_id: checkout.id,
    customer_email: checkout.email,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: checkout.currency,
          unit_amount: checkout.amount,
          product_data: { name: checkout.product },
        },
      },
    ],
    payment_intent_data: paymentData(checkout),
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
    expires_at: checkout.expiresAt / 1_000,
    // Only cards, because money that arrives days later could find the seat gone.
    allowed_payment_method_types: ["card"],
    // No conversion into other currencies: the person must pay exactly the recorded amount.
    adaptive_pricing: { enabled: false },
  }) satisfies Stripe.Checkout.SessionCreateParams;

/** The operations of a payment provider. */
export interface Provider {
  /**
   * The session of a checkout. Every call for the same checkout returns the same session.
   * @returns `too late` when there is no session yet and its end is too near to create one
   * @throws NothingToPay the amount is too small for the provider
   * @throws Unavailable the provider does not respond, or refuses
   * @throws Conflict another request is creating the same session
   */
  sessionFor(checkout: SessionOrder): Promise<Session | "too late">;
  /**
   * Ends a session, so that it can no longer be paid.
   * @returns the session as it is then: `complete` when its payer was faster
   * @throws Unavailable the provider does not respond, or refuses
   */
  end(sessionId: string): Promise<ReadSession>;
}

/** Milliseconds by which the provider's clock may differ. */
const skew = 300_000;

/**
 * The open session that an unanswered request has made for a checkout. The latest stays, because another request may have
 * stored it; two could both be paid.
 */
async function foundSession(client: Stripe, { id, createdAt }: SessionOrder) {
  const created = { gte: Math.floor((createdAt - skew) / 1_000) };
  // The provider cannot filter by our reference, and lists the latest first.
  const all = await client.checkout.sessions
    .list({ created, status: "open", limit })
    .autoPagingToArray({ limit: 1_000 });
  const [latest, ...others] = all.filter(({ client_reference_id }) => client_reference_id === id);
  for (const other of others) await client.checkout.sessions.expire(other.id);
  return latest;
}

/** The provider of this stage: Stripe, or the laptop stage's simulation. */
export const provider: Provider = {
  async sessionFor(checkout) {
    const client = await stripe();
    try {
      const { id, url } = await createOnce(checkout.id, {
        make: (idempotencyKey) => client.checkout.sessions.create(sessionParameters(checkout), { idempotencyKey }),
        find: () => foundSession(client, checkout),
      });
      if (!url) throw new Error("The payment provider created a session without a page.");
      return { sessionId: id, url };
    } catch (error) {
      const { type, param, code } = error as ProviderError;
      if (type === "StripeInvalidRequestError" && param === "expires_at") return "too late";
      if (code === "amount_too_small") throw new NothingToPay(tooSmall);
      throw classified(error);
    }
  },
  async end(sessionId) {
    const client = await stripe();
    try {
      return await client.checkout.sessions.expire(sessionId);
    } catch (error) {
      // Only an open session can be ended. Read the session to learn whether it is completed or has expired.
      if ((error as ProviderError).type !== "StripeInvalidRequestError") throw classified(error);
    }
    return sessionAtProvider(sessionId);
  },
};

/**
 * The provider's current session object. One that the provider does not know, because the key is of another account or mode,
 * has expired: it cannot be paid there.
 * @throws Unavailable the provider does not respond, or refuses
 */
export async function sessionAtProvider(sessionId: string): Promise<ReadSession> {
  const client = await stripe();
  try {
    return await client.checkout.sessions.retrieve(sessionId);
  } catch (error) {
    const known = classified(error);
    if (!(known instanceof ProviderRefuses) || known.because !== "unknown session") throw known;
    const unknown = { id: sessionId, status: "expired" };
    return unknown;
  }
}
