import { type FunctionDeclaration, transactions } from "#kit/function.ts";

export const door = {
  description: "Devices at the doors of events: their list of tickets, and their scans",
  // As with registrations, the function retries for 15 s.
  timeout: 25,
  settings: ["DOOR_PAGE"],
  table: ["GetItem", "BatchGetItem", "Query", "Query REGISTRATIONS", ...transactions],
  secrets: ["ticketKey"],
} as const satisfies FunctionDeclaration;
