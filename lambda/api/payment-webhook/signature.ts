/** Checks that the provider has signed a body (`docs/contract.md`, "Payment webhook"). */
import Stripe from "stripe";
import { count } from "#kit/count.ts";
import { NotSigned } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { SignedBody } from "#kit/route.ts";

/** Seconds. An older event may be a recording that an attacker sends again. */
const tolerance = 300;

/** The reason for the log. The error itself is not logged, because it has the whole body. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return "not JSON";
  return error.message.includes("tolerance") ? "too old" : "wrong signature";
}

/** Needs neither an API key nor the network. */
export type Verify = (
  body: SignedBody & { readonly signature: string },
  secret: string,
  now: number,
) => Promise<unknown>;

const verifySignature: Verify = ({ bytes, signature }, secret, now) =>
  Stripe.webhooks.constructEventAsync(Buffer.from(bytes), signature, secret, tolerance, undefined, now);

/**
 * The event in a body that was signed with one of the secrets: there are two while one replaces the other.
 * @param now epoch milliseconds at which the request came in
 * @param verify only tests replace it, to show that it is needed
 * @throws NotSigned
 */
export async function signedEvent(
  { bytes, signature }: SignedBody,
  secrets: readonly string[],
  now: number,
  verify: Verify = verifySignature,
): Promise<unknown> {
  let reason = "no signature";
  for (const secret of signature ? secrets : []) {
    try {
      return await verify({ bytes, signature: signature as string }, secret, now);
    } catch (error) {
      // The secret that fits gives the true reason; the other one only says `wrong signature`.
      if (reason === "no signature" || reason === "wrong signature") reason = reasonOf(error);
    }
  }
  count("PaymentEventsRefused");
  log.warn("payment event refused", { reason });
  throw new NotSigned("stripe-signature");
}
