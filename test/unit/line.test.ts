/** The line: what of it is stored and read, and who of it gets a seat (`docs/design.md`, "The capacity protocol"). */

import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Place, Seats } from "#domain/capacity/seats.ts";
import { MemoryTable } from "../model/table.ts";
import { givenGala } from "./gala.ts";
import "./environment.ts";
import { eventRecord, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const line = await import("#domain/capacity/line.ts");
const { allocate, isEnough, maxAtOnce, maxChoicesAtOnce, maxToSeat, mayPromote } = await import(
  "#domain/capacity/allocate.ts"
);

const key = { id: "gala", year: 2030 };
const now = 1_800_000_000_000;
const queueKey = (n: number) => `${now + n}#${String(n).padStart(26, "0")}`;
const place = (n: number, more: Partial<Place> = {}): Place => ({
  ...{ email: `p${n}@unit.example`, queueKey: queueKey(n), choices: {}, isPartner: false, fname: "Ada" },
  ...{ generation: "i", version: 1, ...more },
});
const names = (places: readonly Place[]) => places.map(({ email }) => email.split("@")[0]);

let table: MemoryTable;
let queries: { Limit?: number; ConsistentRead?: boolean; Select?: string }[];
beforeEach(() => {
  table = new MemoryTable();
  queries = [];
  jest.spyOn(client, "send").mockImplementation((async (command: { input: object }) => {
    queries.push(command.input);
    return table.execute(command, () => 0);
  }) as never);
});
const join = (...places: Place[]) => {
  for (const one of places) table.seed(line.joinLine(key, one).Put?.Item as never);
};
const many = (count: number, more: Partial<Place> = {}) => Array.from({ length: count }, (_, n) => place(n, more));

describe("a place", () => {
  test.each<[string, Partial<Place>, object]>([
    ["without what is usual", {}, {}],
    ["with choices", { choices: { w: "a" } }, { choices: { w: "a" } }],
    ["of a partner", { isPartner: true, pool: "partners" }, { isPartner: true, pool: "partners" }],
  ])("is stored %s, and read as it was", (_, more, stored) => {
    const item = line.placeItem(key, place(1, more));
    expect(item).toStrictEqual({
      ...{ PK: more.pool ? "WAIT#gala#2030#PARTNERS" : "WAIT#gala#2030", SK: queueKey(1) },
      ...{ email: "p1@unit.example", fname: "Ada", generation: "i", version: 1, ...stored },
    });
    expect(line.placeIn(item)).toStrictEqual(place(1, more));
  });

  test("is added once, and replaced or removed only as it was read", () => {
    expect(line.joinLine(key, place(1)).Put?.ConditionExpression).toBe("attribute_not_exists(PK)");
    expect(line.replacePlace(key, place(1, { version: 2 }), 1).Put).toMatchObject({
      ...{ ConditionExpression: "version = :read", ExpressionAttributeValues: { ":read": 1 } },
    });
    expect(line.leaveLine(key, place(1, { version: 2 })).Delete).toMatchObject({
      Key: { PK: "WAIT#gala#2030", SK: queueKey(1) },
      ...{ ConditionExpression: "version = :read", ExpressionAttributeValues: { ":read": 2 } },
    });
  });
});

describe("of the line", () => {
  test("all people of the generation and pool are read in order, ten and then fifty at a time", async () => {
    join(...many(70), place(100, { generation: "h" }), place(101, { pool: "partners" }));
    const read = await line.readLine(key, { generation: "i" });
    expect([names(read.places), read.isWhole]).toEqual([names(many(70)), true]);
    expect(queries.map(({ Limit, ConsistentRead }) => [Limit, ConsistentRead])).toEqual([
      [10, true],
      [50, true],
      [50, true],
    ]);
    expect(names((await line.readLine(key, { generation: "i", pool: "partners" })).places)).toEqual(["p101"]);
  });

  test("no more is read than is enough, or than the number of pages", async () => {
    join(...many(70));
    const some = await line.readLine(key, { generation: "i" }, { first: 3, isEnough: ({ length }) => length >= 3 });
    expect([some.places.length, some.isWhole]).toEqual([3, false]);
    const pages = await line.readLine(key, { generation: "i" }, { first: 3, maxPages: 2 });
    expect([pages.places.length, pages.isWhole]).toEqual([53, false]);
  });

  test("the first ten are those of the attendees, of any generation, and whether there are more is known", async () => {
    join(place(0, { generation: "h" }), ...many(9).map((one, n) => ({ ...one, queueKey: queueKey(n + 1) })));
    expect([(await line.readLineStart(key)).places.length, (await line.readHead(key, undefined))?.generation]).toEqual([
      10,
      "h",
    ]);
    join(place(50));
    expect((await line.readLineStart(key)).isWhole).toBe(false);
    expect(queries.every(({ ConsistentRead }) => ConsistentRead)).toBe(true);
    expect(await line.readHead(key, "partners")).toBeUndefined();
  });

  test.each<[boolean, boolean, Partial<Place> | undefined]>([
    [false, false, undefined],
    [true, true, {}],
    [false, true, { pool: "partners" }],
    [false, false, { generation: "h" }],
  ])("people wait for a seat of attendees: %p, for any: %p", async (own, any, more) => {
    if (more) join(place(1, more));
    expect(await line.isWaitedIn(key, { generation: "i" })).toBe(own);
    expect(await line.hasWaiters(key, "i")).toBe(any);
  });

  test("one page tells whether people wait", async () => {
    join(...many(70));
    await line.isWaitedIn(key, { generation: "i" });
    expect(queries).toHaveLength(1);
  });

  test.each(["strong", "eventual"] as const)(
    "the people of a generation and pool are counted: %s",
    async (consistency) => {
      join(...many(3), place(10, { generation: "h" }), place(11, { pool: "partners" }));
      expect(await line.countLine(key, { generation: "i" }, consistency)).toBe(3);
      expect(await line.countLine(key, { generation: "i", pool: "partners" }, consistency)).toBe(1);
      expect(queries[0]).toMatchObject({ Select: "COUNT", ConsistentRead: consistency === "strong" });
    },
  );
});

const seats = (more: Partial<Seats> = {}): Seats =>
  seatsItem(eventRecord(), { capacity: 5, seats: 3, startsAt: now + 1, ...more }) as unknown as Seats;
const heir = { kind: "heir", leaver: { w: "a" } } as const;

test("a person with more choices than are seated at once is seated alone, and blocks no line", () => {
  const choices = Object.fromEntries(Array.from({ length: maxChoicesAtOnce + 1 }, (_, n) => [`q${n}`, "a"]));
  const places = [place(0, { choices }), place(1)];
  const allocation = allocate(seats(), { places, isWhole: true }, { kind: "line" }, now);
  expect(allocation).toMatchObject({ kind: "seated", people: [places[0]] });
});

describe("a claim", () => {
  test.each<["newcomer" | "line" | "heir", string, number, Partial<Seats>]>([
    ["newcomer", "behind a line", 1, { gate: "queued" }],
    ["newcomer", "without a line", 0, {}],
    ["newcomer", "of an event that is full", 0, { gate: "queued", seats: 5 }],
    ["newcomer", "of an application", 0, { gate: "queued", mode: "application" }],
    ["line", "with two seats free", 2, {}],
    ["line", "with more than a transaction takes", maxAtOnce, { capacity: 1_000 }],
    ["line", "of an event that is full", 0, { seats: 5 }],
    ["line", "of an event that is closed", 0, { state: "CLOSED" }],
    ["line", "of an event that has begun", 0, { startsAt: now }],
    ["line", "of an application", 0, { mode: "application" }],
    ["heir", "of an event that is full", 1, { seats: 5 }],
    ["heir", "of an event with more seats taken than it has", 0, { seats: 6 }],
    ["heir", "of an event that is closed", 0, { state: "CLOSED" }],
  ])("of a %s %s seats %i people in line", (kind, _, count, more) => {
    const claim = kind === "heir" ? heir : ({ kind } as const);
    expect(maxToSeat(seats(more), claim, now)).toBe(count);
    if (kind === "line") expect(mayPromote(seats(more), now)).toBe(count > 0);
  });

  const full = { choiceLimits: { w: 1 }, choiceHolders: { w: { a: 1 } } };
  const [wantsA, wantsB] = [place(1, { choices: { w: "a" } }), place(2, { choices: { w: "b" } })];

  test("reads the line only as far as it matters", async () => {
    join(...many(400, { choices: { w: "a" } }));
    const read = async (kind: "newcomer" | "line", more: Partial<Seats>) =>
      (await line.readLineFor(key, seats({ gate: "queued", ...more }), { kind }, now))?.places.length;
    expect(await read("line", { seats: 5 })).toBeUndefined();
    expect(await read("line", {})).toBe(10);
    expect(await read("line", { capacity: 1_000 })).toBe(maxAtOnce);
    expect([await read("newcomer", full), await read("line", full)]).toEqual([10 + 4 * 50, 400]);
  });

  test("has enough when it knows of as many people as it seats", () => {
    const enough = (...places: Place[]) => isEnough(seats(full), { kind: "line" }, places, now);
    expect([enough(wantsB), enough(wantsA, wantsB), enough(wantsB, place(3))]).toEqual([false, false, true]);
    expect(isEnough(seats({ ...full, seats: 5 }), heir, [wantsA], now)).toBe(true);
  });

  test("of the line seats people in order, and names the choices for which others were passed over", () => {
    const whole = { places: [wantsA, wantsB, place(3)], isWhole: true };
    expect(allocate(seats(full), whole, { kind: "line" }, now)).toEqual({
      ...{ kind: "seated", people: [wantsB, place(3)] },
      turn: { kind: "next", passedOver: [{ question: "w", choice: "a", holders: 1 }], counted: full.choiceHolders },
    });
    expect(allocate(seats({ ...full, seats: 5 }), whole, { kind: "line" }, now)).toEqual({ kind: "full" });
    expect(allocate(seats(full), { places: [wantsA], isWhole: true }, { kind: "line" }, now)).toEqual({
      kind: "waits",
    });
    expect(allocate(seats(full), undefined, { kind: "line" }, now)).toEqual({ kind: "waits" });
  });

  test("names no choice without a limit, and none with room, of a person who was passed over", () => {
    const choices = { v: "x", w: "a", u: "y" };
    const holders = { choiceLimits: { w: 1, u: 2 }, choiceHolders: { w: { a: 1 }, v: { x: 7 }, u: { y: 1 } } };
    const allocation = allocate(
      seats(holders),
      { places: [place(1, { choices }), place(2)], isWhole: true },
      { kind: "line" },
      now,
    );
    expect(allocation).toMatchObject({ turn: { passedOver: [{ question: "w", choice: "a", holders: 1 }] } });
  });

  test("of an heir gives the leaver's choice on, and demands it as the item counts it", () => {
    const whole = { places: [wantsA], isWhole: true };
    const allocation = allocate(seats({ ...full, seats: 5 }), whole, heir, now);
    expect(allocation).toMatchObject({ kind: "seated", people: [wantsA], turn: { passedOver: [] } });
    const two = { choiceLimits: { w: 1 }, choiceHolders: { w: { a: 2, b: 1 } } };
    const later = allocate(
      seats({ ...two, seats: 5 }),
      { places: [wantsA, wantsB, place(3)], isWhole: true },
      heir,
      now,
    );
    expect(later).toMatchObject({
      people: [place(3)],
      turn: {
        passedOver: [
          { question: "w", choice: "a", holders: 2 },
          { question: "w", choice: "b", holders: 1 },
        ],
      },
    });
  });
});

describe("a newcomer", () => {
  const person = place(9, { choices: { w: "a" } });
  const decide = (more: Partial<Seats>, read?: { places: readonly Place[]; isWhole: boolean }) =>
    allocate(seats(more), read, { kind: "newcomer", person }, now);
  const full = { choiceLimits: { w: 1 }, choiceHolders: { w: { a: 1 } } };
  const whole = (...places: Place[]) => ({ places, isWhole: true });
  const seated = (turn: object) => ({ kind: "seated", people: [person], turn });

  test.each<[string, Partial<Seats>, Parameters<typeof decide>[1], object]>([
    [
      "waits behind a person who could be seated, although the own choice is full",
      { gate: "queued", ...full },
      whole(place(1)),
      { kind: "waits" },
    ],
    [
      "is accepted at an application without a line",
      { mode: "application" },
      undefined,
      seated({ kind: "next", passedOver: [], counted: {} }),
    ],
    ["gets a seat at a direct gate", {}, undefined, seated({ kind: "direct" })],
    ["gets none of a full event", { seats: 5 }, undefined, { kind: "full" }],
    ["gets none in a full choice", full, undefined, { kind: "choiceFull", choice: "a" }],
    ["waits behind a line that was not read", { gate: "queued" }, undefined, { kind: "waits" }],
    [
      "waits behind a line that was not read to its end",
      { gate: "queued" },
      { places: [], isWhole: false },
      { kind: "waits" },
    ],
    ["waits behind a person who could be seated", { gate: "queued" }, whole(place(1)), { kind: "waits" }],
    ["is next in an empty line", { gate: "queued" }, whole(), seated({ kind: "next", passedOver: [], counted: {} })],
    [
      "is next behind people whose choice is full",
      { gate: "queued", ...full, choiceHolders: { w: { b: 1 } } },
      whole(place(1, { choices: { w: "b" } })),
      seated({ kind: "next", passedOver: [{ question: "w", choice: "b", holders: 1 }], counted: { w: { b: 1 } } }),
    ],
    [
      "is accepted before the line at an application",
      { gate: "queued", mode: "application" },
      undefined,
      seated({ kind: "next", passedOver: [], counted: {} }),
    ],
  ])("%s", (_, more, read, expected) => {
    expect(decide(more, read)).toEqual(expected);
  });
});

test("a rejected person who is put in line waits under the event's present terms, not as an applicant", async () => {
  const gala = givenGala({ capac: 1, isApplicationBased: true });
  for (const name of "ab") await gala.register(name);
  await gala.become("b", "rejected", "admin");
  await gala.become("a", "cancelled");
  gala.change({ isApplicationBased: false });
  await gala.register("c");
  await gala.become("b", "waitlist", "admin");
  await gala.become("c", "cancelled");
  expect(gala.registrationOf("b")).toMatchObject({ status: "registered", applicationBased: false });
});
