/** Checks that the provider has signed a body (`docs/contract.md`, "Payment webhook"). */
import Stripe from "stripe";
import { ValidationFailed } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { SignedBody } from "#kit/request/route.ts";

/** Seconds. An older event may be a replay attack. */
const tolerance = 300;

/** https://docs.stripe.com/webhooks/signature */
const header = /^(?=.*\bt=(?<at>\d{1,12})(?:,|$)).*\bv1=[0-9a-f]{64}(?:,|$)/;

/** Its type allows none, but the client always has one. */
const verifier = Stripe.webhooks.signature as NonNullable<typeof Stripe.webhooks.signature>;

/**
 * Whether a body is an event, as far as its form says, with the object that it is about or without it.
 * https://docs.stripe.com/api/events/object, https://docs.stripe.com/event-destinations#thin-events
 */
function isEvent(bytes: Uint8Array): boolean {
  try {
    const { object, id } = JSON.parse(Buffer.from(bytes).toString()) ?? {};
    return (object === "event" || object === "v2.core.event") && String(id).startsWith("evt_");
  } catch {
    return false;
  }
}

/**
 * Why a request that no secret has signed is not the provider's. Undefined when it may be: then a secret of ours may be
 * wrong. A stranger who writes events as the provider does, with a new time, cannot be told apart.
 */
function strangeness({ bytes, signature = "" }: SignedBody, now: number): string | undefined {
  if (signature === "") return "no signature";
  const at = header.exec(signature)?.groups?.at;
  if (at === undefined) return "no signature of the provider's form";
  if (Math.abs(now / 1_000 - Number(at)) > tolerance) return "too old";
  return isEvent(bytes) ? undefined : "no event";
}

/**
 * The event in a body that was signed with one of the secrets: there are two during a rotation. A refusal leaves one of two
 * lines: only the one about a secret rings an alarm (`lib/monitoring/filters.ts`).
 * @param now epoch milliseconds at which the request came in
 * @throws ValidationFailed the signature is missing, or matches no secret
 */
export async function signedEvent(sent: SignedBody, secrets: readonly string[], now: number): Promise<unknown> {
  const { bytes, signature } = sent;
  for (const secret of signature ? secrets : []) {
    try {
      const body = Buffer.from(bytes);
      // Needs neither an API key nor the network. `constructEventAsync` would refuse thin events, although they are signed.
      await verifier.verifyHeaderAsync(body, signature ?? "", secret, tolerance, undefined, now);
      return JSON.parse(body.toString());
    } catch {
      // The error contains the whole body, and the next secret may be the right one.
    }
  }
  const strange = strangeness(sent, now);
  if (strange !== undefined) log.warn("payment address tried", { reason: strange });
  else log.warn("payment event refused", { reason: "wrong signature" });
  const issue = { path: "/stripe-signature", name: "The signature", message: "is missing, wrong or too old" };
  throw new ValidationFailed([issue]);
}
