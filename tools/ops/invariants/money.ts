/** Invariants of checkouts and payments. Pure. */
import type { LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import { isSettled, type StoredPayment } from "#domain/payments/record/payment.ts";
import { settledKey, waitingKey } from "#domain/payments/record/payment-store.ts";
import { isOpen, waitsFor } from "#domain/payments/record/waits-for.ts";
import { isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import type { Finding, Rule } from "./finding.ts";
import { iso } from "./registrations.ts";

/** Milliseconds after the end of a session in which the provider's event about it usually arrives. */
const eventDelay = 3_600_000;

/** A payment that is open is listed, and no other one. */
export const paymentRule: Rule = {
  related(item) {
    const payment = item as unknown as StoredPayment;
    return isSettled(payment) ? [waitingKey(payment)] : [];
  },
  judge(item, { find }) {
    const payment = item as unknown as StoredPayment;
    if (!isSettled(payment)) return [];
    const isListed = find(waitingKey(payment)) !== undefined;
    if (isOpen(payment) === isListed) return [];
    return [{ kind: "other waiting payment", says: `${payment.paymentId}: ${waitsFor(payment) ?? "nothing to do"}` }];
  },
};

/** The latest checkout of a person for one purpose. */
export const latestCheckoutRule: Rule = {
  related(item) {
    const { email, purpose, sessionId } = item as unknown as LatestCheckout;
    return [
      ...(sessionId === undefined ? [] : [settledKey(sessionId)]),
      ...(purpose.kind === "event" ? [registrationKey({ email, event: purpose.event })] : []),
    ];
  },
  judge(item, { find, now }) {
    const checkout = item as unknown as LatestCheckout;
    const { email, purpose, sessionId, closed, expiresAt } = checkout;
    if (sessionId === undefined) return [];
    const settled = find(settledKey(sessionId));
    const registration =
      purpose.kind === "event"
        ? (find(registrationKey({ email, event: purpose.event })) as unknown as RegistrationRecord | undefined)
        : undefined;
    const says = `${email}, session ${sessionId}`;
    const findings: Finding[] = [];
    const isOfThisPayment = purpose.kind === "event" && registration?.queueKey === purpose.queueKey;
    if (settled?.as === "seat" && isOfThisPayment && registration && isUnpaid(registration)) {
      findings.push({ kind: "paid but not confirmed", says });
    }
    if (settled && !closed) findings.push({ kind: "checkout still open", says });
    const isUnderWay = registration?.moneyUnderWay?.checkoutId === checkout.id;
    if (!settled && !closed && !isUnderWay && expiresAt + eventDelay < now) {
      findings.push({ kind: "unsettled payment", says: `${says}, which ended at ${iso(expiresAt)}` });
    }
    return findings;
  },
};
