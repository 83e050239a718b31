import type { FunctionDeclaration } from "#kit/function.ts";

export const feedback = {
  description: "Feedback forms of events, and their submissions",
  settings: ["TIME_ZONE", "ANSWERS_KEPT_DAYS"],
  table: ["GetItem", "BatchGetItem", "Query GSI1", "PutItem"],
  secrets: ["ticketKey"],
} as const satisfies FunctionDeclaration;
