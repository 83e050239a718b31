/**
 * A person offers the own seat to another one (`docs/contract.md`, "Handing on"). Until the other accepts by the link of a
 * mail, nothing changes, and the offer ends with a newer one or with any move of the registration.
 */
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { onceMore } from "#domain/people/once-more.ts";
import { admitFormMail } from "#domain/people/sign-ups/admit.ts";
import type { CodeMailLimits } from "#domain/people/sign-ups/limits.ts";
import { NotAllowed, NotFound, ValidationFailed } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { outboxRow } from "#outbox/store.ts";
import { readAdmissionFacts } from "../admission.ts";
import { newTicketId, ticketHashOf } from "../links/ticket-code.ts";
import { type AnswerOrigin, answerRules } from "../record/acts.ts";
import { whyNotHandedOn } from "../record/handing-on.ts";
import type { RegistrationRecord, RegistrationStatus } from "../record/registration.ts";
import { messageOf, rewritten } from "../record/transition.ts";
import { assertSeen, IllegalTransition, started } from "../refusals.ts";
import { membersOf } from "../store/change.ts";
import { putOffer } from "../store/offers.ts";

export interface OfferRequest {
  /** Of the giver. */
  readonly email: string;
  readonly event: EventKey;
  /** Absent: an offer is withdrawn. */
  readonly to?: { readonly email: string; readonly fname: string } | undefined;
  readonly origin: AnswerOrigin;
  /** The status that the person saw. Absent: any. */
  readonly seenStatus?: RegistrationStatus | undefined;
  /** The ticket of the registration that a link opened. */
  readonly linkedTicket?: string;
}

type Facts = Awaited<ReturnType<typeof readAdmissionFacts>>;

const tooMany = "Too many mails are asked for at the moment. Please try again later.";

/** @throws NotAllowed the event has no such thing  @throws IllegalTransition not this seat, or not again */
export function assertMayHandOn(registration: RegistrationRecord, event: Pick<EventRecord, "transfers">): void {
  if (!event.transfers) throw new NotAllowed("Seats of this event cannot be handed on.");
  const because = whyNotHandedOn(registration, event);
  if (because !== undefined) throw new IllegalTransition(because);
}

/** @throws NotFound StatusChanged NotAllowed IllegalTransition */
function offered({ linkedTicket, seenStatus }: OfferRequest, { event, seats, registration }: Facts, now: number) {
  const isMeant = registration?.ticketId === (linkedTicket ?? registration?.ticketId);
  if (!registration || registration.status === "deleted" || !isMeant) throw new NotFound("Registration");
  const isThere = event && seats && seats.state !== "DELETED" && seats.generation === registration.generation;
  if (!isThere || event.generation !== registration.generation) throw new NotFound("Event");
  assertSeen(seenStatus, registration);
  assertMayHandOn(registration, event);
  if (seats.startsAt <= now) throw new IllegalTransition(started);
  return { event, registration };
}

function decide(request: OfferRequest, facts: Facts, offerId: string, context: RequestContext) {
  const { to, origin, email } = request;
  const { now } = context;
  const { budget, audit } = answerRules(origin);
  const current = facts.registration;
  // What is withdrawn may be gone already, also by a move of the registration.
  if (!to && current && current.status !== "deleted" && !current.offer) return answer(current);
  const { event, registration } = offered(request, facts, now);
  const mark = ticketHashOf(offerId);
  const after: RegistrationRecord = {
    ...registration,
    ...rewritten(context, registration),
    offer: to && mark,
    ...(budget !== "none" && { amended: onceMore(budget, registration.amended, now) }),
  };
  const message = messageOf({ emits: "registration.updated" }, after, origin);
  const members = membersOf({ before: registration, after, message, audit }, context);
  if (!to) return write(members, after);
  const { id: eventID, year, generation } = event;
  const data = { email: to.email, eventID, year, generation, requestId: offerId };
  const { isPartner } = registration;
  const offer = { mark, event: request.event, ...to, by: email, isPartner, generation, createdAt: now };
  return write(
    { ...members, offer: putOffer(offer, event), mail: outboxRow({ type: "seat.offered", data }, context) },
    after,
  );
}

/**
 * Offers the seat, or withdraws an offer. A new offer ends the one before.
 * @returns the registration
 * @throws NotFound StatusChanged NotAllowed IllegalTransition ValidationFailed
 * @throws TooOften the mails of this hour are used up, or the person has changed the registration too often
 */
export async function offerSeat(
  request: OfferRequest,
  mails: CodeMailLimits,
  context: RequestContext,
): Promise<RegistrationRecord> {
  const { email, event, to } = request;
  if (to?.email === email) throw new ValidationFailed([{ path: "/offer/email", message: "must be another person's" }]);
  const read = () => readAdmissionFacts({ email, eventID: event.id, year: event.year }, "strong");
  const offerId = newTicketId();
  if (to) {
    // What is refused counts no mail.
    decide(request, await retried(read, context), offerId, context);
    await admitFormMail("offered seat", to.email, mails, tooMany, context);
  }
  return execute(
    { read, decide: (facts: Facts): Decision<RegistrationRecord> => decide(request, facts, offerId, context) },
    context,
  );
}
