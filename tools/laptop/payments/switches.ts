/** A developer's switches, which make the provider and its network behave as they do on a bad day. */

/** Every start resets them. */
export interface Switches {
  /** Deliveries are held back. */
  readonly holding: boolean;
  /** Every attempt fails without reaching the webhook. */
  readonly failing: boolean;
  /** Deliveries of each event besides the first. */
  readonly duplicates: number;
  /** New refunds stay pending until a developer decides. */
  readonly refundsWait: boolean;
  /** New refunds stay pending until the balance is filled. */
  readonly balanceIsEmpty: boolean;
  /** The REST interface does nothing and answers 503. */
  readonly silent: boolean;
  /** The REST interface does its work, and cuts the connection instead of answering. */
  readonly losing: boolean;
}

/** The present position of all switches. */
export class Switchboard {
  #switches: Switches = {
    holding: false,
    failing: false,
    duplicates: 0,
    refundsWait: false,
    balanceIsEmpty: false,
    silent: false,
    losing: false,
  };

  get now(): Switches {
    return this.#switches;
  }

  set(change: Partial<Switches>): void {
    this.#switches = { ...this.#switches, ...change };
  }
}
