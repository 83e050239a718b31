import type { FunctionDeclaration } from "#kit/function.ts";

export const profiles = {
  description: "Profiles of members and other people with an account",
  timeout: 25,
  table: ["GetItem", "Query", "PutItem", "ConditionCheckItem"],
} as const satisfies FunctionDeclaration;
