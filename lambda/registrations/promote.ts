/** Giving free seats to those who wait, in the order of their arrival (`design.md`, section 6, PROMOTE). */
import { Contended } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type TransactItem } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import { leaveLine, readLine } from "../line/store.ts";
import type { Happening } from "../outbox/catalogue.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { mayPromote, nextInLine, type Place, type Seats, type Selection } from "../seats/seats.ts";
import { readSeats, seatWaiters } from "../seats/store.ts";
import { factOf, holderOf } from "./registration.ts";
import { seatRegistration } from "./store.ts";

/** Three members each, and one for the seats: DynamoDB takes 100. */
const maxAtOnce = 33;
const linePage = 50;

/** What somebody who waits becomes. */
export const asSeated = (place: Place) => ({ ...place, status: "registered" as const, version: place.version + 1 });

const promoted = (event: EventKey, place: Place): Happening => ({
  type: "registration.promoted",
  data: factOf({ ...asSeated(place), eventID: event.id, year: event.year }),
});

/** The members of a transaction that seats one person who waits, besides the seats themselves. */
export const seatingOf = (event: EventKey, place: Place, origin: Origin) => ({
  place: leaveLine(event, place),
  heir: seatRegistration(event, place, origin.now),
  news: outboxRow(promoted(event, place), { ...origin, actor: "system" }),
});

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
  const holders = chosen.map((place) => holderOf(asSeated(place)));
  const members: Record<string, TransactItem> = {
    seats: seatWaiters(event, seats, holders, passedOver, origin.now),
  };
  for (const [index, place] of chosen.entries()) {
    const { place: left, heir, news } = seatingOf(event, place, origin);
    Object.assign(members, { [`place${index}`]: left, [`heir${index}`]: heir, [`news${index}`]: news });
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
