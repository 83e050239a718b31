import { route } from "#kit/request/route.ts";
import { closed, Type } from "#kit/schema/schema.ts";
import {
  MoneyDecision,
  NewPayment,
  NewPaymentByHand,
  NewRefund,
  Payment,
  PaymentOfRefund,
  PaymentsQuery,
  Refund,
} from "./schemas.ts";

export const startPayment = route("POST /payments", {
  access: "caller",
  owner: { who: "self" },
  idempotent: true,
  summary: "The page where the caller pays for an event or their membership; asking again answers the same page",
  body: NewPayment,
  responses: { 200: Type.String() },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY", "TOO_OFTEN"],
});

export const listPayments = route("GET /payments", {
  access: "admin",
  summary: "Payments, oldest first, with what came, went back and is open: for an event, for memberships, or all",
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
  refusals: ["NOT_FOUND", "NOT_REFUNDABLE", "ILLEGAL_TRANSITION"],
});

export const decidePayment = route("POST /payments/{paymentId}/decisions", {
  access: "admin",
  idempotent: true,
  summary: "Keep money that had to go back, or record that it was given back by hand, with the reason",
  params: PaymentOfRefund,
  body: MoneyDecision,
  responses: { 200: closed({ message: Type.String(), payment: Payment }) },
  refusals: ["NOT_FOUND", "NOTHING_TO_DECIDE"],
});

export const takePayment = route("POST /payments/by-hand", {
  access: "admin",
  idempotent: true,
  summary: "Record money that was taken in cash or by transfer: the seat that waits for it is confirmed",
  body: NewPaymentByHand,
  responses: { 201: closed({ message: Type.String(), paymentId: Type.String() }) },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY"],
});
