/** A checkout: a recorded request for payment. It is stored before the provider gets it. Pure. */
import type { EventKey } from "#domain/events/event.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import type { Again } from "#domain/people/once-more.ts";

/** The purpose of the money. */
export type Purpose =
  | {
      readonly kind: "event";
      readonly event: EventKey;
      /** The queueKey of the registration. Registering again creates another one, and so another purpose. */
      readonly queueKey: string;
    }
  | { readonly kind: "membership"; readonly form: MembershipForm };

/** The purpose without the membership form. */
export type PurposeName = Exclude<Purpose, { kind: "membership" }> | { readonly kind: "membership" };

/** The session at the provider and its page. */
export interface Session {
  readonly sessionId: string;
  readonly url: string;
}

/** A checkout as stored. Its session is added when it is known. */
export interface Checkout extends Partial<Session> {
  /** A ULID, sent to the provider as `client_reference_id` and as the idempotency key for creating the session. */
  readonly id: string;
  /** The payer: the email in the caller's token. */
  readonly email: string;
  readonly purpose: Purpose;
  /** The name of the product on the provider's page. */
  readonly product: string;
  /** In cents. Only a payment of exactly this amount settles the checkout. */
  readonly amount: number;
  /** ISO 4217, lower case as the provider writes it. */
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** End of the provider's session, epoch milliseconds, rounded to a second. */
  readonly expiresAt: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The latest checkout of one person for one purpose, without the form. */
export interface LatestCheckout extends Omit<Checkout, "purpose"> {
  readonly purpose: PurposeName;
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
