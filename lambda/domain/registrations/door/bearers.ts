/**
 * The tickets of a registration: the person's own, and one for each of those who come along. The door sees each of them as a
 * registration of its own. Pure.
 */

import { changeSeats } from "#domain/capacity/demands.ts";
import type { MessageContext } from "#outbox/store.ts";
import { ticketHashOf } from "../links/ticket-code.ts";
import { arrivedOf, type PlusOne } from "../record/plus-ones.ts";
import { factOf, holderOf, type RegistrationRecord } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";

/** The registration as the door sees the ticket of a plus-one. */
export function asPlusOne<R extends RegistrationRecord>(registration: R, plusOne: PlusOne): R {
  const { status, cameFrom = "registered" } = registration;
  const { checkedInAt, checkedInBy, coming, ...kept } = registration;
  const isIn = arrivedOf(registration).includes(plusOne);
  return {
    ...kept,
    ...plusOne,
    status: isIn ? "checkedIn" : status === "checkedIn" ? cameFrom : status,
    basicInformation: {},
    choices: {},
  } as unknown as R;
}

/** The registration as the door sees each of its tickets, the person's own first. */
export const bearersOf = <R extends RegistrationRecord>(registration: R): R[] => [
  registration,
  ...(registration.plusOnes ?? []).map((plusOne) => asPlusOne(registration, plusOne)),
];

/** The registration as the door sees the ticket with this hash. Undefined when no ticket of it has the hash. */
export const bearerWith = (registration: RegistrationRecord, ticketHash: string): RegistrationRecord | undefined =>
  bearersOf(registration).find(({ ticketId }) => ticketHashOf(ticketId) === ticketHash);

/** The registration as the door sees the ticket with this mark; by its own ticket when none has it. @param markOf of a ticket */
export const bearerAt = (
  registration: RegistrationRecord,
  mark: string,
  markOf: (bearer: RegistrationRecord) => string,
): RegistrationRecord => bearersOf(registration).find((bearer) => markOf(bearer) === mark) ?? registration;

/** Whether the door sees the ticket of a plus-one. */
export const comesAlong = (
  registration: RegistrationRecord,
  { ticketId }: Pick<RegistrationRecord, "ticketId">,
): boolean => ticketId !== registration.ticketId;

type Arrival = Pick<PlusOne, "checkedInAt" | "checkedInBy">;

/** Checks in a plus-one, or out: the registration after it, and the members. @param arrival empty: out */
export function arrival(
  before: RegistrationRecord,
  { ticketId }: Pick<RegistrationRecord, "ticketId">,
  arrival: Arrival,
  context: MessageContext,
) {
  const plusOnes = before.plusOnes?.map(
    (one): PlusOne => (one.ticketId === ticketId ? { ticketId, fname: one.fname, ...arrival } : one),
  );
  const after = { ...before, plusOnes, ...rewritten(context, before) };
  const change = { decided: before, leaving: [holderOf(before)], joining: [holderOf(after)] };
  const seats = changeSeats({ id: after.eventID, year: after.year }, "recount", change);
  const message = { type: "registration.updated", data: factOf(after) } as const;
  return { after, members: membersOf({ before, after, message, seats, audit: "fields" }, context) };
}
