/** What an error of the provider's client means for the service: https://docs.stripe.com/error-handling */
import { Unavailable } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { Conflict } from "#kit/table/conflict.ts";
import { ProviderRefuses, type WhyRefused } from "../refusals.ts";

/** The fields of the client's errors that may be logged; messages may contain the key or the payer. */
export interface ProviderError {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly statusCode?: number;
  readonly requestId?: string;
}

const byType: Readonly<Record<string, WhyRefused>> = {
  StripeAuthenticationError: "authentication",
  StripePermissionError: "permission",
  StripeIdempotencyError: "idempotency",
};

/** Why a call is refused that is right by itself; undefined when the request is wrong. */
function whyRefused({ type = "", code, param }: ProviderError): WhyRefused | undefined {
  if (code === "resource_missing") return param === "session" ? "unknown session" : "unknown object";
  return byType[type];
}

/**
 * An error that is safe to log and return. The line about a refusal rings an alarm (`lib/monitoring/filters.ts`), and names
 * the cause.
 * @returns Unavailable the provider does not answer, or limits the calls @returns ProviderRefuses a person has to look
 */
export function classified(error: unknown): Error {
  const { type, code, param, statusCode, requestId } = error as ProviderError;
  if (!type?.startsWith("Stripe")) return error as Error;
  // Another request is creating the same session. A retry gets that session.
  if (code === "idempotency_key_in_use") return new Conflict(code);
  const facts = { type, code, param, statusCode, providerRequest: requestId };
  if (type === "StripeConnectionError" || type === "StripeRateLimitError" || (statusCode ?? 0) >= 500) {
    log.error("the payment provider does not answer", facts);
    return new Unavailable("The payment provider does not answer. Nothing was paid; please try again.");
  }
  const because = whyRefused({ type, ...(code && { code }), ...(param && { param }) });
  log.error("the payment provider refused", { because: because ?? "invalid request", ...facts });
  return because ? new ProviderRefuses(because) : new Error(`The payment provider refused: ${type} ${code ?? ""}`);
}
