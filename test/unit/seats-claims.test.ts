/** Which changes of the seats refuse each claim, and what each claim writes (`docs/design.md`, "The capacity protocol"). */
import { describe, expect, test } from "@jest/globals";
import { checkPlaceholders, holds, type Item, updated } from "../model/expression.ts";
import { eventRecord, seatsItem } from "./given.ts";
import "./environment.ts";
import type { Pool, Seats } from "#domain/capacity/seats.ts";

const { changeSeats, claims } = await import("#domain/capacity/demands.ts");
const { adjustSeats, emptySeats, markSeatsDeleted, poolOf, poolsInUse, putSeats, takenIn } = await import(
  "#domain/capacity/seats.ts"
);

type ClaimName = keyof typeof claims;
type Change = Parameters<typeof changeSeats>[2];
const key = { id: "gala", year: 2030 };
const now = 1_800_000_000_000;

/** Open, with one free seat in each pool, one place in the choice `a`, and none in `full`. */
const seats = seatsItem(eventRecord(), {
  ...{ generation: "i", termsVersion: 3, capacity: 5, seats: 4, partnerCapacity: 3, partnerSeats: 2, gate: "direct" },
  ...{ state: "OPEN", opensAt: now, deadline: now + 1, startsAt: now + 1, registered: 4, partners: 2 },
  ...{ choiceLimits: { w: 2 }, choiceHolders: { w: { a: 1, full: 2 } } },
}) as unknown as Item & Seats;

const person = (choices: Record<string, string> = {}) => ({ choices, counters: { seats: 1, registered: 1 } });
const partner = { choices: {}, counters: { partnerSeats: 1, partners: 1 } };

const send = (claim: ClaimName, change: Partial<Change>, item: Item = seats, pool?: Pool) => {
  const decided = poolOf(seats, pool);
  const { Update } = changeSeats(key, claim, { decided, now, turn: { kind: "direct" }, ...change });
  const given = { names: Update?.ExpressionAttributeNames ?? {}, values: Update?.ExpressionAttributeValues ?? {} };
  // DynamoDB refuses a name or a value that no expression has, and an empty map of them.
  checkPlaceholders([Update?.ConditionExpression, Update?.UpdateExpression], given);
  expect(Update?.ExpressionAttributeNames).not.toEqual({});
  if (!holds(Update?.ConditionExpression, item, given)) return "refused";
  return updated(item, Update?.UpdateExpression ?? "", given);
};

/** Changes since the seats were read. */
const changes: Readonly<Record<string, object>> = {
  "created again": { generation: "j" },
  "other terms": { termsVersion: 4 },
  "the last seat is taken": { seats: 5, partnerSeats: 3 },
  "more seats are taken than there are": { seats: 6, partnerSeats: 4 },
  closed: { state: "CLOSED" },
  deleted: { state: "DELETED" },
  "not open yet": { opensAt: now + 1 },
  "the deadline is over": { deadline: now },
  started: { startsAt: now },
  "an attendee waits": { gate: "queued" },
  "a partner waits": { partnerGate: "queued" },
};

const seatAny = ["created again", "other terms", "the last seat is taken", "more seats are taken than there are"];
const ofOpen = ["closed", "deleted"];
const bySelf = [...ofOpen, "not open yet", "the deadline is over"];
/** Stands for a person who waits in the line of the claim's own pool. */
const turn = "a person waits";
const refusedBy: Readonly<Record<ClaimName, readonly string[]>> = {
  newcomer: [...seatAny, ...bySelf, turn],
  newcomerByAdmin: [...seatAny, "deleted", turn],
  applicant: [...seatAny, ...bySelf],
  applicantByAdmin: [...seatAny, "deleted"],
  line: [...seatAny, ...ofOpen, "started", turn],
  heir: ["created again", "other terms", "more seats are taken than there are", ...ofOpen, "started", turn],
  latePayment: [...seatAny, ...ofOpen, "started", turn],
  decision: [...seatAny, "deleted"],
  wait: ["created again"],
  regroup: ["created again", "other terms", "deleted"],
  recount: ["created again", "deleted"],
  recountUnderTerms: ["created again", "other terms", "deleted"],
  recountAlways: ["created again"],
  transfer: ["created again", "other terms", ...ofOpen, "started"],
  release: ["created again"],
  releaseOwn: ["created again", "started"],
};

describe.each<[string, Pool, object]>([
  ["attendees", undefined, person()],
  ["partners", "partners", partner],
])("for the seats of %s", (_, pool, holder) => {
  test.each(Object.entries(refusedBy))("the claim %s is refused after exactly these changes", (claim, expected) => {
    const one = holder as ReturnType<typeof person>;
    const change = { joining: [one], ...(claim === "heir" && { leaving: [one] }) };
    const isRefused = (more: object) => send(claim as ClaimName, change, { ...seats, ...more }, pool) === "refused";
    expect(isRefused({})).toBe(false);
    const found = Object.keys(changes).filter((name) => isRefused(changes[name] as object));
    const waits = pool ? "a partner waits" : "an attendee waits";
    expect(found.sort()).toEqual(expected.map((name) => (name === turn ? waits : name)).sort());
  });
});

test("registration that opens at no certain time is open", () => {
  const { opensAt: _, ...item } = seats;
  expect(send("newcomer", { joining: [person()] }, item)).not.toBe("refused");
});

describe("several people", () => {
  const change = (count: number) => ({ joining: Array.from({ length: count }, () => person()), promoted: count });
  const free = (count: number, more: object = {}) => ({ ...seats, seats: 5 - count, ...more });

  test.each([
    [2, 2, true],
    [2, 1, false],
    [3, 3, true],
    [3, 2, false],
  ])("%i get seats when %i are free: %p", (count, left, expected) => {
    expect(send("line", change(count), free(left)) !== "refused").toBe(expected);
  });

  test("are refused when the capacity is another one than was read", () => {
    expect(send("line", change(2), free(5, { capacity: 6 }))).toBe("refused");
  });

  test("are counted, each with the seat that it waited for", () => {
    expect(send("line", change(2), free(2))).toMatchObject({ seats: 5, registered: 6, promoted: 2 });
    expect(send("line", { joining: [person()] })).not.toHaveProperty("promoted");
  });
});

describe("a choice", () => {
  const joins = (...choices: string[]) => ({ joining: choices.map((choice) => person({ w: choice })) });
  const isRefused = (claim: ClaimName, change: Partial<Change>, item: Item = { ...seats, seats: 2 }) =>
    send(claim, change, item) === "refused";
  const holders = (claim: ClaimName, change: Partial<Change>, item: Item = { ...seats, seats: 2 }) =>
    (send(claim, change, item) as unknown as Seats).choiceHolders;

  test.each<[string, readonly string[], boolean]>([
    ["with room", ["a"], false],
    ["that is full", ["full"], true],
    ["that had no holder", ["new"], false],
    ["with room for one of two", ["a", "a"], true],
    ["that had no holder, for two", ["new", "new"], false],
    ["that had no holder, for more than its limit", ["new", "new", "new"], true],
  ])("%s: %p are refused: %p", (_, choices, expected) => {
    expect(isRefused("line", joins(...choices))).toBe(expected);
  });

  test("of a question without a limit has room", () => {
    const item = { ...seats, choiceLimits: {}, seats: 2 };
    expect(isRefused("line", joins("full"), item)).toBe(false);
  });

  test("gains and loses its holders", () => {
    expect(holders("line", joins("a", "new"))).toEqual({ w: { a: 2, full: 2, new: 1 } });
    expect(holders("release", { leaving: [person({ w: "full" })] })).toEqual({ w: { a: 1, full: 1 } });
  });

  test("of a leaver whom a joiner replaces needs no room of its own", () => {
    const swap = { joining: [person({ w: "full" })], leaving: [person({ w: "full" })] };
    expect(holders("heir", swap)).toEqual({ w: { a: 1, full: 2 } });
  });

  test("that is kept needs no room, and another one does", () => {
    const over = { ...seats, choiceLimits: { w: 1 } };
    const kept = { joining: [person({ w: "full", v: "x" })], leaving: [person({ w: "full", v: "y" })] };
    expect(holders("recount", { ...kept }, { ...over, choiceHolders: { w: { full: 2 }, v: { y: 1 } } })).toEqual({
      ...{ w: { full: 2 }, v: { x: 1, y: 0 } },
    });
    const other = { joining: [person({ w: "full" })], leaving: [person({ w: "a" })] };
    expect(isRefused("recount", other)).toBe(true);
    expect(isRefused("recount", { joining: [person({ w: "a" })], leaving: [person({ w: "full" })] })).toBe(false);
  });

  test("for which people were passed over must still be as full as it was", () => {
    const full = [{ question: "w", choice: "full", holders: 2 }];
    const change = { ...joins("a"), turn: { kind: "next", passedOver: full, counted: {} } as const };
    expect(isRefused("line", change)).toBe(false);
    expect(isRefused("line", change, { ...seats, choiceHolders: { w: { a: 1, full: 1 } } })).toBe(true);
  });

  test("of more than thirty for which people were passed over: all counters must be unchanged", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ question: "w", choice: `c${n}`, holders: 1 }));
    const item = {
      ...seats,
      seats: 2,
      choiceHolders: { w: Object.fromEntries(many(31).map(({ choice }) => [choice, 1])) },
    };
    const change = (count: number) => ({
      joining: [person()],
      turn: { kind: "next", passedOver: many(count), counted: item.choiceHolders } as const,
    });
    const more = { ...item, choiceHolders: { w: { ...item.choiceHolders.w, other: 1 } } };
    expect([isRefused("line", change(30), more), isRefused("line", change(31), item)]).toEqual([false, false]);
    expect(isRefused("line", change(31), more)).toBe(true);
  });
});

describe("the gate", () => {
  test("of each pool becomes queued by the first who waits there", () => {
    expect(send("wait", {})).toEqual({ ...seats, gate: "queued" });
    expect(send("wait", {}, seats, "partners")).toEqual({ ...seats, partnerGate: "queued" });
    expect(send("regroup", { leaving: [person()] })).toMatchObject({ gate: "queued", seats: 3, registered: 3 });
  });

  test("of a pool is direct until a person waits, and attendees always have one", () => {
    expect([poolOf(seats, "partners").gate, poolOf(seats, undefined)]).toEqual(["direct", seats]);
    expect(poolOf(seats, "partners")).toMatchObject({ pool: "partners", seats: 2, capacity: 3 });
    const { partnerSeats: _, ...earlier } = seats;
    expect(poolOf(earlier as Seats, "partners").seats).toBe(0);
    const pools = (more: object) => poolsInUse({ ...seats, ...more }).map(({ pool }) => pool);
    expect([pools({}), pools({ partnerGate: "queued" })]).toEqual([[undefined], [undefined, "partners"]]);
  });
});

test("people with a seat, of either pool, and applicants are counted", () => {
  expect(takenIn({ ...seats, applicants: 7 })).toBe(4 + 2 + 7);
  const { partnerSeats: _, ...earlier } = seats;
  expect(takenIn({ ...(earlier as Seats), applicants: 0 })).toBe(4);
});

describe("an event's change of its seats", () => {
  const { PK: _PK, SK: _SK, ...stored } = seats;
  const settings = { ...stored, capacity: 9, opensAt: now + 5 };
  const applied = ({ Update, Put }: ReturnType<typeof adjustSeats>, item: Item | undefined): Item | "refused" => {
    const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = Update ?? Put ?? {};
    const given = { names, values } as { names: Record<string, string>; values: Record<string, unknown> };
    if (!holds((Update ?? Put)?.ConditionExpression, item, given)) return "refused";
    return Put ? (Put.Item as Item) : updated(item as Item, Update?.UpdateExpression ?? "", given);
  };
  const empty = { ...seats, seats: 0, applicants: 0, partnerSeats: 0 };
  const adjust = (item: Item, questions: readonly string[] = [], onlyWithout?: Parameters<typeof adjustSeats>[3]) =>
    applied(adjustSeats(key, settings, { counted: seats.choiceHolders, questions }, onlyWithout), item);

  test("keeps counters and generation, and counts a question from now on", () => {
    expect(adjust(seats, ["w", "v"])).toEqual({
      ...{ ...seats, capacity: 9, opensAt: now + 5 },
      choiceHolders: { ...seats.choiceHolders, v: {} },
    });
  });

  test("in an item of earlier times begins to count the partners' seats", () => {
    const { partnerSeats: _, ...earlier } = seats;
    expect(adjust(earlier)).toMatchObject({ partnerSeats: 0 });
  });

  test.each<[string, object, Parameters<typeof adjustSeats>[3], boolean]>([
    ["created again", { generation: "j" }, undefined, true],
    ["deleted", { state: "DELETED" }, undefined, true],
    ["with seats", {}, undefined, false],
    ["with seats, only without", {}, "anybody", true],
    ["with an application, only without", { seats: 0, partnerSeats: 0, applicants: 1 }, "anybody", true],
    ["with a partner's seat, only without", { seats: 0, partnerSeats: 1 }, "anybody", true],
    ["without people, only without", { seats: 0, partnerSeats: 0 }, "anybody", false],
    ["without people, of earlier times, only without", { seats: 0, partnerSeats: undefined }, "anybody", false],
    ["with a partner's seat, only without those", { seats: 0 }, "partners' seats", true],
    ["without a partner's seat, only without those", { partnerSeats: 0 }, "partners' seats", false],
  ])("of an event %s is refused: %#", (_, more, onlyWithout, isRefused) => {
    const item = JSON.parse(JSON.stringify({ ...seats, ...more }));
    expect(adjust(item, [], onlyWithout) === "refused").toBe(isRefused);
  });

  test.each([
    [false, {}, "DELETED"],
    [true, {}, "refused"],
    [true, empty, "DELETED"],
    [false, { generation: "j" }, "refused"],
  ])("to deleted, only if empty (%p)", (onlyIfEmpty, more, expected) => {
    const after = applied(markSeatsDeleted(key, "i", onlyIfEmpty), { ...seats, ...more });
    expect(after === "refused" ? after : after.state).toBe(expected);
  });

  test.each([
    ["new", undefined, false],
    ["deleted", { ...seats, state: "DELETED" }, false],
    ["there", seats, true],
  ])("creates them where the event is %s, or is refused", (_, item, isRefused) => {
    const made = emptySeats(settings, ["w"], true);
    const after = applied(putSeats(key, made), item as Item | undefined);
    expect(after).toEqual(isRefused ? "refused" : { PK: "SEAT#gala#2030#00", SK: "POOL", ...made });
    expect(made).toMatchObject({
      recreated: true,
      gate: "direct",
      choiceHolders: { w: {} },
      seats: 0,
      partnerSeats: 0,
    });
  });
});
