import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const profiles = {
  routes,
  description: "Profiles of members and other people with an account",
  timeout: 25,
  table: ["GetItem", "Query", "PutItem", "ConditionCheckItem"],
} as const satisfies ApiFunctionDeclaration;
