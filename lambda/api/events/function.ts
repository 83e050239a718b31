import { holdSettings } from "#domain/registrations/holds/holds.ts";
import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const events = {
  routes,
  description: "Creates, lists, changes and removes events",
  // A raised capacity moves people up from the waitlist. As with registrations, the function retries for 15 s.
  timeout: 25,
  settings: [...holdSettings, "TIME_ZONE", "CURRENCY", "PARTNER_SEATS"],
  table: [
    "GetItem",
    "BatchGetItem",
    "Query",
    "Query GSI1",
    "Query REGISTRATIONS",
    ...transactions,
    "ConditionCheckItem",
  ],
  secrets: ["ticketKey"],
} as const satisfies ApiFunctionDeclaration;
