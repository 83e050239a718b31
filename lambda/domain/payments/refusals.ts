import { Conflicting } from "#kit/errors.ts";

/** The person does not have to pay. The message contains the reason. */
export class NothingToPay extends Conflicting {
  readonly code = "NOTHING_TO_PAY";
}

/** No money of the payment waits for a decision, or less of it. The message contains the reason. */
export class NothingToDecide extends Conflicting {
  readonly code = "NOTHING_TO_DECIDE";
}

/** Less is left of the payment, or its bank decides about it. The message contains the reason. */
export class NotRefundable extends Conflicting {
  readonly code = "NOT_REFUNDABLE";
}
