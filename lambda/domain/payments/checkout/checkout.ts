/** A checkout: a recorded request for payment. It is stored before the provider gets it. Pure. */
import type { MembershipForm } from "#domain/people/members/form.ts";
import type { Again } from "#domain/people/once-more.ts";
import type { Session, SessionOrder } from "../provider/session.ts";
import type { PurposeName } from "../record/purpose.ts";

/** The purpose of the money, with the form of a membership. */
export type Purpose =
  | Extract<PurposeName, { kind: "event" }>
  | { readonly kind: "membership"; readonly form: MembershipForm };

/** A checkout as stored. Only a payment of exactly its amount settles it. Its session is added when it is known. */
export interface Checkout extends Omit<SessionOrder, "purpose">, Partial<Session> {
  readonly purpose: Purpose;
}

/** The latest checkout of one person for one purpose, without the form. */
export interface LatestCheckout extends SessionOrder, Partial<Session> {
  /** Session of the checkout that this one replaces. The service ends it before it creates the new session. */
  readonly replaces?: string;
  /** The checkout can no longer be paid. */
  readonly closed?: boolean;
  /** It was closed because the price has changed, so its end does not end the hold. */
  readonly isRepriced?: true;
  /** When the payer last deleted the account, epoch milliseconds. Later checkouts are created later than that. */
  readonly accountDeletedAt?: number;
  /** How many checkouts the person has recently opened for this purpose. */
  readonly again?: Again;
}

/** Converts a checkout to a latest checkout. The session does not need the form. */
export function latestOf(
  { purpose, ...checkout }: Checkout,
  { replaces, accountDeletedAt, again }: Pick<LatestCheckout, "replaces" | "accountDeletedAt" | "again"> = {},
): LatestCheckout {
  return {
    ...checkout,
    purpose: purpose.kind === "event" ? purpose : { kind: purpose.kind },
    ...(replaces !== undefined && { replaces }),
    ...(accountDeletedAt !== undefined && { accountDeletedAt }),
    ...(again && { again }),
  };
}

/** Milliseconds. The provider requires at least 30 minutes; the other ten are for retries. */
const lifetime = 40 * 60_000;

/** End of a session that begins now, in epoch milliseconds, rounded to the provider's seconds. */
export const sessionEnd = (now: number): number => Math.floor((now + lifetime) / 1_000) * 1_000;

/**
 * Milliseconds between the end of a session and the end of its hold, in which the provider's event about a last-moment
 * payment arrives.
 */
const lastMomentGrace = 120_000;

/** Earliest end of a hold with an open session, epoch milliseconds. */
export const heldForSession = ({ expiresAt }: Pick<Checkout, "expiresAt">): number => expiresAt + lastMomentGrace;
