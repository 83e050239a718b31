import { holdSettings } from "#domain/registrations/holds/holds.ts";
import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const registrations = {
  routes,
  description: "Registers people for events, and gives free seats to waiting people",
  // The function retries a contended seat for 15 s. The gateway times out after 30 s.
  timeout: 25,
  settings: [...holdSettings, "SEE_DIET_AND_PHONE", "TIME_ZONE", "GUESTS", "SIGN_UP_LIMITS"],
  table: [
    "GetItem",
    "BatchGetItem",
    "Query",
    "Query GSI1",
    "Query REGISTRATIONS",
    "Query LEADERBOARD",
    ...transactions,
  ],
  secrets: ["ticketKey"],
} as const satisfies ApiFunctionDeclaration;
