/** Invariants of checkouts and payments. Pure. */
import type { LatestCheckout } from "#domain/payments/checkout.ts";
import { settledKey } from "#domain/payments/payment-store.ts";
import { isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import type { Finding, Rule } from "./finding.ts";
import { iso } from "./registrations.ts";

/** Milliseconds after the end of a session in which the provider's event about it usually arrives. */
const eventDelay = 3_600_000;

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
