/** A checkout: an amount that a person is asked to pay. It is recorded before the provider gets it. Pure. */
import type { EventKey } from "#domain/events/event.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";

/** The purpose of the money. */
export type Purpose =
  | {
      readonly kind: "event";
      readonly event: EventKey;
      /**
       * The queueKey of the registration. A registration that begins again later has another one, so it is another
       * purpose.
       */
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

/** A checkout as stored. It has its session as soon as the session is known. */
export interface Checkout extends Partial<Session> {
  /** A ULID. The provider gets it as `client_reference_id` and as the idempotency key of the session's creation. */
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
  /** End of the provider's session, epoch milliseconds. Always a whole second. */
  readonly expiresAt: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The latest checkout of one person for one purpose: a checkout without the form, and whether it is closed. */
export interface LatestCheckout extends Omit<Checkout, "purpose"> {
  readonly purpose: PurposeName;
  /** Session of the checkout that this one replaces. The service ends it before it makes the new session. */
  readonly replaces?: string;
  /** Nothing can be paid in this checkout any more. */
  readonly closed?: boolean;
  /** When the payer last deleted the account, epoch milliseconds. Later checkouts are created later than that. */
  readonly accountDeletedAt?: number;
}

/** The latest checkout for a checkout. It leaves out the form, because the session does not need it. */
export function latestOf(
  { purpose, ...checkout }: Checkout,
  { replaces, accountDeletedAt }: Pick<LatestCheckout, "replaces" | "accountDeletedAt"> = {},
): LatestCheckout {
  return {
    ...checkout,
    purpose: purpose.kind === "event" ? purpose : { kind: purpose.kind },
    ...(replaces !== undefined && { replaces }),
    ...(accountDeletedAt !== undefined && { accountDeletedAt }),
  };
}

/** Milliseconds. The provider asks for at least 30 minutes. The other ten are time for tries after a failed one. */
const lifetime = 40 * 60_000;

/**
 * End of a session that begins now, in epoch milliseconds. It is a whole second, because the provider counts in
 * seconds.
 */
export const sessionEnd = (now: number): number => Math.floor((now + lifetime) / 1_000) * 1_000;

/**
 * Milliseconds between the end of a session and the end of its hold. In this time the provider's event about a payment
 * at the last moment arrives.
 */
const lastMomentGrace = 120_000;

/** Earliest end of a hold with an open session, epoch milliseconds. */
export const heldForSession = ({ expiresAt }: Pick<Checkout, "expiresAt">): number => expiresAt + lastMomentGrace;
