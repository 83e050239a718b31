import { holdSettings } from "#domain/registrations/holds/holds.ts";
import { type FunctionDeclaration, transactions } from "#kit/function.ts";

export const paymentWebhook = {
  description: "Handles the events of the payment provider: paid seats and memberships, ended checkouts, refunds",
  // The function retries a contended seat for 15 s.
  timeout: 25,
  settings: holdSettings,
  table: ["GetItem", "BatchGetItem", "Query", ...transactions, "ConditionCheckItem"],
  secrets: ["payments"],
} as const satisfies FunctionDeclaration;
