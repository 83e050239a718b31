/** Sessions at the provider: what is asked for, and what is read. */
import type { PurposeName } from "../record/purpose.ts";

/** The version of the provider's API: that of the calls, and that of the events of an endpoint which a tool creates. */
export const apiVersion = "2026-10-28.endive";

/** What a session is made for. */
export interface SessionOrder {
  /** Sent as `client_reference_id`, and as the idempotency key. */
  readonly id: string;
  /** The payer. */
  readonly email: string;
  readonly purpose: PurposeName;
  /** The name of the product on the provider's page. */
  readonly product: string;
  /** In cents. */
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** End of the session, epoch milliseconds, rounded to a second. */
  readonly expiresAt: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A session and its page. */
export interface Session {
  readonly sessionId: string;
  readonly url: string;
}

/** A session as it was read from the provider, with its other fields. */
export interface ReadSession {
  readonly status: string | null;
}
