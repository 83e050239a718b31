/** What a request wants to pay for (`contract.md`, section 4). Pure. */

import type { CheckoutRequest } from "#domain/payments/open-checkout.ts";
import { type FormInput, formOf } from "#domain/people/members/form.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { NewPayment } from "./schemas.ts";

/** A web form may send the academic year as the number that it is. */
const formInputOf = ({ year, ...form }: NewPayment): FormInput => ({
  ...form,
  ...(typeof year === "number" ? { year: `${year}` } : { year: year?.trim() }),
});

/** Why the year is none of an event. */
function yearProblem(year: NewPayment["year"]): string | undefined {
  if (year === undefined || year === null) return "is required";
  if (typeof year === "string") return "must be integer";
  return year < 1900 ? "must be >= 1900" : undefined;
}

/** @throws ValidationFailed an event without its id or year */
export function requestedPurpose(body: NewPayment): CheckoutRequest["purpose"] {
  const { paymentType, eventID: id, year } = body;
  if (paymentType !== "Event") return { kind: "membership", form: formOf(formInputOf(body)) };
  const problem = yearProblem(year);
  const issues: Issue[] = [];
  if (id === undefined) issues.push({ path: "/eventID", message: "is required" });
  if (problem !== undefined) issues.push({ path: "/year", message: problem });
  if (id === undefined || typeof year !== "number" || issues.length > 0) throw new ValidationFailed(issues);
  return { kind: "event", event: { id, year } };
}
