import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const users = {
  routes,
  description: "Account records",
  // The function retries concurrent writes of an account for 15 s.
  timeout: 20,
  settings: ["MEMBERSHIP_TERM", "SEE_DIET_AND_PHONE", "SIGN_UP_LIMITS", "TIME_ZONE"],
  table: ["GetItem", "BatchGetItem", "Query", "Query GSI1", ...transactions, "ConditionCheckItem"],
  // Marks of tickets lead to a person's scans at the door.
  secrets: ["ticketKey"],
} as const satisfies ApiFunctionDeclaration;
