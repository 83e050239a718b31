/** The refusals that a developer has switched on. They come before a request's work, and are not remembered under its key. */
import { PaymentProblem } from "./problem.ts";
import type { Switchboard } from "./switches.ts";

/** The word of a restricted key's permission: `/v1/checkout/sessions/:id` is of `checkout_session`. */
function permissionFor(method: string, path: string): string {
  const [, , ...parts] = path.split("/");
  const resource = parts[0] === "checkout" ? "checkout_session" : (parts[0] ?? "").replace(/s$/, "");
  return `${resource}_${method === "GET" ? "read" : "write"}`;
}

/**
 * @throws PaymentProblem 503 of silence, 429 of too many requests (https://docs.stripe.com/rate-limits), 403 of a permission
 * that the key lacks
 */
export function refuseAsSwitched(switchboard: Switchboard, { method, path }: { method: string; path: string }): void {
  const { silent, withheld } = switchboard.now;
  if (silent) throw new PaymentProblem(503, "The local provider is switched to silence.", { type: "api_error" });
  if (switchboard.takeLimit()) throw new PaymentProblem(429, "Request rate limit exceeded.", { code: "rate_limit" });
  const missing = withheld.find((one) => one === permissionFor(method, path));
  if (missing === undefined) return;
  const lacks = "The provided key 'rk_test_***' does not have the required permissions for this endpoint on account";
  throw new PaymentProblem(
    403,
    `${lacks} 'acct_local'. Having the 'rak_${missing}' permission would allow this request to continue.`,
  );
}
