import { Conflicting } from "#kit/errors.ts";

/** The move is not possible from the registration's current state. */
export class IllegalTransition extends Conflicting {
  readonly code = "ILLEGAL_TRANSITION";
}

export class WrongEvent extends Conflicting {
  readonly code = "WRONG_EVENT";
  constructor(eventID: string, year: number) {
    super(`This ticket is for another event: ${eventID} ${year}.`);
  }
}
