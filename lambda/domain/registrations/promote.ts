/**
 * Gives free seats to the people in line, in order, by repeated transactions that each seat several people
 * (`docs/design.md`, "The capacity protocol").
 */
import { type Allocation, allocate, type Turn } from "#domain/capacity/allocate.ts";
import { changeSeats } from "#domain/capacity/demands.ts";
import { readLineFor } from "#domain/capacity/line.ts";
import { type EventKey, type Holder, type Place, poolsInUse, readSeats, type Seats } from "#domain/capacity/seats.ts";
import { readUsers } from "#domain/people/users/store.ts";
import { Contended } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { Backoff } from "#kit/table/retry.ts";
import type { TransactItem } from "#kit/table/table.ts";
import { holdDurations } from "./holds/durations.ts";
import { holdUntil } from "./holds/holds.ts";
import { peopleIn } from "./record/plus-ones.ts";
import { countsAsMember, factOf, holderOf } from "./record/registration.ts";
import { hasWaited, isStillAsking } from "./record/waiting.ts";
import { type Placed, placedMembers } from "./store/change.ts";
import { type Seating, seatRegistration } from "./store/store.ts";

/** Whether a person who gets a seat from the line has to pay for it, or for who comes along. */
export function paysFor(
  { mustPay, mode }: Pick<Seats, "mustPay" | "mode">,
  {
    entryPrice,
    agreedPrice,
    isPartner,
    brings = 0,
  }: Pick<Place, "entryPrice" | "agreedPrice" | "isPartner" | "brings">,
  isMember: boolean,
): boolean {
  // Without a price for non-members, who comes along pays that of members (`plusOnePrice`).
  if (brings > 0 && (mustPay.nonMember ?? mode === "priced")) return true;
  if (agreedPrice === 0) return false;
  const partnerPays = mustPay.partner ?? mustPay.nonMember;
  if (isPartner && partnerPays !== undefined) return partnerPays;
  if (isMember) return mustPay.member;
  return mustPay.nonMember ?? (entryPrice === undefined ? mustPay.member : entryPrice > 0);
}

/**
 * For each person: a confirmed seat, or a held seat if the person has to pay. A person who gets the seat while their own
 * request runs has as much time to pay as a newcomer. Others get more time, because they do not know of the seat yet.
 */
export async function seatingsFor(
  places: readonly Place[],
  seats: Pick<Seats, "mustPay" | "mode" | "startsAt">,
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
  const users = emails.length > 0 ? await readUsers(emails, "strong") : undefined;
  const isMember = (place: Place) => countsAsMember(users?.get(place.email), place);
  return places.map((place) => (paysFor(seats, place, isMember(place)) ? held(place) : { status: "registered" }));
}

/** The registration of a person in line after the person got a seat. */
const seated = (place: Place, seating: Seating): Pick<Placed, "status" | "holdExpiresAt"> & Place => ({
  ...place,
  ...seating,
  version: place.version + 1,
});

/** A person in line as the seats count them once seated. */
export const seatedHolder = (place: Place, seating: Seating): Holder => holderOf(seated(place, seating));

/** What the seats count of people in line who get a seat now. */
export const waitedFor = (places: readonly Place[], { now }: RequestContext) => ({
  promoted: peopleIn(places.filter((place) => hasWaited(place, now))),
  now,
});

/** The transaction members that seat one waiting person, except for the seats item. */
export function seatingMembers(event: EventKey, place: Place, seating: Seating, context: RequestContext) {
  const of = { eventID: event.id, year: event.year };
  const before: Placed = { ...place, ...of, status: "waitlist" };
  const after: Placed = { ...seated(place, seating), ...of };
  const message = {
    type: "registration.promoted",
    data: { ...factOf(after), notice: seating.status },
  } as const;
  return {
    registration: seatRegistration(event, place, seating, context.now),
    ...placedMembers({ before, after, message, audit: "fields" }, { ...context, actor: "system" }),
  };
}

/** Prefixes the members' names, because a transaction seats several people. */
export const named = (name: string, members: Readonly<Record<string, TransactItem>>) =>
  Object.fromEntries(Object.entries(members).map(([of, member]) => [`${name} ${of}`, member]));

/** The people of one line who can be seated now, and the seats of their pool. */
interface Facts {
  readonly seats: Seats;
  readonly people: readonly Place[];
  readonly seatings: readonly Seating[];
  readonly turn: Turn;
}

/**
 * The people in a pool's line who can get one of its free seats now, at most as many as fit one transaction.
 * @param seats of the pool
 * @param now epoch milliseconds
 */
export async function nextToPromote(event: EventKey, seats: Seats, now: number): Promise<Allocation> {
  const claim = { kind: "line" } as const;
  return allocate(seats, await readLineFor(event, seats, claim, now), claim, now);
}

async function readFacts(event: EventKey, context: RequestContext): Promise<Facts | undefined> {
  const seats = await readSeats(event, "strong");
  if (!seats) return undefined;
  for (const pool of poolsInUse(seats)) {
    const allocation = await nextToPromote(event, pool, context.now);
    if (allocation.kind !== "seated") continue;
    const { people, turn } = allocation;
    return { seats: pool, people, turn, seatings: await seatingsFor(people, pool, context) };
  }
  return undefined;
}

function decide(event: EventKey, facts: Facts | undefined, context: RequestContext): Decision<readonly Place[]> {
  if (!facts) return answer([]);
  const { seats, people, turn } = facts;
  const seated = people.map((place, n) => ({ place, seating: facts.seatings[n] as Seating }));
  const joining = seated.map(({ place, seating }) => seatedHolder(place, seating));
  const members: Record<string, TransactItem> = {
    seats: changeSeats(event, "line", { decided: seats, joining, turn, ...waitedFor(people, context) }),
  };
  for (const [n, { place, seating }] of seated.entries()) {
    Object.assign(members, named(`person ${n}`, seatingMembers(event, place, seating, context)));
  }
  return write(members, people);
}

/**
 * Seats all people in line who can get a seat now.
 * @returns the emails of the people who got a seat
 * @throws Contended UnknownOutcome some people may have got a seat; the next run continues
 */
export async function promote(event: EventKey, context: RequestContext): Promise<string[]> {
  const emails: string[] = [];
  const backoff = new Backoff(context);
  for (;;) {
    const places = await execute(
      {
        read: () => readFacts(event, context),
        decide: (facts: Facts | undefined) => decide(event, facts, context),
      },
      context,
    );
    if (places.length === 0) return emails;
    if (backoff.isOver) throw new Contended();
    emails.push(...places.map(({ email }) => email));
  }
}
