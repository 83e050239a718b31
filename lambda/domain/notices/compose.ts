/** The notice that a fact becomes, with what is true of person and event when it is told. */

import type { EventRecord } from "#domain/events/event.ts";
import { positionInLine } from "#domain/registrations/line/store.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import type { RegistrationKey } from "#domain/registrations/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { retried } from "#kit/retry.ts";
import type { RegistrationType } from "#outbox/catalogue.ts";
import type { Message } from "#outbox/messages.ts";
import type { NoticeKind, SeatKind } from "#outbox/notice-kinds.ts";
import type { Notice, NoticeEvent } from "./notice.ts";

/** Of a registration that tells something. */
export type RegistrationMessage = Message<RegistrationType>;

export const keyOf = ({ data: { email, eventID, year } }: RegistrationMessage): RegistrationKey => ({
  email,
  event: { id: eventID, year },
});

/** The event that a registration belongs to, of that creation. */
export const eventKeyIn = ({ data: { eventID, year, incarnation } }: RegistrationMessage) => ({
  id: eventID,
  year,
  incarnation,
});

function noticeEvent({ id, year, ename, startDate, endDate, elocation, description }: EventRecord): NoticeEvent {
  return { id, year, ename, startDate, endDate, elocation, ...(typeof description === "string" && { description }) };
}

/** Somebody who is in already keeps the standing that let them in. */
const standingOf = ({ status, cameFrom = "registered" }: RegistrationRecord): SeatKind =>
  (status === "checkedIn" ? cameFrom : status) as SeatKind;

/** Place in line, while they are in it. */
async function placeOf({ data }: RegistrationMessage, registration: RegistrationRecord, context: RequestContext) {
  if (data.notice !== "waitlist" || registration.status !== "waitlist") return {};
  const { waitKey, incarnation } = registration;
  const event = { id: data.eventID, year: data.year };
  const waitlistPosition = await retried(() => positionInLine(event, waitKey, incarnation), context);
  return waitlistPosition > 0 ? { waitlistPosition } : {};
}

/** What a notice is about. */
export interface Subject {
  /** Undefined when nothing is left of it: what the fact says has to do. */
  readonly registration: RegistrationRecord | undefined;
  readonly event: EventRecord;
}

export async function composeNotice(
  message: RegistrationMessage,
  kind: NoticeKind,
  { registration, event }: Subject,
  context: RequestContext,
): Promise<Notice> {
  const { data, occurredAt } = message;
  return {
    kind,
    movedUp: data.movedUp ?? false,
    // What is left of a deleted one has no name.
    person: { email: data.email, fname: registration?.fname || data.fname },
    event: noticeEvent(event),
    updatedAt: occurredAt,
    ...(registration?.holdExpiresAt !== undefined && { holdExpiresAt: registration.holdExpiresAt }),
    ...(registration && kind === "moved" && { standing: standingOf(registration) }),
    ...(registration && (await placeOf(message, registration, context))),
  };
}
