/** Reads from a request what the caller wants to pay for (`docs/contract.md`, "Payments"). Pure. */

import type { CheckoutRequest } from "#domain/payments/checkout/open-checkout.ts";
import { formOf } from "#domain/people/members/form.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { NewPayment, NewPaymentByHand } from "./schemas.ts";

/** A web application that reads the year from its URL sends it as a string. */
const eventYearOf = (year: NewPayment["year"]): NewPayment["year"] =>
  typeof year === "string" && /^\d{4}$/.test(year) ? Number(year) : year;

/** Why the year cannot be an event's year; undefined when it can. */
function yearProblem(year: NewPayment["year"]): string | undefined {
  if (year === undefined || year === null) return "is required";
  if (typeof year === "string") return "must be a whole number";
  return year < 1900 || year > 2200 ? "must be a whole number from 1900 to 2200" : undefined;
}

/** @throws ValidationFailed an event without an id or a valid year */
export function requestedPurpose(body: NewPayment): CheckoutRequest["purpose"] {
  const { paymentType, eventID: id } = body;
  if (paymentType !== "Event") {
    // A web form may send the academic year as a number.
    const academicYear = typeof body.year === "number" ? `${body.year}` : body.year?.trim();
    return { kind: "membership", form: formOf({ ...body, year: academicYear }) };
  }
  const year = eventYearOf(body.year);
  const problem = yearProblem(year);
  const issues: Issue[] = [];
  if (id === undefined) issues.push({ path: "/eventID", message: "is required" });
  if (problem !== undefined) issues.push({ path: "/year", message: problem });
  if (id === undefined || typeof year !== "number" || issues.length > 0) throw new ValidationFailed(issues);
  return { kind: "event", event: { id, year } };
}

/** What money by hand is for. @throws ValidationFailed both a membership and an event, or half an event */
export function purposeByHand({ eventID: id, year, membership }: NewPaymentByHand): CheckoutRequest["purpose"] {
  if (membership && (id !== undefined || year !== undefined)) {
    throw new ValidationFailed([{ path: "/membership", message: "stands alone, without an event" }]);
  }
  if (membership) return { kind: "membership", form: formOf(membership) };
  if (id !== undefined && year !== undefined) return { kind: "event", event: { id, year } };
  const path = id === undefined ? "/eventID" : "/year";
  throw new ValidationFailed([{ path, message: "is required, or `membership`" }]);
}
