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

const { amountOwed, priceFor } = await import("#domain/events/pricing.ts");
const { amountOwedForEvent } = await import("#domain/payments/checkout/amount-owed.ts");
const { seatSettings } = await import("#domain/events/seat-settings.ts");
const { paysFor } = await import("#domain/registrations/promote.ts");
const { seatingsFor } = await import("#domain/registrations/promote.ts");

const open = { member: 5, nonMember: 20 };
const membersOnly = { member: 5, nonMember: 5 };
const noPrice = { member: 0, nonMember: 0 };
/** For members only. */
const closed = { nonBizTechAllowed: false };
const minutes = 60_000;

type Event = { readonly pricing?: Pricing; readonly nonBizTechAllowed?: boolean };

/** Columns: the event now, the entry price, and the amounts owed as a member and as a non-member. */
const table: [string, Event, number | undefined, number, number][] = [
  ["open, no entry price", { pricing: open }, undefined, 500, 2_000],
  ["open, let in at another price", { pricing: open }, 1_000, 500, 2_000],
  ["open, let in for free", { pricing: open }, 0, 500, 2_000],
  ["free now", {}, 2_000, 0, 0],
  ["free for others now", { pricing: { member: 5, nonMember: 0 } }, 2_000, 500, 0],
  ["members only, no entry price", { pricing: membersOnly, ...closed }, undefined, 500, 500],
  ["members only, let in at 20", { pricing: membersOnly, ...closed }, 2_000, 500, 2_000],
  ["members only, let in for free", { pricing: membersOnly, ...closed }, 0, 500, 0],
  ["members only and free, let in at 20", { pricing: noPrice, ...closed }, 2_000, 0, 2_000],
  ["members only and free, no entry price", { pricing: noPrice, ...closed }, undefined, 0, 0],
  ["closed to others, let in at 20", { pricing: open, nonBizTechAllowed: false }, 2_000, 500, 2_000],
  ["closed to others, no entry price", { pricing: open, nonBizTechAllowed: false }, undefined, 500, 500],
  ["closed to others, without pricing, let in at 10", { nonBizTechAllowed: false }, 1_000, 0, 1_000],
];

describe.each(table)("when the event is %s, a person", (_, event, entryPrice, asMember, asOther) => {
  test("owes the right amount", () => {
    expect(amountOwed(event, { isMember: true }, entryPrice)).toBe(asMember);
    expect(amountOwed(event, { isMember: false }, entryPrice)).toBe(asOther);
  });

  test("gets a seat from the line that is held exactly if an amount is owed", () => {
    const seats = seatSettings({ ...givenGala().event(), ...event });
    const place = { entryPrice } as Place;
    expect(paysFor(seats, place, true)).toBe(asMember > 0);
    expect(paysFor(seats, place, false)).toBe(asOther > 0);
  });
});

const invited = {
  ...closed,
  partnerRegistrationQuestions: [{ questionId: "q", type: "TEXT", label: "Q", required: false }],
};

describe.each<[string, Partial<EventRecord>, number | "members-only", number | "members-only"]>([
  ["open", { pricing: open }, 2_000, 2_000],
  ["open and free for others", { pricing: { member: 5, nonMember: 0 } }, 0, 0],
  ["for members and partners, with a price for others", { pricing: open, ...invited }, 2_000, 2_000],
  [
    "for members and partners, without a price for others",
    { pricing: { member: 5, nonMember: 0 }, ...invited },
    500,
    500,
  ],
  ["for members and partners, for nothing", invited, 0, 0],
  ["for members only", { pricing: open, ...closed }, 500, "members-only"],
] as never)("when the event is %s, a partner", (_, event, asMember, asOther) => {
  test("has the right price, as a member and as none", () => {
    expect(priceFor(event, { isMember: true, isPartner: true })).toBe(asMember);
    expect(priceFor(event, { isMember: false, isPartner: true })).toBe(asOther);
  });

  test("gets a seat from the line that is held exactly if that is a price", () => {
    const seats = seatSettings({ ...givenGala().event(), ...event });
    const pays = (isMember: boolean) => paysFor(seats, { isPartner: true } as Place, isMember);
    expect(pays(true)).toBe(Number(asMember) > 0);
    if (asOther !== "members-only") expect(pays(false)).toBe(Number(asOther) > 0);
  });
});

describe("a members-only event with questions for partners", () => {
  test("admits partners, seats them from the line, and asks them for the price; others are refused", async () => {
    const gala = givenGala({ pricing: { member: 5, nonMember: 0 }, capac: 1, ...invited } as never);
    await expect(gala.register("guest")).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
    expect((await gala.register("first", { isPartner: true })).registration.status).toBe("incomplete");
    expect((await gala.register("second", { isPartner: true })).registration.status).toBe("waitlist");
    await gala.become("first", "cancelled");
    expect(gala.registrationOf("second").status).toBe("incomplete");
    expect(amountAsked(gala, "second")).toBe(500);
  });

  test("refuses partners once it has no questions for them, and keeps those whom it admitted", async () => {
    const gala = givenGala({ pricing: { member: 5, nonMember: 0 }, ...invited } as never);
    await gala.register("first", { isPartner: true });
    gala.change({ partnerRegistrationQuestions: [] });
    await expect(gala.register("second", { isPartner: true })).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
    expect(amountAsked(gala, "first")).toBe(500);
  });
});

/** The amount in cents that a checkout would ask for. */
const amountAsked = (gala: Gala, name: string, isMember = false) => {
  const known = { event: gala.event(), registration: gala.registrationOf(name) };
  return amountOwedForEvent(known, { isMember, isAdmin: false }, "CAD", gala.now()).amount;
};

/** A full event in which `waiter` waits; `first` has the seat. */
async function givenWaiter(pricing: Pricing | undefined, { isMember = false } = {}): Promise<Gala> {
  const gala = givenGala({ capac: 1, ...(pricing && { pricing }) });
  if (isMember) gala.givenMember("waiter");
  await gala.register("first");
  gala.later(minutes);
  expect((await gala.register("waiter")).registration.status).toBe("waitlist");
  gala.later(minutes);
  return gala;
}

/** The ways in which the waiter gets a seat. */
const seatings: [string, (gala: Gala) => Promise<unknown>][] = [
  ["takes over the seat of a person who leaves", (gala) => gala.become("first", "cancelled")],
  [
    "is promoted",
    (gala) => {
      gala.change({ capac: 2 });
      return gala.promote();
    },
  ],
];

describe.each(seatings)("a waiter whose seat comes from: %s", (_, seat) => {
  test.each<[string, Pricing | undefined, EventChanges, number]>([
    ["let in at 20, members only at 5 now", open, { pricing: membersOnly, ...closed }, 2_000],
    ["let in at 10, members only and free now", { member: 0, nonMember: 10 }, { pricing: noPrice, ...closed }, 1_000],
    ["let in at 20, closed to others now", open, { nonBizTechAllowed: false }, 2_000],
    ["let in for free, members only at 5 now", undefined, { pricing: membersOnly, ...closed }, 0],
    ["let in for free, closed to others now", undefined, { nonBizTechAllowed: false }, 0],
    ["let in at 20, for 30 now", open, { pricing: { member: 5, nonMember: 30 } }, 3_000],
    ["let in at 20, free for all now", open, { pricing: null }, 0],
    ["let in for free, for 20 now", undefined, { pricing: open }, 2_000],
  ])("pays the right amount: %s", async (_name, before, now, owed) => {
    const gala = await givenWaiter(before);
    gala.change(now);
    await seat(gala);
    expect(gala.registrationOf("waiter").status).toBe(owed > 0 ? "incomplete" : "registered");
    if (owed > 0) expect(amountAsked(gala, "waiter")).toBe(owed);
  });

  test("who was let in at 20 and is a member now pays as a member", async () => {
    const gala = await givenWaiter(open);
    gala.change({ pricing: noPrice, ...closed });
    gala.givenMember("waiter");
    await seat(gala);
    expect(gala.registrationOf("waiter").status).toBe("registered");
  });

  test("who was let in as a member and is none now pays the entry price", async () => {
    const gala = await givenWaiter(open, { isMember: true });
    gala.change({ pricing: { member: 8 }, ...closed });
    gala.givenMember("waiter", false);
    await seat(gala);
    expect(amountAsked(gala, "waiter")).toBe(500);
  });

  test("without a stored entry price pays as a member", async () => {
    const gala = await givenWaiter(open);
    gala.forget("waiter", "entryPrice");
    gala.change({ pricing: noPrice, ...closed });
    await seat(gala);
    expect(gala.registrationOf("waiter").status).toBe("registered");
  });
});

describe("an admin who seats a person from the line of an event that is now members-only", () => {
  test.each<[string, Pricing | undefined, Pricing, string, string]>([
    ["let in at 20", open, noPrice, "incomplete", "registered"],
    ["let in for free", undefined, membersOnly, "registered", "incomplete"],
  ])("gives the seat: %s", async (_, before, now, possible, impossible) => {
    const gala = await givenWaiter(before);
    gala.change({ pricing: now, ...closed, capac: 2 });
    await expect(gala.become("waiter", impossible, "admin")).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    expect((await gala.become("waiter", possible, "admin")).registration.status).toBe(possible);
  });
});

describe("a seat that is held at 20 in an event that is now members-only", () => {
  test.each<[string, Pricing]>([
    ["for 5", membersOnly],
    ["for nothing", noPrice],
  ])("%s still costs 20, and is not confirmed for less", async (_, pricing) => {
    const gala = givenGala({ pricing: open });
    await gala.register("guest");
    gala.change({ pricing, ...closed });
    expect(amountAsked(gala, "guest")).toBe(2_000);
    await expect(gala.become("guest", "registered")).rejects.toMatchObject({ code: "FORBIDDEN" });
    // A second registration answers again how to pay, because the person was let in.
    expect(await gala.register("guest")).toMatchObject({ registration: { status: "incomplete", version: 1 } });
  });

  test("costs nothing once the event is free for all", async () => {
    const gala = givenGala({ pricing: open });
    await gala.register("guest");
    gala.change({ pricing: null });
    expect((await gala.become("guest", "registered")).registration.status).toBe("registered");
  });

  test("is the person's without payment as soon as the person is a member who pays nothing", async () => {
    const gala = givenGala({ pricing: open });
    await gala.register("guest");
    gala.change({ pricing: noPrice, ...closed });
    gala.givenMember("guest");
    expect((await gala.register("guest")).registration.status).toBe("registered");
  });
});

test("an unpaid seat of a person who was let in for free is confirmed without payment", async () => {
  const gala = await givenWaiter(undefined);
  gala.change({ pricing: open });
  await gala.become("first", "cancelled");
  expect(amountAsked(gala, "waiter")).toBe(2_000);
  gala.change({ pricing: membersOnly, ...closed });
  expect((await gala.register("waiter")).registration.status).toBe("registered");
});

test.each<[string, Pricing | undefined, Pricing, string]>([
  ["free", undefined, membersOnly, "accepted"],
  ["at 20", open, noPrice, "acceptedPending"],
])("an application that was let in %s is accepted at that price", async (_, before, now, accepted) => {
  const gala = givenGala({ isApplicationBased: true, ...(before && { pricing: before }) });
  await gala.register("guest");
  gala.change({ pricing: now, ...closed });
  const amendment = await gala.become("guest", accepted, "admin");
  expect(amendment.registration.status).toBe(accepted);
});

describe("a members-only event", () => {
  test("refuses non-members, also those who have cancelled", async () => {
    const gala = givenGala({ pricing: open });
    await gala.register("guest");
    await gala.become("guest", "cancelled");
    gala.change({ pricing: membersOnly, ...closed });
    await expect(gala.register("guest")).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
    await expect(gala.become("guest", "incomplete")).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
    await expect(gala.register("another")).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
  });

  test("tells a non-member in line that they wait, not that they may not come", async () => {
    const gala = await givenWaiter(open);
    gala.change({ pricing: membersOnly, ...closed });
    await expect(gala.register("waiter")).rejects.toMatchObject({ code: "DUPLICATE" });
  });

  test("costs a non-member whom an admin lets in the members' present price", async () => {
    const gala = givenGala({ pricing: membersOnly, ...closed });
    await gala.register("guest", { byAdmin: true });
    expect(gala.registrationOf("guest").status).toBe("incomplete");
    expect(amountAsked(gala, "guest")).toBe(500);
    gala.change({ pricing: { member: 8 }, ...closed });
    expect(amountAsked(gala, "guest")).toBe(800);
    gala.change({ pricing: noPrice, ...closed });
    expect((await gala.become("guest", "registered")).registration.status).toBe("registered");
  });

  test("costs a non-member whom an admin lets in again the members' price", async () => {
    const gala = givenGala({ pricing: open });
    await gala.register("guest");
    await gala.become("guest", "cancelled");
    gala.change({ pricing: membersOnly, ...closed });
    await gala.become("guest", "incomplete", "admin");
    expect(amountAsked(gala, "guest")).toBe(500);
  });
});

test("a deleted registration keeps no entry price", async () => {
  const { tombstoneOf } = await import("#domain/registrations/record/registration.ts");
  const gala = givenGala({ pricing: open });
  await gala.register("guest");
  expect(gala.registrationOf("guest").entryPrice).toBe(2_000);
  expect(tombstoneOf(gala.registrationOf("guest"), { now: start })).not.toHaveProperty("entryPrice");
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
});

describe("the accounts that a promotion has to read", () => {
  const placeOf = (name: string, entryPrice?: number) =>
    ({ email: emailOf(name), queueKey: `${start}#${name}`, ...(entryPrice !== undefined && { entryPrice }) }) as Place;
  const context = { now: start, queueKey: "another" } as never;

  test.each<[string, Event, Place[], number]>([
    ["no account where members pay like others", { pricing: { member: 5, nonMember: 5 } }, [placeOf("a", 0)], 0],
    [
      "no account where only members waited for a members-only event",
      { pricing: membersOnly, ...closed },
      [placeOf("a", 500)],
      0,
    ],
    [
      "no account of a person who was let in at the members' price",
      { pricing: membersOnly, ...closed },
      [placeOf("a")],
      0,
    ],
    ["the accounts that make a difference", { pricing: noPrice, ...closed }, [placeOf("a", 0), placeOf("b", 1_000)], 1],
    ["each account where only others pay", { pricing: { member: 0, nonMember: 5 } }, [placeOf("a"), placeOf("b")], 1],
  ])("reads %s", async (_, event, places, reads) => {
    const gala = givenGala(event);
    await seatingsFor(places, gala.seats(), context);
    expect(gala.calls).toHaveLength(reads);
  });
});
