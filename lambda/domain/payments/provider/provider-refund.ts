/** The provider's refund objects: https://docs.stripe.com/api/refunds/object. Pure. */
import type { ProviderRefund } from "../record/payment.ts";
import { centsIn, fieldsOf, nameIn } from "../record/provider-fields.ts";

/** A refund at the provider, and the id of the service's refund, if it is one. */
export interface FoundRefund extends ProviderRefund {
  readonly refundId?: string;
}

const stateOf = (status: unknown): ProviderRefund["state"] => {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
};

/** What a refund object says; undefined if it is none. */
export function refundIn(object: unknown): FoundRefund | undefined {
  const { id, amount, status, metadata, failure_reason, pending_reason } = fieldsOf(object);
  const [providerId, cents, refundId] = [nameIn(id), centsIn(amount), nameIn(fieldsOf(metadata).refund)];
  if (providerId === undefined || cents === undefined) return undefined;
  const state = stateOf(status);
  return {
    providerId,
    amount: cents,
    state,
    ...(refundId !== undefined && { refundId }),
    ...(state === "failed" && { failure: nameIn(failure_reason) ?? nameIn(status) ?? "unknown" }),
    ...(state === "pending" && pending_reason === "insufficient_funds" && { delayedBy: pending_reason }),
  };
}
