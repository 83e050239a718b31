/** The refusals about registrations. */
import { Conflicting } from "#kit/errors.ts";

/** A registration cannot make the move from its present state. */
export class IllegalTransition extends Conflicting {
  readonly code = "ILLEGAL_TRANSITION";
}

export class WrongEvent extends Conflicting {
  readonly code = "WRONG_EVENT";
  constructor(eventID: string, year: number) {
    super(`This ticket is for another event: ${eventID} ${year}.`);
  }
}
