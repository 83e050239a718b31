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

/** Registration has not started. */
export class NotOpenYet extends Conflicting {
  readonly code = "NOT_OPEN_YET";
  override readonly details: { readonly opensAt: string };
  override readonly headers: Readonly<Record<string, string>>;
  /** @param opensAt ISO 8601, UTC @param milliseconds until then */
  constructor(opensAt: string, milliseconds: number) {
    super(`Registration opens at ${opensAt}.`);
    this.details = { opensAt };
    this.headers = { "retry-after": String(Math.ceil(milliseconds / 1_000)) };
  }
}

export class EventHasRegistrations extends Conflicting {
  readonly code = "EVENT_HAS_REGISTRATIONS";
}
