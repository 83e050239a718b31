/** Builds a notice from a message and the current registration and event. */

import { readPlaceInLine } from "#domain/capacity/line.ts";
import { isOffProgram } from "#domain/events/event.ts";
import { type KnownEvent, readEventOrMemory } from "#domain/events/store.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { type RegistrationKey, readRegistration } from "#domain/registrations/store/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import type { RegistrationType } from "#outbox/catalogue.ts";
import type { Message } from "#outbox/messages.ts";
import type { NoticeKind, SeatKind } from "#outbox/notice-kinds.ts";
import type { Notice } from "./notice.ts";
import { type Supersession, supersessionOf } from "./superseded.ts";

export type RegistrationMessage = Message<RegistrationType>;

export const keyOf = ({ data: { email, eventID, year } }: RegistrationMessage): RegistrationKey => ({
  email,
  event: { id: eventID, year },
});

const eventKeyIn = ({ data: { eventID, year, generation } }: RegistrationMessage) => ({
  id: eventID,
  year,
  generation,
});

/** For a checked-in person the notice is written for the state before the check-in. */
const standingOf = ({ status, cameFrom = "registered" }: RegistrationRecord): SeatKind =>
  (status === "checkedIn" ? cameFrom : status) as SeatKind;

/** The place in line, if the notice is about the waitlist, the person still waits, and the place is known. */
async function placeOf({ data }: RegistrationMessage, registration: RegistrationRecord) {
  if (data.notice !== "waitlist" || registration.status !== "waitlist") return {};
  const place = await readPlaceInLine({ id: data.eventID, year: data.year }, registration);
  return { ...place, ...(registration.behindOthers && { isBehindOthers: true }) };
}

/** The records that a notice is about. */
export interface Subject {
  /** Undefined when the record is gone; the notice then uses only the message. */
  readonly registration: RegistrationRecord | undefined;
  readonly event: KnownEvent;
}

/** Reads the subject of a notice. @returns the reason, when the notice is superseded */
export async function readSubject(
  message: RegistrationMessage,
  context: RequestContext,
): Promise<Subject | Supersession> {
  const [event, registration] = await Promise.all([
    retried(() => readEventOrMemory(eventKeyIn(message)), context),
    retried(() => readRegistration(keyOf(message), "strong"), context),
  ]);
  // A notice without an event is superseded.
  return supersessionOf(message.data, registration, event, context.now) ?? { registration, event: event as KnownEvent };
}

export async function composeNotice(
  message: RegistrationMessage,
  kind: NoticeKind,
  { registration, event }: Subject,
  context: RequestContext,
): Promise<Notice> {
  const { data, occurredAt } = message;
  const { description } = event;
  return {
    kind,
    movedUp: data.movedUp ?? false,
    ...(data.movedDown && { movedDown: true }),
    // The tombstone of a deleted registration has no name.
    person: { email: data.email, fname: registration?.fname || data.fname },
    event: {
      ...event,
      description: typeof description === "string" ? description : undefined,
      isOffProgram: isOffProgram(event, context.now),
    },
    ...(data.isBack && { isBack: true }),
    updatedAt: occurredAt,
    ...(registration?.left === "self/transfer" && { handedOn: true }),
    ...(registration?.handed && { isTakenOver: true }),
    ...(registration?.ofDeletedAccount && { isDeleted: true }),
    ...(registration?.holdExpiresAt !== undefined && { holdExpiresAt: registration.holdExpiresAt }),
    ...(registration && (kind === "moved" || kind === "reminder") && { standing: standingOf(registration) }),
    ...(registration && (await placeOf(message, registration))),
  };
}
