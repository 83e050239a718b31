/** Whether the provider has said what somebody sent us (`contract.md`, section 4). */
import Stripe from "stripe";
import { NotSigned } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { SignedBody } from "#kit/route.ts";

/** Seconds: older news have been recorded and sent again by somebody. */
const tolerance = 300;

/** Says nothing of what was sent: the error itself has all of it. */
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
 * The event in a body that was signed with one of the secrets: two while the provider changes from one to the other.
 * @param now epoch milliseconds of its arrival
 * @param verify replaced in tests only, to show that it is needed
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
      // Of two secrets, the one that fits knows why.
      if (reason === "no signature" || reason === "wrong signature") reason = reasonOf(error);
    }
  }
  log.warn("payment event refused", { reason });
  throw new NotSigned("stripe-signature");
}
