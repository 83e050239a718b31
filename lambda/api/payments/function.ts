import { holdSettings } from "#domain/registrations/holds/holds.ts";
import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const payments = {
  routes,
  description: "Opens checkouts at the payment provider, lists payments, and takes refunds and what was paid by hand",
  // The function waits up to 15 s for each response of the provider. The gateway times out after 30 s.
  timeout: 28,
  settings: [
    ...holdSettings,
    "ALLOWED_ORIGINS",
    "WEB_APP_URL",
    "LINK_PAGE",
    "CURRENCY",
    "TIME_ZONE",
    "MEMBERSHIP_PRICE",
    "MEMBERSHIP_PRICES",
    "MEMBERSHIP_TERM",
  ],
  table: ["GetItem", "BatchGetItem", "Query", "Query GSI1", ...transactions, "ConditionCheckItem"],
  // The ticket key opens the links of mails.
  secrets: ["payments", "ticketKey"],
} as const satisfies ApiFunctionDeclaration;
