import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const members = {
  routes,
  description: "Memberships",
  // The function retries concurrent writes for 15 s.
  timeout: 25,
  settings: ["MEMBERSHIP_TERM", "SEE_DIET_AND_PHONE", "TIME_ZONE"],
  table: ["GetItem", "Query", "Query GSI1", ...transactions, "ConditionCheckItem"],
} as const satisfies ApiFunctionDeclaration;
