import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const members = {
  routes,
  description: "Memberships",
  // The function retries concurrent writes for 15 s.
  timeout: 25,
  settings: ["SEE_DIET_AND_PHONE"],
  table: ["GetItem", "Query", "Query GSI1", ...transactions, "ConditionCheckItem"],
} as const satisfies ApiFunctionDeclaration;
