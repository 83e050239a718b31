import { Conflicting } from "#kit/errors.ts";

/** The person does not have to pay. The message contains the reason. */
export class NothingToPay extends Conflicting {
  readonly code = "NOTHING_TO_PAY";
}
