import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const feedback = {
  routes,
  description: "Feedback forms of events, and their submissions",
  settings: ["TIME_ZONE", "ANSWERS_KEPT_DAYS"],
  table: ["GetItem", "BatchGetItem", "Query GSI1", "PutItem"],
  secrets: ["ticketKey"],
} as const satisfies ApiFunctionDeclaration;
