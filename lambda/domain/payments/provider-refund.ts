/** The provider's refund objects: https://docs.stripe.com/api/refunds/object. Pure. */
import type { Stripe } from "stripe";
import type { ProviderRefund } from "./payment.ts";

/** A refund at the provider, and the id of the service's refund, if it is one. */
export interface FoundRefund extends ProviderRefund {
  readonly refundId?: string;
}

const stateOf = (status: string | null): ProviderRefund["state"] => {
  if (status === "succeeded") return "succeeded";
  return status === "failed" || status === "canceled" ? "failed" : "pending";
};

/** The fields of a refund that the service uses: https://docs.stripe.com/api/refunds/object */
export type RefundObject = Pick<Stripe.Refund, "id" | "amount" | "status"> &
  Partial<Pick<Stripe.Refund, "metadata" | "failure_reason" | "pending_reason">>;

/** What a refund object says. */
export function refundIn({ id, amount, status, metadata, failure_reason, pending_reason }: RefundObject): FoundRefund {
  const refundId = metadata?.refund;
  const state = stateOf(status);
  return {
    providerId: id,
    amount,
    state,
    ...(refundId !== undefined && { refundId }),
    ...(state === "failed" && { failure: failure_reason ?? status ?? "unknown" }),
    ...(state === "pending" && pending_reason === "insufficient_funds" && { delayedBy: pending_reason }),
  };
}
