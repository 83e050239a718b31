/** Who left seats empty waits behind others (`docs/contract.md`, "No-shows"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { allocate } from "#domain/capacity/allocate.ts";
import type { Place, Seats } from "#domain/capacity/seats.ts";
import { changeEvent, newEvent } from "#domain/events/event.ts";
import { joinRules } from "#domain/registrations/record/acts.ts";
import { emailOf, givenGala, start } from "./gala.ts";
import { eventRecord, seatsItem } from "./given.ts";

const { forgive, isTooMany, noShowsOf } = await import("#domain/registrations/store/no-shows.ts");

const day = 86_400_000;
const now = start;

type Past = Parameters<typeof noShowsOf>[0][number];
const seat = (more: object = {}): Past => ({
  eventID: "e",
  year: 2029,
  generation: "p",
  status: "registered",
  ...more,
});
const past = (more: object = {}) =>
  ({ generation: "p", state: "OPEN", startsAt: now - 7 * day, checkedIn: 1, ...more }) as never;
const isNoShow = (registration: object, event: object, forgivenAt = 0): boolean =>
  noShowsOf([seat(registration)], () => past(event), forgivenAt, now) === 1;

describe("a registration is a no-show", () => {
  test.each<[boolean, string, object, object]>([
    [true, "a confirmed seat", {}, {}],
    [true, "an accepted one", { status: "accepted" }, {}],
    [true, "a paid one", { status: "acceptedComplete" }, {}],
    [false, "one that was used", { status: "checkedIn" }, {}],
    [false, "an unpaid one", { status: "incomplete" }, {}],
    [false, "an application", { applicant: true }, {}],
    ...["waitlist", "cancelled", "rejected", "deleted"].map(
      (status) => [false, `none: ${status}`, { status }, {}] as [boolean, string, object, object],
    ),
    [false, "one of a deleted account", { ofDeletedAccount: true }, {}],
    [false, "where the door was not used", {}, { checkedIn: 0 }],
    [true, "where partners only were checked in", {}, { checkedIn: 0, partnersCheckedIn: 1 }],
    [false, "of an event that was created again", {}, { generation: "q" }],
    [false, "of a deleted event", {}, { state: "DELETED" }],
    [true, "a day after the start", {}, { startsAt: now - day }],
    [false, "earlier, as scans may come", {}, { startsAt: now - day + 1 }],
    [true, "almost a year ago", {}, { startsAt: now - 365 * day + 1 }],
    [false, "a year ago", {}, { startsAt: now - 365 * day }],
  ])("%p: %s", (is, _, registration, event) => expect(isNoShow(registration, event)).toBe(is));

  test("unless it is forgiven, with the event that began at that moment", () => {
    const startsAt = now - 7 * day;
    expect([startsAt - 1, startsAt].map((at) => isNoShow({}, {}, at))).toEqual([true, false]);
  });

  test("if its event has no seats, it is none", () => expect(noShowsOf([seat()], () => undefined, 0, now)).toBe(0));
});

test("three are too many, and time or forgiving never add one", () => {
  expect([2, 3, 4].map(isTooMany)).toEqual([false, true, true]);
  const days = fc.array(fc.integer({ min: 2, max: 500 }), { maxLength: 6 });
  fc.assert(
    fc.property(days, fc.nat(400), fc.nat(400), (begun, later, forgivenDaysAgo) => {
      const seats = begun.map((ago) => seat({ eventID: String(ago) }));
      const seatsOf = ({ eventID }: { eventID: string }) => past({ startsAt: now - Number(eventID) * day });
      const counted = noShowsOf(seats, seatsOf as never, 0, now);
      expect(noShowsOf(seats, seatsOf as never, 0, now + later * day)).toBeLessThanOrEqual(counted);
      expect(noShowsOf(seats, seatsOf as never, now - forgivenDaysAgo * day, now)).toBe(
        begun.filter((ago) => ago < 365 && ago < forgivenDaysAgo).length,
      );
    }),
  );
});

/** An event with one seat that is taken, where `late` has left three seats empty. */
function givenFull(fields: object = {}) {
  const gala = givenGala({ capac: 1, noShowsWait: true, ...fields });
  const missed = (name: string) => {
    for (const n of [1, 2, 3]) {
      const event = { generation: "p", state: "OPEN", startsAt: start - n * 7 * day, checkedIn: 1 };
      gala.table.seed({ PK: `SEAT#past${n}#2029#00`, SK: "POOL", ...event });
      const registration = { status: "registered", generation: "p", queueKey: `${start - n}#${n}`, version: 1 };
      gala.table.seed({ PK: `USER#${emailOf(name)}`, SK: `REG#past${n}#2029`, ...registration });
    }
  };
  missed("late");
  return { ...gala, missed };
}
const statusesOf = (gala: ReturnType<typeof givenFull>, names: string[]) =>
  names.map((name) => gala.registrationOf(name).status);

describe("at a full event", () => {
  test("the person waits behind who comes later, and is promoted when no other person waits", async () => {
    const gala = givenFull();
    for (const name of ["a", "late", "b"]) await gala.register(name);
    expect(gala.registrationOf("late")).toMatchObject({ status: "waitlist", behindOthers: true });
    const { queueKey } = gala.registrationOf("late");
    expect(gala.table.itemsOf("WAIT#gala#2030").map(({ SK }) => SK)).toContain(`~${queueKey}`);
    await gala.become("a", "cancelled");
    expect(statusesOf(gala, ["late", "b"])).toEqual(["waitlist", "registered"]);
    gala.later(60_000);
    await gala.become("b", "cancelled");
    expect(statusesOf(gala, ["late"])).toEqual(["registered"]);
    expect(gala.table.itemsOf("WAIT#gala#2030")).toEqual([]);
  });

  test("control: where the event does not want it, the order is that of arrival, and nothing more is read", async () => {
    const callsOf = async (fields: object) => {
      const gala = givenFull(fields);
      for (const name of ["a", "late"]) await gala.register(name);
      const { length } = gala.calls;
      await gala.register("b");
      const calls = gala.calls.length - length;
      await gala.become("a", "cancelled");
      return [calls, ...statusesOf(gala, ["late", "b"])];
    };
    const [calls, ...order] = await callsOf({ noShowsWait: undefined });
    expect(order).toEqual(["registered", "waitlist"]);
    // A person without empty seats costs one query.
    expect(await callsOf({})).toEqual([Number(calls) + 1, "waitlist", "registered"]);
  });

  test("a newcomer passes only those who wait behind others when a seat is free", async () => {
    const gala = givenFull({ capac: 2 });
    for (const name of ["a", "c", "late"]) await gala.register(name);
    // The seat was given up by a process that died before it looked at the line.
    gala.table.seed({ ...(gala.seats() as object), PK: "SEAT#gala#2030#00", SK: "POOL", seats: 1, registered: 1 });
    await gala.register("b");
    expect(statusesOf(gala, ["b", "late"])).toEqual(["registered", "waitlist"]);
  });

  test("who is registered by an admin, or has been forgiven, waits as everyone", async () => {
    const gala = givenFull();
    gala.missed("other");
    await gala.register("a");
    await gala.register("late", { byAdmin: true });
    const context = { now: start, actor: "exec@club.example", requestId: "r", queueKey: "q", deadline: 1e9 };
    const forgiven = () => forgive(emailOf("other"), { ...context, newId: () => "id" });
    expect([await forgiven(), await forgiven()]).toEqual([3, 0]);
    await gala.register("other");
    expect(["late", "other"].map((name) => gala.registrationOf(name).behindOthers)).toEqual([undefined, undefined]);
  });
});

test("with free seats and no line, the person gets one, and nothing more is read", async () => {
  const gala = givenFull({ capac: 5 });
  await gala.register("a");
  const { length } = gala.calls;
  await gala.register("late");
  expect(gala.calls.slice(length)).toEqual(["BatchGetCommand", "TransactWriteCommand"]);
  expect(gala.registrationOf("late")).not.toHaveProperty("behindOthers");
});

const places = fc.array(fc.record({ choice: fc.constantFrom(undefined, "a"), behindOthers: fc.boolean() }), {
  maxLength: 8,
});
test("a newcomer is seated exactly if no person ahead can be, whatever of the line was read", () => {
  fc.assert(
    fc.property(places, fc.boolean(), fc.boolean(), fc.nat(8), (line, isLast, isFull, read) => {
      const make = (n: number, choice: string | undefined, isBehind: boolean): Place => ({
        ...{ email: `p${n}`, queueKey: `${n}`, choices: choice ? { w: choice } : {}, isPartner: false, fname: "" },
        ...{ generation: "i", version: 1, ...(isBehind && { behindOthers: true }) },
      });
      const all = line.map(({ choice, behindOthers }, n) => make(n, choice, behindOthers));
      const sorted = [...all.filter((one) => !one.behindOthers), ...all.filter((one) => one.behindOthers)];
      const person = make(99, undefined, isLast);
      const choiceHolders = { w: { a: isFull ? 1 : 0 } };
      const seats = { capacity: 9, seats: 1, gate: "queued", mode: "free", choiceLimits: { w: 1 }, choiceHolders };
      const record = seatsItem(eventRecord(), seats as never) as unknown as Seats;
      const seen = { places: sorted.slice(0, read), isWhole: read >= sorted.length };
      const { kind } = allocate(record, seen, { kind: "newcomer", person }, now);
      const ahead = sorted.filter((one) => isLast || !one.behindOthers);
      const canSit = (one: Place) => one.choices.w === undefined || !isFull;
      const isSeen = seen.isWhole || (!isLast && seen.places.length > ahead.length);
      expect(kind).toBe(isSeen && !ahead.some(canSit) ? "seated" : "waits");
    }),
  );
});

test("only people register under the rule, not admins", () => {
  const ways = [
    "self/account",
    "self/link",
    "self/guest",
    "self/desk",
    "self/bulk",
    "admin/desk",
    "admin/bulk",
  ] as const;
  expect(ways.filter((way) => joinRules(way).noShows === "counted")).toEqual(ways.slice(0, 3));
});

describe("an event", () => {
  const settings = { now, timeZone: "UTC", currency: "CAD" };
  const create = (fields: object) =>
    newEvent({ id: "gala", year: 2030, ename: "Gala", ...fields }, { ...settings, generation: "i" });

  test("with applications is refused, when it is created or changed", () => {
    expect(() => create({ noShowsWait: true, isApplicationBased: true })).toThrow("must not be true");
    expect(() => changeEvent(create({ noShowsWait: true }), { isApplicationBased: true }, settings)).toThrow();
    expect(create({ noShowsWait: false })).toMatchObject({ noShowsWait: false });
  });

  test("counts a change as one of its terms, but not from absent to false", () => {
    const { event } = changeEvent(create({}), { noShowsWait: true }, settings);
    expect(event).toMatchObject({ noShowsWait: true, termsVersion: 2 });
    expect(changeEvent(create({}), { noShowsWait: false }, settings).event.termsVersion).toBe(1);
  });
});
