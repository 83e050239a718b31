import { Conflicting, Duplicate, Forbidding } from "#kit/errors.ts";
import type { RegistrationRecord } from "./record/registration.ts";

/** The move is not possible from the registration's current state. */
export class IllegalTransition extends Conflicting {
  readonly code = "ILLEGAL_TRANSITION";
}

/** The person already has a registration for the event, which the response includes. */
export class AlreadyRegistered extends Duplicate {
  readonly registration: RegistrationRecord;
  constructor(registration: RegistrationRecord) {
    super("There is a registration for this person and event already.");
    this.registration = registration;
  }
}

/** What a person reads who acts after the start. */
export const started = "The event has started: only an admin can change this now.";

/** The registration is no longer in the status that the person saw, and may have become more than they want to give up. */
export class StatusChanged extends Conflicting {
  readonly code = "STATUS_CHANGED";
  readonly registration: RegistrationRecord;
  override readonly details: Record<string, unknown>;
  /** @param details what the person may see of it */
  constructor(registration: RegistrationRecord, details: Record<string, unknown> = {}) {
    super(`This registration has changed since you saw it: it is ${registration.status} now. Please look again.`);
    this.registration = registration;
    this.details = details;
  }
}

/** @param seenStatus what the person saw; absent: any status is fine  @throws StatusChanged */
export function assertSeen(seenStatus: string | undefined, registration: RegistrationRecord): void {
  if (seenStatus !== undefined && seenStatus !== registration.status) throw new StatusChanged(registration);
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
