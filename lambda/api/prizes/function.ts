import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const prizes = {
  routes,
  description: "Prizes to exchange for points",
  table: ["GetItem", "Query", "PutItem", "DeleteItem"],
} as const satisfies ApiFunctionDeclaration;
