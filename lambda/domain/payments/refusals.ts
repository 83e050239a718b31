import { Conflicting, Unavailable } from "#kit/errors.ts";
import { amountText } from "#kit/text/amount.ts";
import type { Money } from "#outbox/catalogue.ts";

/** The person does not have to pay. The message contains the reason. */
export class NothingToPay extends Conflicting {
  readonly code = "NOTHING_TO_PAY";
}

/** No money of the payment waits for a decision, or less of it. The message contains the reason. */
export class NothingToDecide extends Conflicting {
  readonly code = "NOTHING_TO_DECIDE";
}

/** Money by hand is not what is asked for, and the treasurer has not confirmed that. The message contains both. */
export class AmountDiffers extends Conflicting {
  readonly code = "AMOUNT_DIFFERS";
  override readonly details: { readonly expected: number };
  /** @param money that was taken @param expected in cents */
  constructor(money: Pick<Money, "amount" | "currency">, expected: number) {
    const asked = amountText({ ...money, amount: expected });
    super(
      `${asked} is asked for, not ${amountText(money)}. \`confirm: true\` records it all the same; the rest stays owed, unless \`waive\` says why not.`,
    );
    this.details = { expected };
  }
}

/** The entry is reversed already, is none by hand, or is refunded. The message contains the reason. */
export class NotReversible extends Conflicting {
  readonly code = "NOT_REVERSIBLE";
}

/** The provider's books have not been read that far. */
export class NotReconciled extends Conflicting {
  readonly code = "NOT_RECONCILED";
}

/** The journal of this date is closed. */
export class MonthClosed extends Conflicting {
  readonly code = "MONTH_CLOSED";
}

/** Less is left of the payment, or its bank decides about it. The message contains the reason. */
export class NotRefundable extends Conflicting {
  readonly code = "NOT_REFUNDABLE";
}

/**
 * Why the payment provider refuses calls that are right by themselves. `authentication`: the key is not valid.
 * `permission`: it lacks a right. `idempotency`: another request has used the key of this one. The rest: what the call is
 * about belongs to another account or mode.
 */
export type WhyRefused = "authentication" | "permission" | "idempotency" | "unknown session" | "unknown object";

/** The payment provider refuses calls, and will until a person has looked. */
export class ProviderRefuses extends Unavailable {
  readonly because: WhyRefused;
  constructor(because: WhyRefused) {
    super("Paying is not possible at the moment. Nothing was paid; please try again later.");
    this.because = because;
  }
}
