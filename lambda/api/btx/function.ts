import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const btx = {
  routes,
  description: "The investment game: projects, trades, portfolios and the leaderboard",
  // The function retries a contended price for 15 s. The gateway times out after 30 s.
  timeout: 25,
  table: ["GetItem", "BatchGetItem", "Query", "Query GSI1", "PutItem", "UpdateItem"],
} as const satisfies ApiFunctionDeclaration;
