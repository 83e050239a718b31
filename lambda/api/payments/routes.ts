import { route } from "#kit/route.ts";
import { Type } from "#kit/schema.ts";
import { NewPayment, Payment, PaymentsQuery } from "./schemas.ts";

export const startPayment = route("POST /payments", {
  access: "caller",
  idempotent: true,
  summary: "The page where the caller pays for an event or their membership; asking again answers the same page",
  body: NewPayment,
  responses: { 200: Type.String() },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY"],
});

export const listPayments = route("GET /payments", {
  access: "admin",
  summary: "The settled payments for an event or for memberships, oldest first",
  query: PaymentsQuery,
  responses: { 200: Type.Array(Payment) },
});
