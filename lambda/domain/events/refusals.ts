import { requiredEnv } from "#kit/env.ts";
import { Conflicting, Forbidding, Refusal } from "#kit/errors.ts";
import { isoText } from "#kit/text/text.ts";
import { momentText } from "#kit/text/time-zone.ts";

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

/** The event does not take place, so there is no seat, not even by an admin. @throws EventClosed */
export function assertTakesPlace({ calledOff }: { readonly calledOff?: string | undefined }): void {
  if (calledOff !== undefined) throw new EventClosed("This event is called off.");
}

/** Registration has not started. */
export class NotOpenYet extends Conflicting {
  readonly code = "NOT_OPEN_YET";
  override readonly details: { readonly opensAt: string };
  override readonly headers: Readonly<Record<string, string>>;
  /** @param opensAt epoch milliseconds, as is `now` @param timeZone of the event, IANA name; absent: the stage's */
  constructor(opensAt: number, now: number, timeZone = requiredEnv("TIME_ZONE")) {
    super(`Registration opens on ${momentText(opensAt, timeZone)}.`);
    this.details = { opensAt: isoText(opensAt) };
    this.headers = { "retry-after": String(Math.ceil((opensAt - now) / 1_000)) };
  }
}

export class EventHasRegistrations extends Conflicting {
  readonly code = "EVENT_HAS_REGISTRATIONS";
}
