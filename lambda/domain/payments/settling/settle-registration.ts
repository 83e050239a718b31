/**
 * Settles a payment for a registration. Each payment is settled once, as a seat or as a refund, even if the provider's
 * events are duplicated or out of order (`docs/design.md`, "Payments").
 */

import { allocate, type Claim, type Line } from "#domain/capacity/allocate.ts";
import { changeSeats } from "#domain/capacity/demands.ts";
import { readLineFor } from "#domain/capacity/line.ts";
import type { Seats } from "#domain/capacity/seats.ts";
import { poolOf, readSeats, seatsByCode } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { plusOnePrice } from "#domain/events/pricing.ts";
import { readEvent } from "#domain/events/store.ts";
import { readLostCode } from "#domain/registrations/admission.ts";
import { chosenIn, questionsFor } from "#domain/registrations/form/answers.ts";
import { isRevivable } from "#domain/registrations/record/acts.ts";
import { findMove } from "#domain/registrations/record/moves.ts";
import { peopleIn } from "#domain/registrations/record/plus-ones.ts";
import { holderOf, placeOf, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { type State, stateOf } from "#domain/registrations/record/statuses.ts";
import { afterMove, messageOf } from "#domain/registrations/record/transition.ts";
import { type ChangeMembers, membersOf, moved } from "#domain/registrations/store/change.ts";
import { type RegistrationKey, readRegistration } from "#domain/registrations/store/store.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, readAgain, write } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { isForAll, isPresentPrice } from "../checkout/amount-owed.ts";
import { restAfter } from "../record/by-hand.ts";
import { assertOpen } from "../record/journal-store.ts";
import { type ArrivedMoney, completedMessage, refundMessage } from "../record/money.ts";
import type { Settlement } from "../record/payment.ts";
import { readSettlement, settlementMembers } from "../record/payment-store.ts";
import { NothingToPay } from "../refusals.ts";

/** Money received for a seat. */
export interface SeatPayment extends RegistrationKey, ArrivedMoney {
  /** The queueKey of the paid registration. Registering again creates another one. */
  readonly queueKey: string;
  /** For how many people who come along it is, besides the person. */
  readonly plusOnes?: number | undefined;
}

interface Facts {
  readonly before: Settlement | undefined;
  readonly current: RegistrationRecord | undefined;
  readonly event: EventRecord | undefined;
  /** Seats and line are read only for an expired hold. */
  readonly seats?: Seats | undefined;
  readonly line?: Line | undefined;
  /** The code of which the registration would take a use again. */
  readonly code?: Awaited<ReturnType<typeof readLostCode>>;
  /** The event was deleted, and perhaps created again. There are no more seats of its generation. */
  readonly isGone: boolean;
}

/** The prices of the seats that together cost what was asked for. */
function seatPricesOf(event: EventRecord | undefined, { money, byHand, plusOnes = 0 }: SeatPayment) {
  if (!event || plusOnes === 0) return {};
  const price = byHand?.price ?? money.amount;
  // An executive may have been asked for an amount of a moment ago.
  const plusOne = Math.min(plusOnePrice(event), Math.floor(price / plusOnes));
  return { seatPrices: { own: price - plusOnes * plusOne, plusOne } };
}

const paidWith = (payment: SeatPayment, { event, current }: Facts, { now }: RequestContext) => {
  const { paymentId, money, byHand } = payment;
  return {
    ...{ paidBy: paymentId, paid: money, paidAt: now },
    ...seatPricesOf(event, payment),
    ...(current?.deposit && { deposit: "held" as const }),
    ...{ refunded: undefined, owes: (byHand && restAfter(byHand, money.amount)) || undefined },
  };
};

/** The transaction members that settle a registration that waits for this payment. Undefined when it does not wait. */
function settled(
  current: RegistrationRecord,
  facts: Facts,
  payment: SeatPayment,
  context: RequestContext,
): ChangeMembers | undefined {
  const { event } = facts;
  const state = stateOf(current) as State;
  const to = state === "incomplete" ? "registered" : state === "acceptedPending" ? "acceptedComplete" : undefined;
  const move = to && findMove(state, to, { priced: true, application: false }, "payment");
  // If the price changes at this moment, the money is not what is asked for.
  const [claim, decided] = event ? (["recountUnderTerms", event] as const) : (["recountAlways", current] as const);
  const details = { audit: "fields", fields: paidWith(payment, facts, context) } as const;
  return move && moved(current, move, claim, decided, context, details).members;
}

const registeredAgain = { to: "registered", emits: "registration.registered", tells: "registered" } as const;
/** Accepted applicants do not have to apply again. */
const acceptedAgain = {
  to: "acceptedComplete",
  emits: "registration.acceptedComplete",
  tells: "acceptedComplete",
} as const;

/**
 * Whether the registration ended because its hold expired before the payment arrived. One of a deleted account is not
 * revived: a paid one would have been cancelled with the account.
 */
const isLate = ({ status, left, ofDeletedAccount }: RegistrationRecord): boolean =>
  status === "cancelled" && isRevivable(left) && !ofDeletedAccount;

/** A late payer is behind all people in line, like a newcomer. */
const claimOf = (registration: RegistrationRecord): Claim => ({ kind: "newcomer", person: placeOf(registration) });

/**
 * The transaction members that give a seat to a late payer. Undefined when a newcomer would not get a seat now
 * (`docs/design.md`, "The capacity protocol").
 */
function revived(
  current: RegistrationRecord,
  facts: Facts,
  payment: SeatPayment,
  context: RequestContext,
): ChangeMembers | undefined {
  const { seats, line, code } = facts;
  if (!seats || seats.generation !== current.generation) return undefined;
  if (seats.state !== "OPEN" || seats.startsAt <= context.now) return undefined;
  // Others have used up the code since the hold expired.
  if (code && code !== "gone" && code.used >= code.uses) return undefined;
  const allocation = allocate(seats, line, claimOf(current), context.now);
  if (allocation.kind !== "seated") return undefined;
  const move = current.applicationBased ? acceptedAgain : registeredAgain;
  const after = afterMove(current, move, context, paidWith(payment, facts, context));
  const joining = [holderOf(after)];
  const change = { decided: seats, joining, turn: allocation.turn, now: context.now };
  const seat = changeSeats(payment.event, "latePayment", change);
  const message = messageOf(move, after);
  return membersOf({ before: current, after, message, seats: seat, audit: "fields", code }, context);
}

/** The seats that a late payer finds: those of the allotment only by the code, and while it is there. */
function seatsFor(stored: RegistrationRecord, taken: Seats, code: Facts["code"]): Seats {
  if (stored.pool === "partners") return poolOf(taken, stored.pool);
  const isInvited = code !== undefined && code !== "gone" && code.kind === "access";
  return isInvited ? seatsByCode(taken, peopleIn([stored])) : taken;
}

async function read(payment: SeatPayment, isGone: boolean, context: RequestContext): Promise<Facts> {
  const { event, paymentId, queueKey } = payment;
  const [before, stored, latest] = await Promise.all([
    readSettlement(paymentId),
    readRegistration(payment, "strong"),
    readEvent(event),
  ]);
  // An event that was created again says nothing about the registration.
  const record = latest?.generation === stored?.generation ? latest : undefined;
  if (!stored || stored.queueKey !== queueKey || !isLate(stored)) {
    return { before, current: stored, event: record, isGone };
  }
  const [taken, code] = await Promise.all([readSeats(event, "strong"), readLostCode(stored)]);
  const seats = taken && seatsFor(stored, taken, code);
  // A question may have become a workshop selection, or stopped being one, since the hold expired.
  const adopted = record ? { ...stored, choices: chosenIn(questionsFor(stored, record), stored) } : stored;
  const current = seats ? { ...adopted, pool: seats.pool } : adopted;
  const line = seats && (await readLineFor(event, seats, claimOf(current), context.now));
  return { before, current, event: record, seats, line, code, isGone };
}

function decide(payment: SeatPayment, facts: Facts, context: RequestContext): Decision<Settlement, boolean> {
  const { event, queueKey, plusOnes } = payment;
  const { before, current, isGone } = facts;
  if (before) return answer(before);
  // The event changed between the two reads.
  if (facts.event && facts.seats && facts.event.termsVersion !== facts.seats.termsVersion) return readAgain;
  const { amount } = payment.money;
  // What an executive takes is what is asked for, if it is for as many people.
  const isAsked =
    !current ||
    (payment.byHand || !facts.event
      ? isForAll(current, plusOnes)
      : isPresentPrice(facts.event, current, amount, plusOnes));
  const isPaid = current?.queueKey === queueKey;
  const mayHaveSeat = isPaid && !isGone && isAsked;
  const seat = mayHaveSeat && (isLate(current) ? revived : settled)(current, facts, payment, context);
  if (!seat && payment.byHand) throw new NothingToPay("No seat of this person waits for money.");
  const as: Settlement = seat ? "seat" : "refund";
  const purpose = { kind: "event", event, queueKey, ...(plusOnes && { plusOnes }) } as const;
  const message = seat ? completedMessage(payment, purpose) : refundMessage(payment, purpose, "nothing to pay");
  const ofSeat = {
    ...(isPaid && current.code && { code: current.code }),
    ...(seat && current?.deposit && { deposit: "held" as const }),
  };
  const members = {
    ...seat,
    paymentMessage: outboxRow(message, context),
    ...settlementMembers({ ...payment, ...ofSeat }, as, purpose, context),
  };
  return write(members, as, ({ seats, ...refused }: { readonly seats?: Seats | null }) => {
    assertOpen(refused);
    // The event was created again, so a retry can never succeed.
    return seats !== undefined && seats?.generation !== current?.generation;
  });
}

/**
 * Settles a payment.
 * @throws NothingToPay MonthClosed money that was taken by hand finds no seat; its month is closed
 * @throws Contended UnknownOutcome the provider must resend its event
 */
export const settle = (payment: SeatPayment, context: RequestContext, keep?: Keep<Settlement>): Promise<Settlement> =>
  execute(
    {
      keep,
      read: (isGone: boolean | undefined) => read(payment, isGone ?? false, context),
      decide: (facts: Facts) => decide(payment, facts, context),
    },
    context,
  );
