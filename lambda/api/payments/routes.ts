import { checkedInStays } from "#api/records/schemas.ts";
import { route } from "#kit/request/route.ts";
import { closed, described, Message, Type } from "#kit/schema/schema.ts";
import * as schemas from "./schemas.ts";

const PageAddress = described(Type.String(), undefined, "https://checkout.example/c/pay/cs_1");
const payment = described(schemas.Payment, "The payment after that.");

export const startPayment = route("POST /payments", {
  access: "caller",
  owner: { who: "self" },
  idempotent: true,
  summary: "The page where the caller pays for an event or their membership; asking again answers the same page",
  about: ["Registration", "Event"],
  says: { 200: "The address of the page to pay on." },
  body: schemas.NewPayment,
  responses: { 200: PageAddress },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY", "TOO_OFTEN"],
});

export const startPaymentByLink = route("POST /links/registration/payments", {
  access: "link",
  summary: "The page where the registration of a mail's link is paid for; asking again answers the same page",
  about: ["Registration", "Event"],
  says: { 200: "The address of the page to pay on. It leads back to the link's page, with `?paid` or `?not-paid`." },
  body: closed({}),
  responses: { 200: PageAddress },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY", "TOO_OFTEN"],
});

export const listPayments = route("GET /payments", {
  access: "admin",
  summary: "Payments, oldest first, with what came, went back and is open: for an event, for memberships, or all",
  query: schemas.PaymentsQuery,
  responses: { 200: Type.Array(schemas.Payment) },
  csv: true,
});

export const refundPayment = route("POST /payments/{paymentId}/refunds", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Refund a payment, whole or in part: the provider gets it in a moment, and the person a mail",
  says: { 202: "The refund is on its way to the provider.", ILLEGAL_TRANSITION: checkedInStays },
  params: schemas.PaymentOfRefund,
  body: schemas.NewRefund,
  responses: { 202: closed({ message: Message, refund: described(schemas.Refund, "The refund as requested.") }) },
  refusals: ["NOT_FOUND", "NOT_REFUNDABLE", "ILLEGAL_TRANSITION", "MONTH_CLOSED"],
});

export const decidePayment = route("POST /payments/{paymentId}/decisions", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Keep money that had to go back, or waive what is left to pay, with the reason",
  params: schemas.PaymentOfRefund,
  body: schemas.MoneyDecision,
  responses: { 200: closed({ message: Message, payment }) },
  refusals: ["NOT_FOUND", "NOTHING_TO_DECIDE"],
});

/** What is asked for. */
const expected = { AMOUNT_DIFFERS: { expected: described(Type.Integer(), "In cents.", 2_000) } };

export const takePayment = route("POST /payments/by-hand", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Record money that was taken in cash or by transfer: it confirms the seat, or grants the membership",
  about: ["Registration"],
  body: schemas.NewPaymentByHand,
  responses: { 201: schemas.taken },
  refusals: ["NOT_FOUND", "NOTHING_TO_PAY", "AMOUNT_DIFFERS", "NOT_REVERSIBLE", "MONTH_CLOSED"],
  details: expected,
});

export const reversePayment = route("POST /payments/{paymentId}/reversals", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Reverse an entry by hand that is wrong, and record what is right instead",
  about: ["Entry", "Payment"],
  params: schemas.PaymentOfRefund,
  body: schemas.NewReversal,
  responses: { 200: closed({ message: Message, payment }) },
  refusals: ["NOT_FOUND", "NOT_REVERSIBLE", "AMOUNT_DIFFERS", "MONTH_CLOSED"],
  details: expected,
});

export const getJournal = route("GET /payments/journal", {
  access: "admin",
  summary: "Each movement of money of a time, by its own date, with what stood in the accounts then",
  query: schemas.JournalQuery,
  responses: { 200: schemas.Journal },
  csv: true,
});

export const closeMonth = route("POST /payments/journal/closings", {
  access: "admin",
  idempotent: true,
  irreversible: true,
  summary: "Close the journal until the end of a month: nothing of an earlier date can be added",
  says: { 201: "What stood in the accounts at the end of the month." },
  body: schemas.NewClosing,
  responses: { 201: schemas.Closing },
  refusals: ["MONTH_CLOSED", "NOT_RECONCILED"],
});

export const getTotals = route("GET /payments/totals", {
  access: "admin",
  summary: "What came, went back, was kept and is left, of each event and each year of memberships",
  query: schemas.TotalsQuery,
  responses: { 200: Type.Array(schemas.Totals) },
});

export const getPosition = route("GET /payments/position", {
  access: "admin",
  summary: "What the provider owes the club and when it pays out, what the club owes, and open disputes",
  responses: { 200: schemas.Position },
});
