/** Refusals for lack of capacity. */
import { Conflicting } from "#kit/errors.ts";

/** An admin's move needs a seat, and there is none. */
export class EventFull extends Conflicting {
  readonly code = "EVENT_FULL";
  constructor() {
    super("The event is full.");
  }
}

export class ChoiceFull extends Conflicting {
  readonly code = "CHOICE_FULL";
  constructor(choice: string) {
    super(`"${choice}" is full. Please choose another one.`);
  }
}
