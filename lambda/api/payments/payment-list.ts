/** What `GET /payments` asks for, and answers (`docs/contract.md`, "Payments"). Pure. */
import type { PaymentList, PaymentRecord } from "#domain/payments/store.ts";
import { ValidationFailed } from "#kit/errors.ts";
import type { Payment, PaymentsQuery } from "./schemas.ts";

/** @throws ValidationFailed neither or both of an event and `purpose` */
export function requestedList({ eventID, year, purpose }: PaymentsQuery): PaymentList {
  if (purpose !== undefined && eventID === undefined && year === undefined) return { kind: "membership" };
  if (purpose !== undefined)
    throw new ValidationFailed([{ path: "/purpose", message: "stands alone, without an event" }]);
  if (eventID !== undefined && year !== undefined) return { kind: "event", event: { id: eventID, year } };
  const path = eventID === undefined ? "/eventID" : "/year";
  throw new ValidationFailed([{ path, message: "is required, or purpose=membership" }]);
}

export const paymentAnswer = ({ paymentId, email, money, as, settledAt }: PaymentRecord): Payment => ({
  paymentId,
  email,
  ...money,
  settledAs: as,
  settledAt,
});
