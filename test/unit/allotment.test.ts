/** The allotment: seats of the event that only codes for access open (`docs/contract.md`, "Codes"). */
import { describe, expect, test } from "@jest/globals";
import { newEvent } from "#domain/events/event.ts";
import { systemContext } from "#kit/request/context.ts";
import { type Gala, givenGala } from "./gala.ts";
import { eventRecord } from "./given.ts";

const { createCode } = await import("#domain/codes/manage.ts");
const { changeEvent } = await import("#domain/events/event.ts");
const { seatSettings } = await import("#domain/events/seat-settings.ts");
const { seatsByCode } = await import("#domain/capacity/seats.ts");
const { countsFrom } = await import("#api/events/counts.ts");
const { holderOf } = await import("#domain/registrations/record/registration.ts");

const settings = { timeZone: "UTC", currency: "CAD" };
const code = "SPONSOR";

async function givenAllotment(fields: object = {}, kind: "access" | "discount" = "access"): Promise<Gala> {
  const gala = givenGala({ capac: 3, allotment: 1, ...fields });
  const terms = kind === "discount" ? { kind, percentOff: 10 } : { kind };
  const context = systemContext("r", gala.now(), performance.now() + 1_000);
  await createCode({ id: "gala", year: 2030 }, { code, uses: 9, ...terms }, settings, context);
  return gala;
}
const placesOf = (gala: Gala, names: string) =>
  [...names].map((name) => {
    const { status, pool } = gala.registrationOf(name);
    return pool ? `${status} ${pool}` : status;
  });
const takenOf = ({ seats }: Gala) => {
  const { seats: others, allotmentSeats, registered } = seats();
  return [others, allotmentSeats, registered];
};

describe("a person with a code for access", () => {
  test("gets a seat of the allotment, then one as everybody does, then a place in line", async () => {
    const gala = await givenAllotment();
    for (const name of "abcd") await gala.register(name, { code });
    expect(placesOf(gala, "abcd")).toEqual(["registered allotment", "registered", "registered", "waitlist"]);
    expect(takenOf(gala)).toEqual([2, 1, 3]);
  });

  test("gets it while others wait, and gives it back to the allotment, not to the line", async () => {
    const gala = await givenAllotment();
    for (const name of "bcd") await gala.register(name);
    expect(placesOf(gala, "bcd")).toEqual(["registered", "registered", "waitlist"]);
    await gala.register("a", { code });
    expect(placesOf(gala, "a")).toEqual(["registered allotment"]);
    await gala.become("a", "cancelled");
    expect(placesOf(gala, "d")).toEqual(["waitlist"]);
    expect(takenOf(gala)).toEqual([2, 0, 2]);
    await gala.register("e", { code });
    expect(takenOf(gala)).toEqual([2, 1, 3]);
  });

  test("brings others only if it has seats for all", async () => {
    const gala = await givenAllotment({ capac: 5, allotment: 2, plusOnes: 2 });
    const group = (names: string) => ({ code, plusOnes: [...names].map((fname) => ({ fname })) });
    await gala.register("a", group("xy"));
    await gala.register("b", group("z"));
    expect(placesOf(gala, "ab")).toEqual(["registered", "registered allotment"]);
    expect(takenOf(gala)).toEqual([3, 2, 5]);
  });
});

test("a discount does not open it", async () => {
  const gala = await givenAllotment({}, "discount");
  for (const name of "abc") await gala.register(name, { code });
  expect(placesOf(gala, "abc")).toEqual(["registered", "registered", "waitlist"]);
});

test("what is given back of it goes to the line, and what is taken stays", async () => {
  const gala = await givenAllotment({ allotment: 2 });
  await gala.register("a", { code });
  for (const name of "bc") await gala.register(name);
  gala.change({ allotment: 1 });
  await gala.promote();
  expect(placesOf(gala, "abc")).toEqual(["registered allotment", "registered", "registered"]);
  expect(takenOf(gala)).toEqual([2, 1, 3]);
});

test("it gives no seat while the others have more than they may", async () => {
  const gala = await givenAllotment({ allotment: 0 });
  for (const name of "abc") await gala.register(name);
  gala.change({ allotment: 2 });
  await gala.register("d", { code });
  expect(placesOf(gala, "d")).toEqual(["waitlist"]);
  // Of three seats that others have they may have one.
  await gala.become("a", "cancelled");
  await gala.become("b", "cancelled");
  await gala.register("e", { code });
  expect(placesOf(gala, "de")).toEqual(["waitlist", "registered allotment"]);
});

test("a partner takes no seat of it where partners have their own, and keeps one as an attendee", async () => {
  const own = await givenAllotment({ partnerCapac: 1 });
  await own.register("p", { code, isPartner: true });
  expect(placesOf(own, "p")).toEqual(["registered partners"]);
  const gala = await givenAllotment();
  await gala.register("a", { code });
  await gala.amend("a", { isPartner: true });
  expect(placesOf(gala, "a")).toEqual(["registered allotment"]);
});

test("what is left does not count it, but all that is taken does", async () => {
  const gala = await givenAllotment();
  for (const name of "ab") await gala.register(name, { code });
  const counts = countsFrom(gala.event(), gala.seats(), [0, 0]);
  expect(counts).toMatchObject({ seatsTaken: 2, remaining: 1, allotmentRemaining: 0, registeredCount: 2 });
  const { event, seats } = givenGala({ capac: 3 });
  expect(countsFrom(event(), seats(), [0, 0])).not.toHaveProperty("allotmentRemaining");
});

test("an event without one stores and counts nothing of it", () => {
  const event = eventRecord({ capac: 3 });
  expect(JSON.stringify([seatSettings(event), givenGala({ capac: 3 }).seats()])).not.toContain("llotment");
});

test.each([
  [{ capac: 2, allotment: 2 }, undefined],
  [{ capac: 2, allotment: 3 }, "must not be more than capac"],
  [{ allotment: 1 }, "must not be more than capac"],
  [{ capac: 2, allotment: 1, isApplicationBased: true }, "must be 0 at an event that takes applications"],
  [{ capac: 2, allotment: 0, isApplicationBased: true }, undefined],
])("%j: %s", (fields, message) => {
  const body = { id: "gala", year: 2030, ename: "Gala", ...fields };
  const create = () => newEvent(body as never, { ...settings, now: 1, generation: "i" });
  const change = () => changeEvent(eventRecord(), fields, { ...settings, now: 1 });
  for (const make of [create, change]) {
    if (message === undefined) expect(make).not.toThrow();
    else expect(make).toThrow(`allotment ${message}.`);
  }
});

test("seats for so many people are those of the allotment, if it has them for all", () => {
  const seats = { ...givenGala({ capac: 5, allotment: 3 }).seats(), allotmentSeats: 1 };
  const poolFor = (wanted: number) => seatsByCode(seats, wanted).pool;
  expect([1, 2, 3].map(poolFor)).toEqual(["allotment", "allotment", undefined]);
  expect(seatsByCode({ ...seats, seats: 3 }, 1).pool).toBeUndefined();
});

test("a seat of it counts as the attendee's, by status", () => {
  const registration = { status: "checkedIn", isPartner: false, pool: "allotment", choices: {} } as const;
  expect(holderOf(registration).counters).toEqual({ allotmentSeats: 1, checkedIn: 1 });
});
