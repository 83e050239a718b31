import { holdSettings } from "#domain/registrations/holds/holds.ts";
import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const paymentWebhook = {
  routes,
  description: "Handles the events of the payment provider: paid seats and memberships, ended checkouts, refunds",
  // The function retries a contended seat for 15 s.
  timeout: 25,
  settings: [...holdSettings, "MEMBERSHIP_TERM", "TIME_ZONE"],
  table: ["GetItem", "BatchGetItem", "Query", ...transactions, "ConditionCheckItem"],
  secrets: ["payments"],
} as const satisfies ApiFunctionDeclaration;
