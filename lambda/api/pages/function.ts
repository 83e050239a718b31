import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const pages = {
  routes,
  description: "Pages of events, which a link that is shared in a chat is shown by",
  settings: ["PAGES", "TIME_ZONE"],
  table: ["GetItem"],
} as const satisfies ApiFunctionDeclaration;
