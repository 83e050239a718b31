/** Giving free seats to those who wait, in the order of their arrival (`design.md`, section 6, PROMOTE). */
import { Contended } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type TransactItem } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import { holdDurations } from "../holds/durations.ts";
import { holdUntil } from "../holds/holds.ts";
import { putHold } from "../holds/store.ts";
import { leaveLine, readLine } from "../line/store.ts";
import type { Happening } from "../outbox/catalogue.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { mayPromote, nextInLine, type Place, type Seats, type Selection } from "../seats/seats.ts";
import { readSeats, seatWaiters } from "../seats/store.ts";
import { readUsers } from "../users/store.ts";
import { factOf, holderOf } from "./registration.ts";
import { type Seating, seatRegistration } from "./store.ts";

/** Four members each at most, and one for the seats: DynamoDB takes 100. */
const maxAtOnce = 24;
const linePage = 50;

/** What somebody who waits becomes. */
export const asSeated = (place: Place, { status }: Seating) => ({ ...place, status, version: place.version + 1 });

const promoted = (event: EventKey, place: Place, seating: Seating): Happening => ({
  type: "registration.promoted",
  data: {
    ...factOf({ ...asSeated(place, seating), eventID: event.id, year: event.year }),
    notice: seating.status,
  },
});

/** The members of a transaction that seats one person who waits, besides the seats themselves. */
export function seatingMembers(event: EventKey, place: Place, seating: Seating, origin: Origin) {
  const { holdExpiresAt: expiresAt } = seating;
  return {
    heirPlace: leaveLine(event, place),
    heir: seatRegistration(event, place, seating, origin.now),
    ...(expiresAt !== undefined && { heirHold: putHold({ email: place.email, event, expiresAt }) }),
    heirNews: outboxRow(promoted(event, place, seating), { ...origin, actor: "system" }),
  };
}

export const forFree: Seating = { status: "registered" };

/** How each of these people gets their seat: at once, or held until they pay. */
export async function seatingsFor(
  places: readonly Place[],
  { pays, startsAt }: Pick<Seats, "pays" | "startsAt">,
  now: number,
): Promise<readonly Seating[]> {
  const held: Seating = { status: "incomplete", holdExpiresAt: holdUntil(now, holdDurations.promotion, startsAt) };
  if (pays.member === pays.nonMember) return places.map(() => (pays.member ? held : forFree));
  const users = await readUsers(places.map(({ email }) => email));
  return places.map(({ email }) => ((users.get(email)?.isMember ? pays.member : pays.nonMember) ? held : forFree));
}

/** The first people in line whose choices have room, reading no more of the line than is needed. */
export async function selectFromLine(event: EventKey, seats: Seats, count: number): Promise<Selection> {
  const line: Place[] = [];
  let selection: Selection = { chosen: [], passedOver: [] };
  for await (const places of readLine(event, seats.incarnation, Math.min(count, linePage))) {
    line.push(...places);
    selection = nextInLine(line, seats, count);
    if (selection.chosen.length >= count) break;
  }
  return selection;
}

/**
 * Seats everybody who can be seated now.
 * @returns emails of those who were
 * @throws Contended some may have been seated; running it again continues
 */
export async function promote(event: EventKey, origin: Origin): Promise<string[]> {
  const emails: string[] = [];
  for (;;) {
    const places = await untilSettled(() => promoteSome(event, origin));
    if (places.length === 0) return emails;
    emails.push(...places.map(({ email }) => email));
  }
}

async function promoteSome(event: EventKey, origin: Origin): Promise<readonly Place[] | typeof again> {
  const seats = await readSeats(event, "strong");
  if (!seats || !mayPromote(seats, origin.now)) return [];
  const count = Math.min(seats.cap - seats.seats, maxAtOnce);
  const { chosen, passedOver } = await selectFromLine(event, seats, count);
  if (chosen.length === 0) return [];
  const seatings = await seatingsFor(chosen, seats, origin.now);
  const seatingOf = (index: number) => seatings[index] as Seating;
  const holders = chosen.map((place, index) => holderOf(asSeated(place, seatingOf(index))));
  const members: Record<string, TransactItem> = {
    seats: seatWaiters(event, seats, holders, passedOver, origin.now),
  };
  for (const [index, place] of chosen.entries()) {
    for (const [name, member] of Object.entries(seatingMembers(event, place, seatingOf(index), origin))) {
      members[`${name}${index}`] = member;
    }
  }
  const { committed } = await commit(members);
  return committed ? chosen : again;
}

/**
 * Seats everybody who can be seated, after a change that is committed already: the change stands when others contend
 * for the seats, and they fill them.
 * @returns emails of those who were seated here
 */
export async function promoteOrLeaveToOthers(event: EventKey, origin: Origin): Promise<string[]> {
  try {
    return await promote(event, origin);
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    log.warn("promotion left to others", { event: event.id, year: event.year });
    return [];
  }
}
