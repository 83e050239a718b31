/**
 * People without an account (`docs/contract.md`, "Guests"): a request is stored for a day and takes no seat. Its mail has a
 * link, by which the person registers under the same rules as everyone. Who is named in an offer takes the seat by the link
 * of its mail, in the same way.
 */

import { type EventRecord, isHidden } from "#domain/events/event.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import { spendOnCode } from "#domain/people/budget.ts";
import { admitFormMail } from "#domain/people/sign-ups/admit.ts";
import type { CodeMailLimits } from "#domain/people/sign-ups/limits.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { getNamed, type Key, put, recordOf, type Stored } from "#kit/table/table.ts";
import { outboxRow } from "#outbox/store.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { type Admission, readAdmissionFacts, readAskedCode } from "../admission.ts";
import { entryFor } from "../form/eligibility.ts";
import { refuseUnknownAnswers } from "../form/unknown-answers.ts";
import { linkNotValid } from "../links/link.ts";
import { secretIn } from "../links/opened-link.ts";
import { newTicketId, ticketHashOf } from "../links/ticket-code.ts";
import { ticketKey } from "../links/ticket-key.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import { type Offer, offerKey } from "../store/offers.ts";
import { type Acceptance, acceptSeat } from "./accept-seat.ts";
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

const guestKey = ({ email, eventID: id, year }: Pick<NewRegistration, "email" | "eventID" | "year">): Key =>
  keyOf("request of a guest", { email, id, year });

export interface GuestSettings {
  /** For events that say nothing themselves. */
  readonly guests: GuestsAllowed;
  readonly mails: CodeMailLimits;
}

/**
 * Stores the request and mails its link. Whether the person is a member, or registered already, does not show: the form
 * counts as that of a stranger.
 * @throws NotFound MembersOnly EventClosed NotOpenYet CodeNotValid CodeRequired ValidationFailed
 * @throws NotAllowed the event wants an account
 * @throws TooOften the mails of this hour are used up
 */
export async function askAsGuest(
  form: NewRegistration,
  settings: GuestSettings,
  context: RequestContext,
): Promise<void> {
  const { email, eventID, year } = form;
  // The address is only typed, so the tries of all guests of the event count together.
  if (form.code !== undefined) await spendOnCode({ event: { id: eventID, year } }, await ticketKey(), context);
  const { event, seats } = await retried(() => readAdmissionFacts(form, "strong"), context);
  const code = await retried(() => readAskedCode({ form }, event), context);
  const { guests } = settings;
  const facts = { event, seats, code, isMember: false, guests, now: context.now };
  const entry = entryFor(form, { ...facts, origin: "self/guest" });
  refuseUnknownAnswers(form, entry.event);
  await admitFormMail("guest", email, settings.mails, tooMany, context);
  const requestId = newTicketId();
  const { generation } = entry.event;
  const ttl = Math.ceil(context.now / 1_000) + keptFor;
  const item: GuestItem = {
    form: JSON.stringify({ ...form, dynamicResponses: entry.answers.responses }),
    requestId,
    generation,
    ttl,
  };
  const data = { email, eventID, year, generation, requestId };
  const members = {
    request: put({ ...guestKey(form), ...item }, "last wins"),
    message: outboxRow({ type: "guest.requested", data }, context),
  };
  await writeOnce(members, context);
}

/** The request of a link, or the offer of a seat. */
export interface Guest {
  readonly form: NewRegistration;
  readonly event: EventRecord;
  readonly offer?: Offer;
}

const formOf = ({ event: { id: eventID, year }, email, fname, isPartner }: Offer): NewRegistration => ({
  ...{ eventID, year, email, fname, isPartner },
});

/** Reads the `Authorization` header of routes for guests. @throws Unauthenticated  @throws NotFound the event is hidden */
export async function guestOf(header: string | undefined, context: RequestContext): Promise<Guest> {
  const link = await secretIn(header, ["guest", "seat"], context);
  const eventKey = { id: link.eventID, year: link.year };
  const isOffer = link.purpose === "seat";
  const keys = {
    request: isOffer ? offerKey({ event: eventKey, mark: link.ticketHash }) : guestKey(link),
    event: eventKeyOf(eventKey),
  };
  const read = () => getNamed<{ request: GuestItem | Stored<Offer>; event: EventRecord }>(keys, "strong");
  const { request, event } = await retried(read, context);
  const isCurrent =
    request !== undefined &&
    event?.generation === request.generation &&
    ("mark" in request
      ? request.email === link.email
      : request.ttl * 1_000 > context.now && ticketHashOf(request.requestId) === link.ticketHash);
  if (!event || !request || !isCurrent) throw linkNotValid();
  const offer = "mark" in request ? recordOf<Offer>(request) : undefined;
  const form = "mark" in request ? formOf(request) : (JSON.parse(request.form) as NewRegistration);
  // A code may have opened it.
  if (isHidden(event, context.now) && form.code === undefined) throw new NotFound("Event");
  return { form, event, ...(offer && { offer }) };
}

/** As `guestOf`, for who only looks: an offer that was accepted has nothing more to show. @throws Unauthenticated NotFound */
export async function waitingGuestOf(header: string | undefined, context: RequestContext): Promise<Guest> {
  const guest = await guestOf(header, context);
  if (guest.offer?.acceptedAt !== undefined) throw linkNotValid();
  return guest;
}

/** What a guest may still fill in, or change: what was asked or has filled up since the request. */
export type LastAnswers = Pick<NewRegistration, "dynamicResponses">;

/**
 * Registers the person of a request, under the rules for everyone, or gives the offered seat.
 * @param answers replace those of the request with the same id
 * @throws Refusal as `register` or `acceptSeat`
 */
export function registerGuest(
  { form, offer }: Guest,
  { dynamicResponses }: LastAnswers,
  { guests, beside }: Pick<Acceptance, "guests" | "beside">,
  context: RequestContext,
): Promise<Admission> {
  if (offer) return acceptSeat({ offer, dynamicResponses, guests, beside }, context);
  const answers = { ...form.dynamicResponses, ...dynamicResponses };
  return register({ form: { ...form, dynamicResponses: answers }, origin: "self/guest", guests }, context);
}
