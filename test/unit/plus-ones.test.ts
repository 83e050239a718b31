/** People whom an attendee brings (`docs/contract.md`, "Plus-ones"). The model has the races. */
import { afterEach, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { givenGala } from "./gala.ts";
import { eventRecord, registrationRecord, seatsItem } from "./given.ts";

const { allocate, isEnough, nextInLine } = await import("#domain/capacity/allocate.ts");
const { changeSeats } = await import("#domain/capacity/demands.ts");
const { placeItem } = await import("#domain/capacity/line.ts");
const { changeEvent } = await import("#domain/events/event.ts");
const { asPlusOne, bearersOf, bearerWith } = await import("#domain/registrations/door/bearers.ts");
const { checkInVisitor } = await import("#domain/registrations/door/check-in.ts");
const { ticketHashOf } = await import("#domain/registrations/links/ticket-code.ts");
const { hasNoEntries, withoutEntries } = await import("#domain/registrations/record/entries.ts");
const { followUpsOf } = await import("#domain/registrations/record/follow-ups.ts");
const { mayHandOn, whyNotHandedOn } = await import("#domain/registrations/record/handing-on.ts");
const { arrivedOf, plusOneIssues, stillComing } = await import("#domain/registrations/record/plus-ones.ts");
const { countersOf, holderOf, placeOf } = await import("#domain/registrations/record/registration.ts");
const { registrationItem } = await import("#domain/registrations/store/store.ts");
const { registrationsReport } = await import("#domain/registrations/store/report.ts");
const { leave } = await import("#domain/registrations/leave.ts");
const { cancelCalledOff } = await import("#domain/registrations/reactions/cancel-called-off.ts");

afterEach(() => {
  jest.restoreAllMocks();
});

const plusOnes = (names: string) => [...names].map((fname) => ({ fname }));
const named = (names: string) => [...names].map((fname) => ({ fname, ticketId: `ticket of ${fname}` }));
const key = { id: "gala", year: 2030 };
const placeWith = (brings: number, at: number) => ({
  ...{ email: `${at}@unit.example`, queueKey: `${at}`, choices: {}, isPartner: false, fname: "", generation: "i" },
  ...{ version: 1, ...(brings > 0 && { brings }) },
});

test("nobody overtakes a group that fits the event, and a group gets all its seats or none", () => {
  const sizes = fc.array(fc.nat(4), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 6 }), fc.nat(6), (line, capacity, taken) => {
      const places = line.map(placeWith);
      const seats = Math.min(taken, capacity - 1);
      const room = { seats, capacity, choiceLimits: {}, choiceHolders: {} };
      const { chosen, below, isBlocked } = nextInLine(places, room, 16);
      const fitting = places.filter(({ brings = 0 }) => brings < capacity || brings === 0);
      expect(chosen).toEqual(fitting.slice(0, chosen.length));
      const wanted = chosen.reduce((sum, { brings = 0 }) => sum + 1 + brings, 0);
      expect(wanted).toBeLessThanOrEqual(capacity - seats);
      const next = fitting[chosen.length];
      expect(isBlocked).toBe(next !== undefined);
      if (next) expect(wanted + 1 + (next.brings ?? 0)).toBeGreaterThan(capacity - seats);
      if (below !== undefined) expect(below).toBeGreaterThan(capacity);
    }),
  );
});

const open = { ...seatsItem(eventRecord()), gate: "queued", capacity: 3, seats: 2 } as never;
test("a line that a group blocks is read no further, and who comes then waits behind it", () => {
  const places = [placeWith(1, 1)];
  expect(isEnough(open, { kind: "line" }, places, 0)).toBe(true);
  expect(allocate(open, { places, isWhole: true }, { kind: "line" }, 0)).toEqual({ kind: "waits" });
  const newcomer = { kind: "newcomer", person: placeWith(0, 2) } as const;
  expect(allocate(open, { places, isWhole: true }, newcomer, 0)).toEqual({ kind: "waits" });
  // The event has become too small for the first one: who passes it requires that it still is.
  const passed = allocate(open, { places: [placeWith(3, 1)], isWhole: true }, newcomer, 0);
  expect(passed).toMatchObject({ kind: "seated", turn: { kind: "next", below: 4 } });
  const heir = { kind: "heir", leaver: {}, frees: 1 } as const;
  expect(allocate(open, { places, isWhole: true }, heir, 0)).toMatchObject({ kind: "seated", people: places });
  const full = { ...(open as object), seats: 3 } as never;
  expect(allocate(full, { places, isWhole: true }, heir, 0)).toEqual({ kind: "waits" });
});

const conditionOf = (claim: Parameters<typeof changeSeats>[1], change: object) => {
  const turn = { kind: "next", passedOver: [], counted: {} };
  const decided = { generation: "i", termsVersion: 1, capacity: 5 };
  const { Update } = changeSeats(key, claim, { decided, turn, now: 1, ...change } as never);
  return [Update?.ConditionExpression, Update?.UpdateExpression, Update?.ExpressionAttributeValues];
};

test("a seat for each; without anybody who comes along the conditions are those of before", () => {
  const [one, group] = [registrationRecord(), registrationRecord({ plusOnes: named("bc") })].map(holderOf);
  const rest = "#state = :OPEN AND startsAt > :now";
  expect(conditionOf("line", { joining: [one] })).toEqual([
    `generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND ${rest}`,
    "ADD seats :seats, registered :registered",
    { ":generation": "i", ":termsVersion": 1, ":OPEN": "OPEN", ":now": 1, ":seats": 1, ":registered": 1 },
  ]);
  expect(conditionOf("heir", { joining: [one], leaving: [one] })).toEqual([
    `generation = :generation AND termsVersion = :termsVersion AND seats <= #capacity AND ${rest}`,
    "ADD seats :seats",
    { ":generation": "i", ":termsVersion": 1, ":OPEN": "OPEN", ":now": 1, ":seats": 0 },
  ]);
  const room = "#capacity = :capacity AND seats <= :room";
  const [line, add, values] = conditionOf("line", { joining: [group] });
  expect(line).toContain(room);
  expect(add).toBe("ADD seats :seats, registered :registered");
  expect(values).toMatchObject({ ":seats": 3, ":room": 2 });
  const [heir, , more] = conditionOf("heir", { joining: [group], leaving: [one] });
  expect(heir).toContain(room);
  expect(more).toMatchObject({ ":seats": 2, ":room": 3 });
  expect(conditionOf("heir", { joining: [one], leaving: [group] })[0]).toContain("seats <= #capacity");
  const [passed, , below] = conditionOf("line", {
    joining: [one],
    turn: { kind: "next", passedOver: [], counted: {}, below: 6 },
  });
  expect(passed).toContain("#capacity < :below");
  expect(below).toMatchObject({ ":below": 6 });
});

test("stored with the form; the place in line has the number, and nothing of either is stored for who comes alone", () => {
  const group = registrationRecord({ status: "waitlist", plusOnes: named("b") });
  expect(registrationItem(group)).toMatchObject({
    form: '{"plusOnes":[{"fname":"b","ticketId":"ticket of b"}]}',
  });
  expect((registrationItem(registrationRecord()) as { form?: string }).form).toBe("{}");
  expect(placeItem(key, placeOf(group))).toMatchObject({ brings: 1 });
  expect(placeItem(key, placeOf(registrationRecord()))).not.toHaveProperty("brings");
});

test("each checks in alone, and counts where they stand", () => {
  const [b, c] = named("bc");
  const half = registrationRecord({ plusOnes: [{ ...b, checkedInAt: 5 }, c] as never });
  expect(countersOf(half)).toEqual({ seats: 3, registered: 2, checkedIn: 1 });
  expect(countersOf({ ...half, status: "checkedIn" })).toEqual({ seats: 3, registered: 1, checkedIn: 2 });
  expect(countersOf({ ...half, status: "waitlist" })).toEqual({});
  expect(arrivedOf({ ...half, status: "cancelled" })).toEqual([]);
  const seen = bearersOf({ ...half, cameFrom: "registered", status: "checkedIn" });
  expect(seen.map(({ fname, status }) => [fname, status])).toEqual([
    ["Ada", "checkedIn"],
    ["b", "checkedIn"],
    ["c", "registered"],
  ]);
  expect(asPlusOne({ ...half, status: "cancelled" }, c as never).status).toBe("cancelled");
  expect(bearerWith(half, ticketHashOf("ticket of c"))?.fname).toBe("c");
  expect(bearerWith(half, ticketHashOf("another"))).toBeUndefined();
  const row = { ...half, createdAt: 1 } as never;
  const over = { startDate: "2020-01-01T00:00:00Z", endDate: "2020-01-02T00:00:00Z" };
  const report = registrationsReport(over, [row], [], {}, "UTC", Date.parse("2021-01-01"));
  expect(report).toMatchObject({ registered: 3, came: 1, noShows: 2 });
});

test("what frees seats, or those behind, is followed by a promotion", () => {
  const [group, fewer] = [registrationRecord({ plusOnes: named("bc") }), registrationRecord({ plusOnes: named("b") })];
  const waiting = { ...group, status: "waitlist" } as const;
  expect(followUpsOf(group, fewer)).toEqual(["promote"]);
  expect(followUpsOf(fewer, { ...fewer, version: 2 } as never)).toEqual([]);
  expect(followUpsOf(waiting, { ...waiting, plusOnes: named("b") })).toEqual(["promote"]);
  expect(followUpsOf(waiting, { ...waiting, status: "cancelled" })).toEqual(["promote"]);
  expect(followUpsOf(waiting, { ...waiting, status: "registered" })).toEqual([]);
  const alone = registrationRecord({ status: "waitlist" });
  expect(followUpsOf(alone, { ...alone, status: "cancelled" })).toEqual([]);
});

test("a form is refused that brings more than the event allows, or has seats for", () => {
  const says = (form: object, most?: number, seats?: number) => plusOneIssues(form, most, seats)[0]?.message;
  expect(says({ plusOnes: plusOnes("bc") }, 2, 3)).toBeUndefined();
  expect(says({}, 0)).toBeUndefined();
  expect(says({ plusOnes: plusOnes("b") })).toMatch("everybody registers for themselves");
  expect(says({ plusOnes: plusOnes("bc") }, 1)).toMatch("at most 1 people");
  expect(says({ plusOnes: plusOnes("bc") }, 2, 2)).toMatch("too few");
  expect(says({ plusOnes: plusOnes("b"), isPartner: true }, 2)).toMatch("partners");
});

test("an event with applications has none", () => {
  const settings = { now: 1, timeZone: "UTC", currency: "CAD" };
  const change = (changes: object) => () => changeEvent(eventRecord({ plusOnes: 1 }), changes, settings);
  const changes = { isApplicationBased: true };
  expect(change(changes)).toThrow(expect.objectContaining({ details: expect.anything() }));
  expect(change({ ...changes, plusOnes: 0 })().event.plusOnes).toBe(0);
  expect(change({ plusOnes: 2 })().event).toMatchObject({ plusOnes: 2, termsVersion: 2 });
});

test("a change may only lose people who have not come, and keeps the others' tickets", () => {
  const [b, c] = named("bb");
  const came = [{ ...b, checkedInAt: 5 }, c] as never;
  expect(stillComing(named("bc"), plusOnes("c"))).toEqual([named("bc")[1]]);
  expect(stillComing(named("bc"), plusOnes("cb"))).toEqual(named("bc"));
  expect(() => stillComing(named("bc"), plusOnes("bd"))).toThrow();
  expect(() => stillComing(named("b"), plusOnes("bb"))).toThrow();
  expect(() => stillComing(came, [])).toThrow();
  expect(stillComing(came, plusOnes("b"))).toHaveLength(1);
});

test("a group registers, one comes, it loses one, and leaves as one: the line gets every seat", async () => {
  const gala = givenGala({ capac: 4, plusOnes: 3 });
  const { registration } = await gala.register("ada", { plusOnes: plusOnes("bcd") });
  expect(gala.seats()).toMatchObject({ seats: 4, registered: 4 });
  const [b] = registration.plusOnes ?? [];
  const visitor = { email: registration.email, ticketHash: ticketHashOf(b?.ticketId ?? "") };
  const context = { now: gala.now(), actor: "exec@club.example", requestId: "x", queueKey: "1#x", deadline: Infinity };
  const door = () => checkInVisitor(visitor, key, { ...context, newId: () => "x" });
  expect(await door()).toMatchObject({ alreadyCheckedIn: false, bearer: { fname: "b" } });
  expect(await door()).toMatchObject({ alreadyCheckedIn: true });
  expect(gala.seats()).toMatchObject({ seats: 4, registered: 3, checkedIn: 1 });
  expect(gala.registrationOf("ada").status).toBe("registered");

  expect((await gala.register("eve", { plusOnes: plusOnes("f") })).registration.status).toBe("waitlist");
  expect((await gala.register("gil")).registration.status).toBe("waitlist");
  await gala.amend("ada", { plusOnes: plusOnes("bc") }, "self/account");
  expect(gala.registrationOf("eve").status).toBe("waitlist");
  expect(gala.registrationOf("gil").status).toBe("waitlist");
  await expect(gala.amend("ada", { isPartner: true })).rejects.toThrow();
  await gala.amend("ada", { plusOnes: plusOnes("b") }, "self/account");
  expect(gala.registrationOf("eve").status).toBe("registered");
  expect(gala.seats()).toMatchObject({ seats: 4, registered: 3, checkedIn: 1 });

  const departure = { email: registration.email, event: key, to: "cancelled", origin: "admin/desk" } as const;
  await leave(departure, { ...context, newId: () => "y" });
  expect(gala.registrationOf("gil").status).toBe("registered");
  expect(gala.seats()).toMatchObject({ seats: 3, registered: 3, checkedIn: 0 });
  expect(gala.registrationOf("ada").plusOnes).toEqual([{ fname: "b", ticketId: b?.ticketId }]);
});

test("an event that is called off waits for nobody who comes along with a person who came", async () => {
  const gala = givenGala({ capac: 5, plusOnes: 2 });
  const context = { now: gala.now(), actor: "a", requestId: "r", queueKey: "1#x", deadline: Number.POSITIVE_INFINITY };
  const own = { ...context, newId: () => "x" };
  await gala.register("ada", { plusOnes: plusOnes("bc") });
  await gala.register("eve", { plusOnes: plusOnes("d") });
  await checkInVisitor({ email: "ada@unit.example" }, key, own);
  gala.change({ calledOff: "The hall is closed." });
  const { generation } = gala.event();
  await cancelCalledOff({ ...key, generation }, own);
  expect([gala.registrationOf("ada").status, gala.registrationOf("eve").status]).toEqual(["checkedIn", "cancelled"]);
  expect(gala.seats()).toMatchObject({ seats: 3, registered: 2, checkedIn: 1 });
  // A registration that the index lacks is one that is left.
  gala.table.seed({ ...gala.seats(), seats: 4, registered: 3, PK: "SEAT#gala#2030#00", SK: "POOL" });
  await expect(cancelCalledOff({ ...key, generation }, own)).rejects.toThrow("still has registrations");
});

test("who goes to the end of the line with fewer people, of whom some have come, has a new evening before them", async () => {
  const gala = givenGala({ capac: 3, plusOnes: 2 });
  const context = { now: gala.now(), actor: "a", requestId: "r", queueKey: "1#x", deadline: Number.POSITIVE_INFINITY };
  const { registration } = await gala.register("ada", { plusOnes: plusOnes("bc") });
  await gala.register("eve");
  const visitor = { email: registration.email, plusOne: "b" };
  await checkInVisitor(visitor, key, { ...context, newId: () => "x" });
  await gala.amend("ada", { registrationStatus: "waitlist", plusOnes: plusOnes("b") });
  expect(gala.registrationOf("ada").plusOnes).toEqual([{ fname: "b", ticketId: expect.any(String) }]);
  await gala.promote();
  expect(gala.registrationOf("ada").status).toBe("registered");
  const { seats, registered, checkedIn } = gala.seats();
  expect([seats, registered, checkedIn]).toEqual([3, 3, 0]);
  expect(countersOf(gala.registrationOf("ada"))).toEqual({ seats: 2, registered: 2 });
});

test("a group that leaves the line lets those behind have the seats that were too few for it", async () => {
  const gala = givenGala({ capac: 2, plusOnes: 3 });
  await gala.register("ada");
  await gala.register("eve", { plusOnes: plusOnes("f") });
  expect((await gala.register("gil")).registration.status).toBe("waitlist");
  await gala.become("eve", "cancelled");
  expect(gala.registrationOf("gil").status).toBe("registered");
});

test("a seat with others is not handed on", () => {
  const event = { transfers: 1 };
  expect(mayHandOn(registrationRecord(), event)).toBe(true);
  const group = registrationRecord({ plusOnes: named("b") });
  expect([mayHandOn(group, event), whyNotHandedOn(group, event)]).toEqual([false, expect.stringMatching("come along")]);
});

test("the names are forgotten, the seats stay", () => {
  const forgotten = withoutEntries(registrationRecord({ plusOnes: named("b") }));
  expect(forgotten.plusOnes).toEqual([{ ticketId: "ticket of b", fname: "" }]);
  expect(hasNoEntries(registrationRecord({ plusOnes: named("b") }))).toBe(false);
  expect(hasNoEntries(forgotten)).toBe(true);
});
