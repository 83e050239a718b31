/**
 * An event that moved is announced with one outbox row for each person who holds a seat, however often it is announced.
 */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { decodeTime } from "ulid";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { Message } from "#outbox/messages.ts";
import {
  batchOf,
  failuresOf,
  givenEvent,
  givenRegistration,
  givenWorld,
  onTheBus,
  world,
} from "./notification-world.ts";

const { handler } = await import("#consumers/announce.ts");
const { nameOf, outboxRow } = await import("#outbox/store.ts");

beforeEach(() => {
  givenWorld();
  rows.length = 0;
  world.memory.onCommit = (changes) => {
    for (const { before, after } of changes) {
      if (String(after?.PK).startsWith("OUT#")) rows.push({ isNew: before === undefined, ...after } as never);
    }
  };
});

interface Row {
  readonly isNew: boolean;
  readonly PK: string;
  readonly SK: string;
  readonly detailType: string;
  readonly detail: { readonly metadata: { readonly id: string }; readonly data: Record<string, unknown> };
}
const rows: Row[] = [];
const emails = () => rows.map(({ detail }) => detail.data.email);

const occurredAt = Date.parse("2026-01-10T09:30:00Z");
const moved = (scheduleVersion = 1): Message<"event.rescheduled"> => ({
  type: "event.rescheduled",
  id: "01M",
  occurredAt,
  actor: "exec@club.example",
  requestId: "r9",
  data: { id: "kickstart", year: 2026, generation: "i1", ename: "Kickstart", version: 2, changed: [], scheduleVersion },
});
const announce = async (message = moved()) => failuresOf(await handler(batchOf(onTheBus(message)) as never));

function givenRegistrations(...all: Partial<RegistrationRecord>[]): void {
  world.indexPages = [all.map((registration) => givenRegistration(registration))];
}

describe("an announcement of a move", () => {
  test("says what is true of the registration, in the name of the admin who moved the event", async () => {
    givenEvent({ scheduleVersion: 1 });
    givenRegistrations({ version: 4, noticeVersion: 2 });
    expect(await announce()).toEqual([]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      PK: expect.stringMatching(/^OUT#2026011009#[0-7]$/),
      detailType: "registration.updated",
      detail: {
        metadata: { id: rows[0]?.SK, occurredAt: "2026-01-10T09:30:00.000Z", actor: "exec@club.example" },
        data: { email: "ada@student.example", registrationStatus: "registered", version: 4, notice: "moved" },
      },
      ttl: occurredAt / 1_000 + 400 * 86_400,
    });
  });

  test("goes to the people who hold a seat in this generation of the event", async () => {
    givenEvent({ scheduleVersion: 1 });
    const holds = { registered: true, incomplete: true, accepted: true, waitlist: false, cancelled: false };
    givenRegistrations(
      ...Object.keys(holds).map((status) => ({ status: status as keyof typeof holds, email: status })),
      { email: "applicant", applicant: true },
      { email: "earlier", generation: "i0" },
      { email: "erased-0@erased.invalid" },
    );
    await announce();
    expect(emails()).toEqual(["registered", "incomplete", "accepted"]);
  });

  test("that comes late or again leaves out people who have registered since: their mail has the new date", async () => {
    givenEvent({ scheduleVersion: 1 });
    givenRegistrations(
      { email: "before", queueKey: `${occurredAt - 1}#a` },
      { email: "meanwhile", queueKey: `${occurredAt + 59_000}#a` },
      { email: "since", queueKey: `${occurredAt + 61_000}#a` },
      { email: "again", queueKey: `${occurredAt + 61_000}#a`, createdAt: occurredAt - 1 },
    );
    // The newcomer holds a seat, and is not counted as missing from the index.
    world.put({ PK: "SEAT#kickstart#2026#00", SK: "POOL", generation: "i1", seats: 4 });
    expect(await announce()).toEqual([]);
    expect(emails().sort()).toEqual(["before", "meanwhile"]);
  });

  test("finds each person who comes along with their holder", async () => {
    givenEvent({ scheduleVersion: 1 });
    world.put({ PK: "SEAT#kickstart#2026#00", SK: "POOL", generation: "i1", seats: 4 });
    const plusOnes = ["Bea", "Cyd"].map((fname) => ({ fname, ticketId: `ticket of ${fname}` }));
    givenRegistrations({ email: "ada", plusOnes }, { email: "eve" });
    expect(await announce()).toEqual([]);
    expect(emails()).toEqual(["ada", "eve"]);
  });

  test.each([
    ["of this generation", "i1", ["m0"]],
    ["of another generation", "i2", []],
  ])(
    "comes again while the index lacks holders of seats %s, and tells each person once",
    async (_, generation, again) => {
      givenEvent({ scheduleVersion: 1 });
      world.put({ PK: "SEAT#kickstart#2026#00", SK: "POOL", generation, seats: 2 });
      givenRegistrations({ email: "ada" }, { email: "waiting", status: "waitlist" });
      expect(await announce()).toEqual(again);
      expect(emails()).toEqual(["ada"]);
      givenRegistrations({ email: "ada" }, { email: "bob" });
      expect(await announce()).toEqual([]);
      expect(emails()).toEqual(["ada", "bob"]);
      expect(rows.every(({ isNew }) => isNew)).toBe(true);
    },
  );

  test("follows the registration in the table, not the older one in the index", async () => {
    givenEvent({ scheduleVersion: 1 });
    givenRegistrations({ version: 5, noticeVersion: 5 }, { email: "gone@student.example", status: "cancelled" });
    world.indexPages = [(world.indexPages[0] ?? []).map((item) => ({ ...item, status: "incomplete", version: 1 }))];
    await announce();
    expect(rows.map(({ detail }) => detail.data)).toMatchObject([{ email: "ada@student.example", version: 5 }]);
  });

  test.each([
    ["a later one", () => givenEvent({ scheduleVersion: 2 })],
    ["the end of the event", () => undefined],
    ["another generation of the event", () => givenEvent({ scheduleVersion: 1, generation: "i2" })],
  ])("is not written any more after %s", async (_, given) => {
    given();
    givenRegistrations({});
    expect(await announce()).toEqual([]);
    expect(rows).toEqual([]);
  });
});

describe("an announcement that comes twice", () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ email: `p${index}@student.example` }));

  test("writes each row once, also for people whose registration changed in between", async () => {
    givenEvent({ scheduleVersion: 1 });
    givenRegistrations(...people(3));
    await announce();
    givenRegistrations(...people(4).map((person) => ({ ...person, version: 9 })));
    expect(await announce()).toEqual([]);
    expect(rows.map(({ isNew }) => isNew)).toEqual([true, true, true, true]);
    givenEvent({ scheduleVersion: 2 });
    await announce(moved(2));
    expect(rows).toHaveLength(8);
  });

  test("after a stop at any call writes the remaining rows", async () => {
    let call = 0;
    for (; ; call += 1) {
      givenWorld();
      givenEvent({ scheduleVersion: 1 });
      givenRegistrations(...people(3));
      const written: Row[] = [];
      world.memory.onCommit = (changes) => written.push(...changes.map(({ after }) => after as unknown as Row));
      world.death = { call, carriedOut: call % 2 === 0 };
      const hasFailed = (await announce()).length > 0;
      world.revive();
      expect(await announce()).toEqual([]);
      expect([call, written.length, new Set(written.map(({ SK }) => SK)).size]).toEqual([call, 3, 3]);
      if (!hasFailed) break;
    }
    expect(call).toBeGreaterThan(5);
  });

  test("would write a row twice if rows had no fixed names", async () => {
    const message = { type: "export.requested", data: { email: "ada@student.example" } } as const;
    const origin = { now: occurredAt, actor: "system", requestId: "r1" };
    const name = nameOf(occurredAt, ["x"]);
    for (const names of [[name], [name], [], []]) {
      const TransactItems = [outboxRow(message, origin, ...names)];
      await world.table(new TransactWriteCommand({ TransactItems })).catch(() => undefined);
    }
    expect(rows).toHaveLength(3);
  });
});

test("a row's name differs with each of its parts", () => {
  const names = [["a", 1], ["a", "1"], ["a1"], ["a", 1, 2]].map((message) => nameOf(occurredAt, message).id);
  expect(new Set(names).size).toBe(names.length);
  expect(names.map(decodeTime)).toEqual(names.map(() => occurredAt));
});
