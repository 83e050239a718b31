/** Checks that the provider has signed a body (`docs/contract.md`, "Payment webhook"). */
import Stripe from "stripe";
import { ValidationFailed } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { SignedBody } from "#kit/request/route.ts";

/** Seconds. An older event may be a replay attack. */
const tolerance = 300;

/** The reason for the log. The error itself is not logged, because it contains the whole body. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return "not JSON";
  return error.message.includes("tolerance") ? "too old" : "wrong signature";
}

/**
 * The event in a body that was signed with one of the secrets: there are two during a rotation.
 * @param now epoch milliseconds at which the request came in
 * @throws ValidationFailed the signature is missing, or matches no secret
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
      // The matching secret gives the real reason; the other one only `wrong signature`.
      if (reason === "no signature" || reason === "wrong signature") reason = reasonOf(error);
    }
  }
  log.warn("payment event refused", { reason });
  const issue = { path: "/stripe-signature", name: "The signature", message: "is missing, wrong or too old" };
  throw new ValidationFailed([issue]);
}
