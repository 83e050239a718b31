/**
 * The named person takes an offered seat (`docs/contract.md`, "Handing on"). One transaction ends the giver's registration
 * and begins the other one with its seat, which is never free in between, so neither capacity nor line matter.
 */
import { changeSeats } from "#domain/capacity/demands.ts";
import { ChoiceFull } from "#domain/capacity/refusals.ts";
import { type Choices, poolOf, roomFor, type Seats } from "#domain/capacity/seats.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { onceMore } from "#domain/people/once-more.ts";
import { isMemberAt } from "#domain/people/users/user.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, followUp, readAgain, write } from "#kit/table/execute.ts";
import type { Transaction } from "#kit/table/table.ts";
import { type Admission, readAdmissionFacts } from "../admission.ts";
import { entryFor } from "../form/eligibility.ts";
import { linkNotValid } from "../links/link.ts";
import { newTicketId } from "../links/ticket-code.ts";
import { named, promote } from "../promote.ts";
import { claimOfTransfer, joinRules } from "../record/acts.ts";
import { assertPaidFor } from "../record/handing-on.ts";
import type { NewRegistration } from "../record/new-registration.ts";
import { hasEnded, holderOf, isLive, type RegistrationRecord } from "../record/registration.ts";
import { stateOf } from "../record/statuses.ts";
import { afterMove, asEntered, messageOf } from "../record/transition.ts";
import { AlreadyRegistered } from "../refusals.ts";
import { membersOf } from "../store/change.ts";
import { type Offer, putOffer } from "../store/offers.ts";
import { readRegistration } from "../store/store.ts";
import { assertMayHandOn } from "./offer-seat.ts";

const origin = "self/transfer" as const;

/** A seat that is taken by the person whom its offer names. */
export interface Acceptance extends Pick<NewRegistration, "dynamicResponses"> {
  readonly offer: Offer;
  /** Who may register without an account, where the event does not say. */
  readonly guests: GuestsAllowed;
  /** The members that note at the giver's payment who has its seat now. */
  readonly beside: (giver: RegistrationRecord) => Promise<Transaction>;
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts({ offer: { event, email, by }, beside }: Acceptance) {
  const form = { eventID: event.id, year: event.year, email };
  const [facts, giver] = await Promise.all([
    readAdmissionFacts(form, "strong"),
    readRegistration({ email: by, event }, "strong"),
  ]);
  const payment = giver?.paidBy === undefined ? {} : await beside(giver);
  const prefixed = Object.entries(payment).map(([name, member]) => [`payment ${name}`, member] as const);
  return { ...facts, giver, payment: Object.fromEntries(prefixed) };
}

const tickets = () => ({ ofGiver: newTicketId(), ofTaker: newTicketId() });

/** The registration of the giver behind the seat. Its ticket is another one, so that code and links open nothing. */
function handedOn(giver: RegistrationRecord, ticketId: string, context: RequestContext): RegistrationRecord {
  const after = afterMove(giver, { to: "cancelled", tells: "cancelled" }, context, { left: origin });
  return { ...after, ticketId, gave: true };
}

/** The first choice without room that the giver does not leave behind. */
const fullChoice = (choices: Choices, before: Choices, seats: Seats): string | undefined =>
  Object.entries(choices).find(
    ([question, choice]) => before[question] !== choice && !roomFor({ [question]: choice }, seats),
  )?.[1];

const isSame = (one: Choices, other: Choices): boolean =>
  Object.entries(one).every(([question, choice]) => other[question] === choice);

interface Done extends Admission {
  readonly frees: boolean;
}

/** @throws Refusal */
function decide(
  { offer, dynamicResponses, guests }: Acceptance,
  facts: Facts,
  newTickets: ReturnType<typeof tickets>,
  context: RequestContext,
): Decision<Done> {
  const { now, queueKey } = context;
  const { giver, user, registration: known } = facts;
  const { mark, email, fname } = offer;
  const { budget, audit } = joinRules(origin);
  // The first try of a repeated request, or an earlier use of the link, has taken the seat.
  if (known && !hasEnded(known) && known.handed?.mark === mark) return answer({ registration: known, frees: false });
  if (giver?.offer !== mark || giver.generation !== facts.event?.generation) throw linkNotValid();
  const { isPartner, pool } = giver;
  const form = { eventID: giver.eventID, year: giver.year, email, isPartner, dynamicResponses };
  const isMember = isMemberAt(user, now);
  const entry = entryFor(form, { ...facts, isMember, hasAccount: user !== undefined, origin, guests, now });
  const { event, seats, answers, entryPrice } = entry;
  if (event.termsVersion !== seats.termsVersion) return readAgain;
  if (known && isLive(known, event.generation)) throw new AlreadyRegistered(known);
  // A consumer is about to end what is left of a deleted event.
  if (known && !hasEnded(known)) return readAgain;
  assertMayHandOn(giver, event);
  assertPaidFor(giver, entryPrice);
  const full = fullChoice(answers.choices, giver.choices, seats);
  if (full !== undefined) throw new ChoiceFull(full);

  const { paidBy, paid, paidAt, deposit, seatPrices, refunded, applicationBased, code } = giver;
  const again = known && budget !== "none" ? onceMore(budget, known.again, now) : undefined;
  const newcomer = {
    ...{ email, eventID: giver.eventID, year: giver.year, fname: user?.fname || fname, basicInformation: {} },
    ...{ dynamicResponses: answers.responses, choices: answers.choices, isPartner, ...(pool && { pool }) },
    ...{ joined: origin, points: 0, ...(entryPrice !== undefined && { entryPrice }) },
    ...(applicationBased !== undefined && { applicationBased }),
    ...(paidBy !== undefined && { paidBy, ...(paid && { paid }), ...(paidAt !== undefined && { paidAt }) }),
    ...(deposit && { deposit }),
    ...(seatPrices && { seatPrices }),
    ...(refunded && { refunded }),
    // With the seat goes the use of a code, which stays used once.
    ...(code && { code }),
    handed: { mark, times: (giver.handed?.times ?? 0) + 1 },
    ...{ queueKey, generation: giver.generation, ticketId: newTickets.ofTaker, calendarUid: context.newId() },
    ...(again && { again }),
    ...(known?.amended && { amended: known.amended }),
    ...{ createdAt: now, updatedAt: now },
  } as const;
  // With the giver's confirmed status. Its notice is that of the status, too.
  const after: RegistrationRecord = { ...asEntered(newcomer, "registered", known), status: giver.status };
  const before = handedOn(giver, newTickets.ofGiver, context);
  const state = stateOf(after) as "registered" | "accepted" | "acceptedComplete";
  const change = { decided: poolOf(seats, pool), leaving: [holderOf(giver)], joining: [holderOf(after)], now };
  const members = {
    ...facts.payment,
    ...named(
      "giver",
      membersOf(
        {
          ...{ before: giver, after: before, audit, refund: false, heir: after },
          message: messageOf({ emits: "registration.cancelled", tells: "cancelled" }, before, origin),
        },
        context,
      ),
    ),
    ...membersOf(
      {
        ...{
          before: known,
          after,
          audit,
          code: "handed on" as const,
          seats: changeSeats(offer.event, claimOfTransfer, change),
        },
        message: messageOf({ emits: `registration.${state}`, tells: state }, after, origin),
      },
      context,
    ),
    offer: putOffer({ ...offer, acceptedAt: now }, event),
  };
  return write(members, { registration: after, frees: !isSame(giver.choices, after.choices) });
}

/**
 * Takes an offered seat. Idempotent.
 * @throws Unauthenticated the offer is withdrawn, or the giver's registration has changed
 * @throws NotFound NotAllowed IllegalTransition AlreadyRegistered ChoiceFull MembersOnly EventClosed TooOften ValidationFailed
 * @throws Contended UnknownOutcome
 */
export async function acceptSeat(acceptance: Acceptance, context: RequestContext): Promise<Admission> {
  const newTickets = tickets();
  const { frees, ...admission } = await execute(
    {
      read: () => readFacts(acceptance),
      decide: (facts: Facts) => decide(acceptance, facts, newTickets, context),
    },
    context,
  );
  // Another person may wait for the workshop of the giver.
  if (frees) await followUp("promote", context, () => promote(acceptance.offer.event, context));
  return admission;
}
