/** A checkout: what somebody is asked to pay, recorded before the provider hears of it. Pure. */
import type { EventKey } from "#domain/events/event.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";

/** What the money is for. */
export type Purpose =
  | {
      readonly kind: "event";
      readonly event: EventKey;
      /** The arrival of the registration: one that begins again later is another purpose. */
      readonly waitKey: string;
    }
  | { readonly kind: "membership"; readonly form: MembershipForm };

/** The purpose without what only the membership record needs to know. */
export type PurposeName = Exclude<Purpose, { kind: "membership" }> | { readonly kind: "membership" };

/** The session at the provider and its page. */
export interface Session {
  readonly sessionId: string;
  readonly url: string;
}

/** A checkout as stored; it has its session once that is known. */
export interface Checkout extends Partial<Session> {
  /** A ULID. The provider gets it as `client_reference_id` and as the idempotency key of the session's creation. */
  readonly id: string;
  /** The payer: the email of the token that asked. */
  readonly email: string;
  readonly purpose: Purpose;
  /** What the provider's page calls it. */
  readonly product: string;
  /** In cents: only exactly this amount settles it. */
  readonly amount: number;
  /** ISO 4217, lower case as the provider writes it. */
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** When the provider's session ends, epoch milliseconds, a whole second. */
  readonly expiresAt: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The latest checkout of one person for one purpose: a checkout without the form, and whether it is known to be over. */
export interface LatestCheckout extends Omit<Checkout, "purpose"> {
  readonly purpose: PurposeName;
  /** The session of the checkout that this one replaces: it is ended before this one's is made. */
  readonly replaces?: string;
  /** The provider said that its session has ended, one way or the other. */
  readonly closed?: boolean;
}

/** A checkout without what its page does not need to be made. */
export function latestOf({ purpose, ...checkout }: Checkout, replaces?: string): LatestCheckout {
  return {
    ...checkout,
    purpose: purpose.kind === "event" ? purpose : { kind: purpose.kind },
    ...(replaces !== undefined && { replaces }),
  };
}

/** Milliseconds: the provider takes 30 minutes at least, and a try that failed is made up for within the difference. */
const lifetime = 40 * 60_000;

/** When a session that is asked for now ends: the provider counts in seconds. */
export const sessionEnd = (now: number): number => Math.floor((now + lifetime) / 1_000) * 1_000;

/** Milliseconds between the end of a session and the end of a hold: the news of a payment at the last moment come in. */
const newsGrace = 120_000;

/** Until when a seat is held at least, while a session lasts. Epoch milliseconds. */
export const heldForSession = ({ expiresAt }: Pick<Checkout, "expiresAt">): number => expiresAt + newsGrace;
