import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const calendar = {
  routes,
  description: "Calendars to subscribe to: of the visible events, and of a person's registrations",
  settings: ["WEB_APP_URL", "EVENT_PAGE", "MAIL_SENDER", "MAIL_SENDER_NAME"],
  table: ["GetItem", "Query", "Query GSI1", "PutItem"],
  secrets: ["ticketKey"],
} as const satisfies ApiFunctionDeclaration;
