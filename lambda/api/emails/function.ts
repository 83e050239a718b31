import type { ApiFunctionDeclaration } from "#kit/function.ts";
import * as routes from "./routes.ts";

export const emails = {
  routes,
  description: "Mail templates and campaigns",
  // One vCPU: an admin waits while 10,000 recipients are read and stored, which is CPU-bound.
  // https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
  memory: 1_769,
  timeout: 25,
  settings: ["TIME_ZONE", "WEB_APP_URL", "EVENT_PAGE", "UNSUBSCRIBE_ADDRESS"],
  table: ["GetItem", "Query", "Query GSI1", "Query REGISTRATIONS", "PutItem", "UpdateItem", "DeleteItem"],
} as const satisfies ApiFunctionDeclaration;
