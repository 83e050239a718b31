/**
 * Gives free seats to the people in line, in the order of the queueKeys. It repeats one transaction that seats some of
 * them (`docs/design.md`, "The capacity protocol").
 */

import type { EventKey } from "#domain/events/event.ts";
import { readUsers } from "#domain/people/users/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { Contended } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { Patience } from "#kit/retry.ts";
import type { TransactItem } from "#kit/table.ts";
import type { OutboxMessage } from "#outbox/catalogue.ts";
import { outboxRow } from "#outbox/store.ts";
import { holdDurations } from "./holds/durations.ts";
import { holdUntil } from "./holds/holds.ts";
import { putHold } from "./holds/store.ts";
import { leaveLine, pageSizes, readLine } from "./line/store.ts";
import { factOf, holderOf } from "./registration.ts";
import {
  hasWaited,
  isStillAsking,
  mayPromote,
  nextInLine,
  type Place,
  paysFor,
  type Seats,
  type Selection,
} from "./seats/seats.ts";
import { readSeats, seatWaiters } from "./seats/store.ts";
import { type Seating, seatRegistration } from "./store.ts";

/**
 * Most people in one transaction. All items of a transaction have at most 4 MB together, and a registration may have
 * 200 KB of answers. The limit of 100 members would allow 24 people: four members for each, and one for the seats.
 */
export const maxAtOnce = 16;

/** The waiting person with the new status, as the seats and the message need it. */
export const asSeated = (place: Place, { status }: Seating) => ({ ...place, status, version: place.version + 1 });

const promoted = (event: EventKey, place: Place, seating: Seating, now: number): OutboxMessage => ({
  type: "registration.promoted",
  data: {
    ...factOf({ ...asSeated(place, seating), eventID: event.id, year: event.year }),
    notice: seating.status,
    movedUp: hasWaited(place, now),
  },
});

/** The transaction members that seat one waiting person, without the member of the seats. */
export function seatingMembers(event: EventKey, place: Place, seating: Seating, context: RequestContext) {
  const { holdExpiresAt: expiresAt } = seating;
  return {
    heirPlace: leaveLine(event, place),
    heir: seatRegistration(event, place, seating, context.now),
    ...(expiresAt !== undefined && { heirHold: putHold({ email: place.email, event, expiresAt }) }),
    heirMessage: outboxRow(promoted(event, place, seating, context.now), { ...context, actor: "system" }),
  };
}

export const forFree: Seating = { status: "registered" };

/**
 * For each person: a confirmed seat, or a held seat if the person has to pay. A person who gets the seat by their own
 * request, or while it waits, has as much time to pay as a newcomer. Other people have more time, because they may not know of
 * the seat yet.
 */
export async function seatingsFor(
  places: readonly Place[],
  seats: Pick<Seats, "mustPay" | "startsAt">,
  { now, queueKey }: RequestContext,
): Promise<readonly Seating[]> {
  const { newRegistration, promotion } = holdDurations;
  const held = (place: Place): Seating => {
    const isOwn = place.queueKey === queueKey || isStillAsking(place, now);
    const duration = isOwn ? newRegistration : promotion;
    return { status: "incomplete", holdExpiresAt: holdUntil(now, duration, seats.startsAt) };
  };
  const dependsOnMembership = (place: Place) => paysFor(seats, place, true) !== paysFor(seats, place, false);
  const emails = places.filter(dependsOnMembership).map(({ email }) => email);
  const users = emails.length > 0 ? await readUsers(emails) : undefined;
  const isMember = ({ email }: Place) => users?.get(email)?.isMember ?? false;
  return places.map((place) => (paysFor(seats, place, isMember(place)) ? held(place) : forFree));
}

/** The first people in line whose choices have room. It reads only the needed part of the line. */
export async function selectFromLine(event: EventKey, seats: Seats, count: number): Promise<Selection> {
  const line: Place[] = [];
  let selection: Selection = { chosen: [], passedOver: [] };
  for await (const places of readLine(event, seats.generation, Math.max(pageSizes.first, count))) {
    line.push(...places);
    selection = nextInLine(line, seats, count);
    if (selection.chosen.length >= count) break;
  }
  return selection;
}

/** The people who can be seated now, and the seats that were read. */
interface Facts extends Selection {
  readonly seats: Seats | undefined;
  readonly seatings: readonly Seating[];
}

async function readFacts(event: EventKey, context: RequestContext): Promise<Facts> {
  const seats = await readSeats(event, "strong");
  if (!seats || !mayPromote(seats, context.now)) return { seats: undefined, chosen: [], passedOver: [], seatings: [] };
  const count = Math.min(seats.capacity - seats.seats, maxAtOnce);
  const selection = await selectFromLine(event, seats, count);
  return { seats, ...selection, seatings: await seatingsFor(selection.chosen, seats, context) };
}

function decide(event: EventKey, facts: Facts, context: RequestContext): Decision<readonly Place[]> {
  const { seats, chosen, passedOver, seatings } = facts;
  if (!seats || chosen.length === 0) return answer([]);
  const seatingOf = (index: number) => seatings[index] as Seating;
  const holders = chosen.map((place, index) => holderOf(asSeated(place, seatingOf(index))));
  const members: Record<string, TransactItem> = {
    seats: seatWaiters(event, seats, holders, passedOver, context.now),
  };
  for (const [index, place] of chosen.entries()) {
    for (const [name, member] of Object.entries(seatingMembers(event, place, seatingOf(index), context))) {
      members[`${name}${index}`] = member;
    }
  }
  return write(members, chosen);
}

/**
 * Seats all people in line who can get a seat now.
 * @returns the emails of the people who got a seat
 * @throws Contended UnknownOutcome some people may have got a seat; another run continues
 */
export async function promote(event: EventKey, context: RequestContext): Promise<string[]> {
  const emails: string[] = [];
  const patience = new Patience(context);
  for (;;) {
    const places = await execute(
      {
        depth: "certain",
        read: () => readFacts(event, context),
        decide: (facts: Facts) => decide(event, facts, context),
      },
      context,
    );
    if (places.length === 0) return emails;
    if (patience.isOver) throw new Contended();
    emails.push(...places.map(({ email }) => email));
  }
}
