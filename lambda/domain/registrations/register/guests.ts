/**
 * People without an account (`docs/contract.md`, "Guests"): a request is stored for a day and takes no seat. Its mail has a
 * link, by which the person registers under the same rules as everyone.
 */
import type { EventRecord } from "#domain/events/event.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import { admitCodeMail } from "#domain/people/sign-ups/admit.ts";
import { type CodeMailLimits, hourOf, hour as oneHour } from "#domain/people/sign-ups/limits.ts";
import { NotAllowed, TooOften } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { getNamed, type Key, put } from "#kit/table/table.ts";
import { outboxRow } from "#outbox/store.ts";
import { type Admission, readAdmissionFacts } from "../admission.ts";
import { entryFor } from "../form/eligibility.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import { secretIn } from "../tickets/by-link.ts";
import { newTicketId, ticketHashOf } from "../tickets/code.ts";
import { linkNotValid } from "../tickets/sent-link.ts";
import { register } from "./register.ts";

/** Seconds for which a request is kept. */
const keptFor = 86_400;

const tooMany = "Too many people ask for a seat without an account at the moment. Please sign in, or try again later.";

interface GuestItem {
  /** JSON of a `NewRegistration`. */
  readonly form: string;
  /** In the mail's link. A later request has another one, which ends the earlier link. */
  readonly requestId: string;
  /** Of the event. */
  readonly generation: string;
  /** Epoch seconds. */
  readonly ttl: number;
}

const guestKey = ({ email, eventID, year }: Pick<NewRegistration, "email" | "eventID" | "year">): Key => ({
  PK: `GUEST#${email}`,
  SK: `${eventID}#${year}`,
});

export interface GuestSettings {
  /** For events that say nothing themselves. */
  readonly guests: GuestsAllowed;
  readonly mails: CodeMailLimits;
}

const mayBeGuest = (event: EventRecord, { isPartner }: NewRegistration, { guests }: GuestSettings): boolean => {
  const allowed = event.guests ?? guests;
  return allowed === "everyone" || (allowed === "partners" && isPartner === true);
};

/**
 * Stores the request and mails its link. Whether the person is a member, or registered already, does not show: the form
 * counts as that of a stranger.
 * @throws NotFound MembersOnly EventClosed NotOpenYet ValidationFailed
 * @throws NotAllowed the event wants an account
 * @throws TooOften the mails of this hour are used up
 */
export async function askAsGuest(
  form: NewRegistration,
  settings: GuestSettings,
  context: RequestContext,
): Promise<void> {
  const { email, eventID, year, fname = form.basicInformation?.fname ?? "" } = form;
  const { event, seats } = await retried(() => readAdmissionFacts(form, "strong"), context);
  const stranger = { isMember: false, byAdmin: false, now: context.now };
  const entry = entryFor(form, { event, seats, ...stranger });
  if (!mayBeGuest(entry.event, form, settings)) throw new NotAllowed("Sign in to register for this event.");
  const { held } = await retried(() => admitCodeMail("guest", email, settings.mails, context.now), context);
  if (held !== undefined) throw new TooOften(tooMany, hourOf(context.now) + oneHour - context.now);
  const requestId = newTicketId();
  const { generation } = entry.event;
  const ttl = Math.ceil(context.now / 1_000) + keptFor;
  const item: GuestItem = { form: JSON.stringify(form), requestId, generation, ttl };
  const data = { email, fname, eventID, year, generation, requestId };
  const members = {
    request: put({ ...guestKey(form), ...item }, "last wins"),
    message: outboxRow({ type: "guest.requested", data }, context),
  };
  await writeOnce(members, context);
}

/** The request of a link. */
export interface Guest {
  readonly form: NewRegistration;
  readonly event: EventRecord;
}

/** Reads the `Authorization` header of routes for guests. @throws Unauthenticated */
export async function guestOf(header: string | undefined, context: RequestContext): Promise<Guest> {
  const link = await secretIn(header, "guest", context);
  const keys = { request: guestKey(link), event: eventKeyOf({ id: link.eventID, year: link.year }) };
  const read = () => getNamed<{ request: GuestItem; event: EventRecord }>(keys, "strong");
  const { request, event } = await retried(read, context);
  const isCurrent =
    event?.generation === request?.generation &&
    request !== undefined &&
    request.ttl * 1_000 > context.now &&
    ticketHashOf(request.requestId) === link.ticketHash;
  if (!event || !isCurrent) throw linkNotValid();
  return { form: JSON.parse(request.form) as NewRegistration, event };
}

/** Registers the person of a request, under the rules for everyone. @throws Refusal as `register` */
export const registerGuest = ({ form }: Guest, context: RequestContext): Promise<Admission> =>
  register({ form, byAdmin: false }, context);
