/** A developer's switches, which make the provider and its network behave as they do on a bad day. */

/** Permissions of a restricted key: https://docs.stripe.com/keys/restricted-api-keys */
export const permissions = [
  ...(["checkout_session_read", "checkout_session_write", "refund_read", "refund_write"] as const),
  ...(["dispute_read", "balance_read", "balance_transaction_read", "payout_read"] as const),
] as const;
export type Permission = (typeof permissions)[number];

/** Every start resets them. */
export interface Switches {
  /** Deliveries are held back. */
  readonly holding: boolean;
  /** Deliveries of each event besides the first. */
  readonly duplicates: number;
  /** New refunds stay pending until a developer decides. */
  readonly refundsWait: boolean;
  /** A refund that the balance does not cover stays pending until a developer decides. */
  readonly neverNegative: boolean;
  /** Requests that are still refused because there were too many. */
  readonly limited: number;
  /** Permissions that the caller's key lacks. */
  readonly withheld: readonly Permission[];
  /** The REST interface does nothing and answers 503. */
  readonly silent: boolean;
  /** The REST interface does its work, and cuts the connection instead of answering. */
  readonly losing: boolean;
  /** Requests with a key that are still answered with 500, before or after their work. The answer is remembered. */
  readonly breaking: { readonly left: number; readonly afterWork: boolean };
}

/** The present position of all switches. */
export class Switchboard {
  #switches: Switches = {
    holding: false,
    duplicates: 0,
    refundsWait: false,
    neverNegative: false,
    limited: 0,
    withheld: [],
    silent: false,
    losing: false,
    breaking: { left: 0, afterWork: false },
  };

  get now(): Switches {
    return this.#switches;
  }

  /** When the present request breaks, if it does. */
  takeBreak(): "before" | "after" | undefined {
    const { left, afterWork } = this.#switches.breaking;
    if (left === 0) return undefined;
    this.set({ breaking: { left: left - 1, afterWork } });
    return afterWork ? "after" : "before";
  }

  /** Whether the present request is one too many. */
  takeLimit(): boolean {
    const { limited } = this.#switches;
    if (limited > 0) this.set({ limited: limited - 1 });
    return limited > 0;
  }

  set(change: Partial<Switches>): void {
    this.#switches = { ...this.#switches, ...change };
  }
}
