import { Conflicting, Forbidding } from "#kit/errors.ts";

/** The sentence says why, so that the person can ask for another one. */
export class CodeNotValid extends Conflicting {
  readonly code = "CODE_NOT_VALID";
}

/** The event has codes for partners, and this partner has none. */
export class CodeRequired extends Forbidding {
  readonly code = "CODE_REQUIRED";
  constructor() {
    super("Partners register for this event with a code. Please enter yours.");
  }
}
