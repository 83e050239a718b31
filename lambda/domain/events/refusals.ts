import { Conflicting, Forbidding, Refusal } from "#kit/errors.ts";

export class MembersOnly extends Forbidding {
  readonly code = "MEMBERS_ONLY";
  constructor() {
    super("This event is for members only.");
  }
}

export class NoUpcomingEvent extends Refusal {
  readonly kind = "missing";
  readonly code = "NOT_FOUND";
  constructor() {
    super("No upcoming event.");
  }
}

export class EventClosed extends Conflicting {
  readonly code = "EVENT_CLOSED";
}

export class EventHasRegistrations extends Conflicting {
  readonly code = "EVENT_HAS_REGISTRATIONS";
}
