/**
 * A person pays the event's present price. Where the event has none for this person any more, the entry price counts:
 * the price at which the person was let in (`docs/contract.md`, "Moves of a registration").
 */
import { describe, expect, test } from "@jest/globals";
import type { Place } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import type { EventChanges } from "#domain/events/event-input.ts";
import type { Pricing } from "#domain/events/pricing.ts";
import { emailOf, type Gala, givenGala, start } from "./gala.ts";
import { eventRecord } from "./given.ts";

const { amountOwed, priceFor } = await import("#domain/events/pricing.ts");
const { amountOwedForEvent } = await import("#domain/payments/checkout/amount-owed.ts");
const { seatSettings } = await import("#domain/events/seat-settings.ts");
const { paysFor, seatingsFor } = await import("#domain/registrations/promote.ts");

const open = { member: 5, nonMember: 20 };
const membersOnly = { member: 5, nonMember: 5 };
const noPrice = { member: 0, nonMember: 0 };
/** For members only. */
const closed = { nonBizTechAllowed: false };
const minutes = 60_000;

type Event = { readonly pricing?: Pricing; readonly nonBizTechAllowed?: boolean };

/** Columns: the event now, the entry price, and the amounts owed as a member and as a non-member. */
const table: [string, Event, number | undefined, number, number][] = [
  ["open, let in at another price", { pricing: open }, 1_000, 500, 2_000],
  ["free now", {}, 2_000, 0, 0],
  ["members only, no entry price", { pricing: membersOnly, ...closed }, undefined, 500, 500],
  ["members only, let in at 20", { pricing: membersOnly, ...closed }, 2_000, 500, 2_000],
  ["members only, let in for free", { pricing: membersOnly, ...closed }, 0, 500, 0],
  ["members only and free, let in at 20", { pricing: noPrice, ...closed }, 2_000, 0, 2_000],
  ["closed to others, no entry price", { pricing: open, nonBizTechAllowed: false }, undefined, 500, 500],
  ["closed to others, without pricing, let in at 10", { nonBizTechAllowed: false }, 1_000, 0, 1_000],
];

test.each(table)(
  "a person owes, and holds a seat from the line, when the event is %s",
  (_, event, entryPrice, ...owed) => {
    const seats = seatSettings(eventRecord(event));
    const people = [true, false];
    expect(
      people.map((isMember) => amountOwed(event, { isMember }, { ...(entryPrice !== undefined && { entryPrice }) })),
    ).toEqual(owed);
    const pays = people.map((isMember) => paysFor(seats, { entryPrice } as Place, isMember));
    expect(pays).toEqual(owed.map((amount) => amount > 0));
  },
);

const invited = {
  ...closed,
  partnerRegistrationQuestions: [{ questionId: "q", type: "TEXT", label: "Q", required: false }],
};

test.each<[string, Partial<EventRecord>, number, number | "members-only"]>([
  ["open", { pricing: open }, 2_000, 2_000],
  ["for members and partners, with a price for others", { pricing: open, ...invited }, 2_000, 2_000],
  ["for members and partners, without one", { pricing: { member: 5, nonMember: 0 }, ...invited }, 500, 500],
  ["for members only", { pricing: open, ...closed }, 500, "members-only"],
] as never)(
  "a partner has the price, and holds a seat from the line, when the event is %s",
  (_, event, asMember, asOther) => {
    const seats = seatSettings(eventRecord(event));
    const pays = (isMember: boolean) => paysFor(seats, { isPartner: true } as Place, isMember);
    expect([priceFor(event, { isMember: true, isPartner: true }), pays(true)]).toEqual([asMember, asMember > 0]);
    expect(priceFor(event, { isMember: false, isPartner: true })).toBe(asOther);
    if (asOther !== "members-only") expect(pays(false)).toBe(asOther > 0);
  },
);

/** The amount in cents that a checkout would ask for. */
const amountAsked = (gala: Gala, name: string) => {
  const known = { event: gala.event(), registration: gala.registrationOf(name) };
  return amountOwedForEvent(known, { isMember: false, isAdmin: false }, "CAD", gala.now()).amount;
};

test("a members-only event with questions for partners admits partners, and keeps them when it has none any more", async () => {
  const gala = givenGala({ pricing: { member: 5, nonMember: 0 }, capac: 1, ...invited } as never);
  await expect(gala.register("guest")).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
  expect((await gala.register("first", { isPartner: true })).registration.status).toBe("incomplete");
  expect((await gala.register("second", { isPartner: true })).registration.status).toBe("waitlist");
  gala.change({ partnerRegistrationQuestions: [] });
  await expect(gala.register("third", { isPartner: true })).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
  await gala.become("first", "cancelled");
  expect(amountAsked(gala, "second")).toBe(500);
});

/** A full event in which `waiter` waits; `first` has the seat. */
async function givenWaiter(pricing: Pricing | undefined): Promise<Gala> {
  const gala = givenGala({ capac: 1, ...(pricing && { pricing }) });
  await gala.register("first");
  gala.later(minutes);
  expect((await gala.register("waiter")).registration.status).toBe("waitlist");
  gala.later(minutes);
  return gala;
}

test.each<[string, Pricing | undefined, EventChanges, number]>([
  ["let in at 20, members only at 5 now", open, { pricing: membersOnly, ...closed }, 2_000],
  ["let in for free, members only at 5 now", undefined, { pricing: membersOnly, ...closed }, 0],
  ["let in at 20, for 30 now", open, { pricing: { member: 5, nonMember: 30 } }, 3_000],
])(
  "a waiter who takes over the seat of a person who leaves pays the right amount: %s",
  async (_, before, now, owed) => {
    const gala = await givenWaiter(before);
    gala.change(now);
    await gala.become("first", "cancelled");
    expect(gala.registrationOf("waiter").status).toBe(owed > 0 ? "incomplete" : "registered");
    if (owed > 0) expect(amountAsked(gala, "waiter")).toBe(owed);
  },
);

test.each<[string, Pricing | undefined, Pricing, string, string]>([
  ["let in at 20", open, noPrice, "incomplete", "registered"],
  ["let in for free", undefined, membersOnly, "registered", "incomplete"],
])("an admin seats a waiter of an event that is now members-only: %s", async (_, before, now, possible, impossible) => {
  const gala = await givenWaiter(before);
  gala.change({ pricing: now, ...closed, capac: 2 });
  await expect(gala.become("waiter", impossible, "admin")).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
  expect((await gala.become("waiter", possible, "admin")).registration.status).toBe(possible);
});

test("a seat that is held at 20 in an event that is now free for members still costs 20, until the person is a member", async () => {
  const gala = givenGala({ pricing: open });
  await gala.register("guest");
  gala.change({ pricing: noPrice, ...closed });
  expect(amountAsked(gala, "guest")).toBe(2_000);
  await expect(gala.become("guest", "registered")).rejects.toMatchObject({ code: "FORBIDDEN" });
  // A second registration answers again how to pay, because the person was let in.
  expect(await gala.register("guest")).toMatchObject({ registration: { status: "incomplete", version: 1 } });
  gala.givenMember("guest");
  expect((await gala.register("guest")).registration.status).toBe("registered");
});

test.each<[string, Pricing | undefined, Pricing, string]>([
  ["free", undefined, membersOnly, "accepted"],
  ["at 20", open, noPrice, "acceptedPending"],
])("an application that was let in %s is accepted at that price", async (_, before, now, accepted) => {
  const gala = givenGala({ isApplicationBased: true, ...(before && { pricing: before }) });
  await gala.register("guest");
  gala.change({ pricing: now, ...closed });
  expect((await gala.become("guest", accepted, "admin")).registration.status).toBe(accepted);
});

describe("a members-only event", () => {
  test("refuses non-members, also those who have cancelled, and keeps those who wait", async () => {
    const gala = await givenWaiter(open);
    await gala.become("waiter", "cancelled");
    gala.change({ pricing: membersOnly, ...closed });
    for (const name of ["waiter", "another"])
      await expect(gala.register(name)).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
    const other = await givenWaiter(open);
    other.change({ pricing: membersOnly, ...closed });
    await expect(other.register("waiter")).rejects.toMatchObject({ code: "DUPLICATE" });
  });

  test("costs a non-member whom an admin lets in, for the first time or again, the members' present price", async () => {
    const gala = givenGala({ pricing: open });
    await gala.register("guest");
    await gala.become("guest", "cancelled");
    gala.change({ pricing: membersOnly, ...closed });
    await gala.become("guest", "incomplete", "admin");
    await gala.register("another", { byAdmin: true });
    gala.change({ pricing: { member: 8 } });
    expect(["guest", "another"].map((name) => amountAsked(gala, name))).toEqual([800, 800]);
  });
});

describe("a seat that another request gives is held", () => {
  const second = 1_000;
  test.each([
    ["24 hours for a person who waits", {}, 0, 24 * 60],
    ["30 minutes while the person's own request waits for it", { isAsking: true }, 14 * second, 30],
    ["24 hours when that request is over", { isAsking: true }, 15 * second, 24 * 60],
  ])("%s", async (_, mark, later, heldMinutes) => {
    const gala = givenGala({ pricing: { member: 5, nonMember: 5 } });
    const place = { email: emailOf("a"), queueKey: `${start}#a`, entryPrice: 500, ...mark } as Place;
    const now = start + later;
    const seats = { ...gala.seats(), startsAt: now + 48 * 60 * minutes };
    const [seating] = await seatingsFor([place], seats, { now, queueKey: "another" } as never);
    expect(seating).toEqual({ status: "incomplete", holdExpiresAt: now + heldMinutes * minutes });
  });

  test.each(["applicant", "waitlist", "rejected"])("72 hours for an accepted application, from: %s", async (from) => {
    const gala = givenGala({ isApplicationBased: true, pricing: { member: 5, nonMember: 5 } });
    await gala.register("ada");
    if (from !== "applicant") await gala.become("ada", from, "admin");
    await gala.become("ada", "acceptedPending", "admin");
    expect(gala.registrationOf("ada").holdExpiresAt).toBe(start + 72 * 60 * minutes);
  });
});

describe("the accounts that a promotion has to read", () => {
  const placeOf = (name: string, entryPrice?: number) =>
    ({ email: emailOf(name), queueKey: `${start}#${name}`, ...(entryPrice !== undefined && { entryPrice }) }) as Place;
  const context = { now: start, queueKey: "another" } as never;

  test.each<[string, Event, Place[], number]>([
    ["no account where members pay like others", { pricing: { member: 5, nonMember: 5 } }, [placeOf("a", 0)], 0],
    ["no account where only members waited", { pricing: membersOnly, ...closed }, [placeOf("a", 500), placeOf("b")], 0],
    ["the accounts that make a difference", { pricing: noPrice, ...closed }, [placeOf("a", 0), placeOf("b", 1_000)], 1],
    ["each account where only others pay", { pricing: { member: 0, nonMember: 5 } }, [placeOf("a"), placeOf("b")], 1],
  ])("reads %s", async (_, event, places, reads) => {
    const gala = givenGala(event);
    await seatingsFor(places, gala.seats(), context);
    expect(gala.calls).toHaveLength(reads);
  });
});
