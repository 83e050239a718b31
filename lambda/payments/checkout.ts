/** A checkout: what somebody is asked to pay, recorded before the provider hears of it. Pure. */
import type { EventKey } from "../events/event.ts";
import type { MembershipForm } from "../members/form.ts";

/** What the money is for. */
export type Purpose =
  | {
      readonly kind: "event";
      readonly event: EventKey;
      /** The arrival of the registration: one that begins again later is another purpose. */
      readonly waitKey: string;
    }
  | { readonly kind: "membership"; readonly form: MembershipForm };

export interface Checkout {
  /** A ULID. The provider gets it as `client_reference_id` and as the idempotency key of the session's creation. */
  readonly id: string;
  /** The payer: the email of the token that asked. */
  readonly email: string;
  readonly purpose: Purpose;
  /** In cents: only exactly this amount settles it. */
  readonly amount: number;
  /** ISO 4217, lower case as the provider writes it. */
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** When the provider's session ends, epoch milliseconds. */
  readonly expiresAt: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The session at the provider and its page, once they are known. */
  readonly sessionId?: string;
  readonly url?: string;
}
