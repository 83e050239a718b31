/** The payment provider: one hosted checkout session for each checkout, however often it is asked for. */
import type { Stripe } from "stripe";
import { Conflict } from "#kit/conflict.ts";
import { NothingToPay, Unavailable } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { LatestCheckout, Session } from "./checkout.ts";
import { paymentCredentials } from "./credentials.ts";

/** Milliseconds for one try; there are three. The gateway waits 30 s. */
const timeout = 5_000;

/** Where the laptop's provider is; not set in AWS. */
const endpoint = process.env.PAYMENTS_ENDPOINT_URL;

let made: { readonly apiKey: string; readonly client: Stripe } | undefined;

/** Made once for each key: a rotated one is noticed when the secret is read again. */
async function stripe(): Promise<Stripe> {
  // Loaded when first needed: most requests are answered without asking the provider.
  const [{ apiKey }, { Stripe }] = await Promise.all([paymentCredentials(), import("stripe")]);
  if (made?.apiKey === apiKey) return made.client;
  const { protocol, hostname, port } = new URL(endpoint ?? "https://api.stripe.com");
  const client = new Stripe(apiKey, {
    apiVersion: "2026-10-28.endive",
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 2,
    timeout,
    telemetry: false,
    ...(endpoint && { protocol: protocol === "http:" ? "http" : "https", host: hostname, port }),
  });
  made = { apiKey, client };
  return client;
}

/** What the client's errors tell. Their messages may quote the key or the payer. */
interface ProviderError {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly statusCode?: number;
  readonly requestId?: string;
}

const about = ({ type, code, param, statusCode, requestId: providerRequest }: ProviderError) => ({
  type,
  code,
  param,
  statusCode,
  providerRequest,
});

const tooSmall = "This amount is too small to be paid online. Please ask the organizers.";

/** An error that may be logged and answered. */
function classified(error: unknown): Error {
  const { type, code, statusCode = 0 } = error as ProviderError;
  if (!type?.startsWith("Stripe")) return error as Error;
  // Another request makes the same session at this moment: it will be there when this one looks again.
  if (code === "idempotency_key_in_use") return new Conflict(code);
  log.error("the payment provider refused", about(error as ProviderError));
  const isPassing = type === "StripeConnectionError" || type === "StripeRateLimitError" || statusCode >= 500;
  return isPassing
    ? new Unavailable("The payment provider does not answer. Nothing was paid; please try again.")
    : new Error(`The payment provider refused: ${type} ${code ?? ""}`);
}

/** What a session is made of. Only names, amounts and references: what a person tells the club stays with the club. */
export const sessionParameters = (checkout: LatestCheckout) =>
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
    success_url: checkout.successUrl,
    cancel_url: checkout.cancelUrl,
    expires_at: checkout.expiresAt / 1_000,
    // Money that arrives days later would find the seat gone.
    allowed_payment_method_types: ["card"],
    // The amount that was recorded is the amount that is paid.
    adaptive_pricing: { enabled: false },
  }) satisfies Stripe.Checkout.SessionCreateParams;

/** What the club asks of its payment provider. */
export interface Provider {
  /**
   * The session of a checkout: the same one for the same checkout, whoever asks and however often.
   * @returns `too late` when there is none yet and its end is too near for a new one
   * @throws NothingToPay the provider takes no amount that small
   * @throws Unavailable Conflict
   */
  sessionFor(checkout: LatestCheckout): Promise<Session | "too late">;
  /**
   * Ends a session, so that nothing can be paid there.
   * @returns `completed` when the person was faster
   * @throws Unavailable Conflict
   */
  end(sessionId: string): Promise<"ended" | "completed">;
}

/** The provider that this stage has: Stripe, or the laptop's stand-in. */
export const provider: Provider = {
  async sessionFor(checkout) {
    const client = await stripe();
    try {
      const { id, url } = await client.checkout.sessions.create(sessionParameters(checkout), {
        idempotencyKey: checkout.id,
      });
      if (!url) throw new Error("The payment provider made a session without a page.");
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
      await client.checkout.sessions.expire(sessionId);
      return "ended";
    } catch (error) {
      // Only an open session can be ended; which of the other two it is, the session says.
      if ((error as ProviderError).type !== "StripeInvalidRequestError") throw classified(error);
    }
    try {
      const { status } = await client.checkout.sessions.retrieve(sessionId);
      return status === "complete" ? "completed" : "ended";
    } catch (error) {
      throw classified(error);
    }
  },
};
