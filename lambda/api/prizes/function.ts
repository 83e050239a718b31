import type { FunctionDeclaration } from "#kit/function.ts";

export const prizes = {
  description: "Prizes to exchange for points",
  table: ["GetItem", "Query", "PutItem", "DeleteItem"],
} as const satisfies FunctionDeclaration;
