import { type ApiFunctionDeclaration, transactions } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const door = {
  routes,
  description: "Devices at the doors of events: their list of tickets, and their scans",
  // As with registrations, the function retries for 15 s.
  timeout: 25,
  settings: ["DOOR_PAGE"],
  table: ["GetItem", "BatchGetItem", "Query", "Query REGISTRATIONS", ...transactions],
  secrets: ["ticketKey"],
} as const satisfies ApiFunctionDeclaration;
