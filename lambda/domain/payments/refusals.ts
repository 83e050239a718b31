import { Conflicting } from "#kit/errors.ts";

/** No payment is asked of this person, or none any more. The message says why. */
export class NothingToPay extends Conflicting {
  readonly code = "NOTHING_TO_PAY";
}
