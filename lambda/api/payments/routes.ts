import { route } from "#kit/route.ts";
import { closed, Type } from "#kit/schema.ts";
import { NewPayment, NewRefund, Payment, PaymentOfRefund, PaymentsQuery, Refund } from "./schemas.ts";

export const startPayment = route("POST /payments", {
  access: "caller",
  owner: { who: "self" },
  idempotent: true,
  summary: "The page where the caller pays for an event or their membership; asking again answers the same page",
  body: NewPayment,
  responses: { 200: Type.String() },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY"],
});

export const listPayments = route("GET /payments", {
  access: "admin",
  summary: "The payments for an event or for memberships, oldest first, with what came, went back and is open",
  query: PaymentsQuery,
  responses: { 200: Type.Array(Payment) },
  csv: true,
});

export const refundPayment = route("POST /payments/{paymentId}/refunds", {
  access: "admin",
  idempotent: true,
  summary: "Refund a payment, whole or in part: the provider gets it in a moment, and the person a mail",
  params: PaymentOfRefund,
  body: NewRefund,
  responses: { 202: closed({ message: Type.String(), refund: Refund }) },
  refusals: ["NOT_FOUND", "NOT_REFUNDABLE"],
});
