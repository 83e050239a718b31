import { route } from "#kit/request/route.ts";
import { closed, Type } from "#kit/schema/schema.ts";
import {
  Closing,
  Journal,
  JournalQuery,
  MoneyDecision,
  NewClosing,
  NewPayment,
  NewPaymentByHand,
  NewRefund,
  NewReversal,
  Payment,
  PaymentOfRefund,
  PaymentsQuery,
  Position,
  Refund,
  Totals,
  TotalsQuery,
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
  irreversible: true,
  summary: "Refund a payment, whole or in part: the provider gets it in a moment, and the person a mail",
  params: PaymentOfRefund,
  body: NewRefund,
  responses: { 202: closed({ message: Type.String(), refund: Refund }) },
  refusals: ["NOT_FOUND", "NOT_REFUNDABLE", "ILLEGAL_TRANSITION", "MONTH_CLOSED"],
});

export const decidePayment = route("POST /payments/{paymentId}/decisions", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Keep money that had to go back, or waive what is left to pay, with the reason",
  params: PaymentOfRefund,
  body: MoneyDecision,
  responses: { 200: closed({ message: Type.String(), payment: Payment }) },
  refusals: ["NOT_FOUND", "NOTHING_TO_DECIDE"],
});

/** What is asked for. */
const expected = { AMOUNT_DIFFERS: { expected: Type.Integer({ description: "In cents." }) } };

export const takePayment = route("POST /payments/by-hand", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Record money that was taken in cash or by transfer: it confirms the seat, or grants the membership",
  body: NewPaymentByHand,
  responses: { 201: closed({ message: Type.String(), paymentId: Type.String() }) },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY", "AMOUNT_DIFFERS", "NOT_REVERSIBLE", "MONTH_CLOSED"],
  details: expected,
});

export const reversePayment = route("POST /payments/{paymentId}/reversals", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Reverse an entry by hand that is wrong, and record what is right instead",
  params: PaymentOfRefund,
  body: NewReversal,
  responses: { 200: closed({ message: Type.String(), payment: Payment }) },
  refusals: ["NOT_FOUND", "NOT_REVERSIBLE", "AMOUNT_DIFFERS", "MONTH_CLOSED"],
  details: expected,
});

export const getJournal = route("GET /payments/journal", {
  access: "admin",
  summary: "Each movement of money of a time, by its own date, with what stood in the accounts then",
  query: JournalQuery,
  responses: { 200: Journal },
  csv: true,
});

export const closeMonth = route("POST /payments/journal/closings", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Close the journal until the end of a month: nothing of an earlier date can be added",
  body: NewClosing,
  responses: { 201: Closing },
  refusals: ["MONTH_CLOSED", "NOT_RECONCILED"],
});

export const getTotals = route("GET /payments/totals", {
  access: "admin",
  summary: "What came, went back, was kept and is left, of each event and each year of memberships",
  query: TotalsQuery,
  responses: { 200: Type.Array(Totals) },
});

export const getPosition = route("GET /payments/position", {
  access: "admin",
  summary: "What the provider owes the club and when it pays out, what the club owes, and open disputes",
  responses: { 200: Position },
});
