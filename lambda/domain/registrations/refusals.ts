import { Conflicting, Forbidding } from "#kit/errors.ts";

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

/** The event is over, so devices at its door may not do this any more. */
export class DoorClosed extends Forbidding {
  readonly code = "DOOR_CLOSED";
  constructor() {
    super("This event is over: its door is closed.");
  }
}

/** A link has all its devices. */
export class TooManyDevices extends Conflicting {
  readonly code = "TOO_MANY_DEVICES";
}
