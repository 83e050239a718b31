import { Conflicting } from "#kit/errors.ts";

/** The person does not have to pay. The message contains the reason. */
export class NothingToPay extends Conflicting {
  readonly code = "NOTHING_TO_PAY";
}

/** Less is left of the payment, or its bank decides about it. The message contains the reason. */
export class NotRefundable extends Conflicting {
  readonly code = "NOT_REFUNDABLE";
}
