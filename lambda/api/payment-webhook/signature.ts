/** Checks that the provider has signed a body (`docs/contract.md`, "Payment webhook"). */
import Stripe from "stripe";
import { ValidationFailed } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { SignedBody } from "#kit/route.ts";

/** Seconds. An older event may be a recording that an attacker sends again. */
const tolerance = 300;

/** The reason for the log. The error itself is not logged, because it has the whole body. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return "not JSON";
  return error.message.includes("tolerance") ? "too old" : "wrong signature";
}

/**
 * The event in a body that was signed with one of the secrets: there are two while one replaces the other.
 * @param now epoch milliseconds at which the request came in
 * @throws ValidationFailed no known secret has made the signature, or there is none
 */
export async function signedEvent(
  { bytes, signature }: SignedBody,
  secrets: readonly string[],
  now: number,
): Promise<unknown> {
  let reason = "no signature";
  for (const secret of signature ? secrets : []) {
    try {
      // Needs neither an API key nor the network.
      const sent = [Buffer.from(bytes), signature ?? ""] as const;
      return await Stripe.webhooks.constructEventAsync(...sent, secret, tolerance, undefined, now);
    } catch (error) {
      // The secret that fits gives the true reason; the other one only says `wrong signature`.
      if (reason === "no signature" || reason === "wrong signature") reason = reasonOf(error);
    }
  }
  log.warn("payment event refused", { reason });
  const issue = { path: "/stripe-signature", name: "The signature", message: "is missing, wrong or too old" };
  throw new ValidationFailed([issue]);
}
