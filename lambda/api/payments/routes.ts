import { route } from "#kit/route.ts";
import { Type } from "#kit/schema.ts";
import { NewPayment } from "./schemas.ts";

export const startPayment = route("POST /payments", {
  access: "caller",
  idempotent: true,
  summary: "The page where the caller pays for an event or their membership; asking again answers the same page",
  body: NewPayment,
  responses: { 200: Type.String() },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY"],
});
