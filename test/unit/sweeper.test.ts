/**
 * The sweeper ends holds that are over. A hold that cannot be ended does not block the others, and is not forgotten.
 */
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { retryDelay } from "#domain/registrations/holds/holds.ts";
import type { StoredHold } from "#domain/registrations/holds/store.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { Item } from "#kit/table/table.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { eventRecord, registrationItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { seam } = await import("#kit/seam.ts");
const { sweep } = await import("#domain/registrations/reactions/sweep.ts");
const { eventItem } = await import("#domain/events/store.ts");
const { beginErasure } = await import("#domain/people/users/erasures.ts");
const { systemContext } = await import("#kit/request/context.ts");
process.env.ANSWERS_KEPT_DAYS = "30";
const { handler } = await import("#consumers/sweeper.ts");

const minutes = 60_000;
const hours = 60 * minutes;
const start = Date.parse("2030-03-01T12:30:00Z");

let table: MemoryTable;
/** All stored holds, by their sort keys. */
let holds: Map<string, StoredHold>;

beforeEach(() => {
  jest.restoreAllMocks();
  table = new MemoryTable();
  holds = new Map();
  table.onCommit = (changes) => {
    for (const { before, after } of changes) {
      if (before?.PK === "HOLD" && !after) holds.delete(String(before.SK));
      if (after?.PK === "HOLD") holds.set(String(after.SK), after as never);
    }
  };
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
});

const registrationKey = (name: string) => ({ PK: `USER#${name}@unit.example`, SK: "REG#gala#2030" });
const holdKey = (name: string, time: number) => ({ PK: "HOLD", SK: `${time}#gala#2030#${name}@unit.example` });

/** An unpaid seat of a deleted event, so that ending it changes no counters. */
function givenHold(name: string, expiresAt: number, more: Partial<RegistrationRecord> = {}): void {
  const email = `${name}@unit.example`;
  table.seed(registrationItem({ email, status: "incomplete", holdExpiresAt: expiresAt, ...more }));
  table.seed({ ...holdKey(name, expiresAt), email, event: { id: "gala", year: 2030 }, expiresAt });
}

/** A hold that can never be ended, because no move leads from `checkedIn` to the end of a hold. */
const givenPoisonedHold = (name: string, expiresAt: number) => givenHold(name, expiresAt, { status: "checkedIn" });

const statusOf = (name: string) => table.peek(registrationKey(name))?.status;

/** Email, failures and next try of each hold that was moved. The next try is in milliseconds after `start`. */
const moved = () =>
  [...holds.values()]
    .filter(({ failures }) => failures !== undefined)
    .map(({ email, failures, SK }) => [email, failures, Number(SK.split("#")[0]) - start]);

/** Runs before a hold is ended. */
const givenBefore = (act: (hold: { readonly email: string }) => void) =>
  jest.spyOn(seam, "endHold").mockImplementation(async (hold, end) => {
    act(hold as never);
    return end();
  });

/** Each named hold cannot be ended for the given number of times. */
function givenFailures(failures: Readonly<Record<string, number>>): void {
  const left: Record<string, number> = { ...failures };
  givenBefore(({ email }) => {
    const name = email.split("@")[0] as string;
    left[name] = (left[name] ?? 0) - 1;
    if (left[name] >= 0) throw new Error("cannot be ended");
  });
}

test.each([
  [1, 1],
  [3, 4],
  [8, 128],
  [9, 240],
  [5_000, 240],
])("after %p failures a hold is tried again %p minutes later", (failures, expected) => {
  expect(retryDelay(failures)).toBe(expected * minutes);
});

test("a hold that was moved is stored like this", async () => {
  givenPoisonedHold("poison", start - 1 * minutes);
  await sweep(start);
  expect([...holds.values()]).toEqual([
    {
      PK: "HOLD",
      SK: "1898598660000#gala#2030#poison@unit.example",
      email: "poison@unit.example",
      event: { id: "gala", year: 2030 },
      expiresAt: 1_898_598_540_000,
      failures: 1,
      ttl: 1_898_598_660 + 30 * 86_400,
    },
  ]);
});

describe("a hold that cannot be ended", () => {
  test("stops no other", async () => {
    givenHold("before", start - 3 * hours);
    givenPoisonedHold("poison", start - 2 * hours);
    givenHold("after", start - 1 * hours);
    expect(await sweep(start)).toEqual({ ended: 2, unheard: 0, failed: 1, ranOutOfTime: false, stuck: 0 });
    expect(["before", "poison", "after"].map(statusOf)).toEqual(["cancelled", "checkedIn", "cancelled"]);
    expect(moved()).toEqual([["poison@unit.example", 1, 1 * minutes]]);
    expect(holds.size).toBe(1);
  });

  test("comes behind those that never failed, however long it takes", async () => {
    for (let n = 0; n < 12; n += 1) givenPoisonedHold(`p${n}`, start - 1 * hours);
    await sweep(start);
    givenHold("young", start + 1 * minutes);
    let time = 0;
    jest.spyOn(performance, "now").mockImplementation(() => time);
    givenBefore(() => {
      time += 2_500;
    });
    expect(await sweep(start + 1 * minutes)).toMatchObject({ ended: 1, ranOutOfTime: true });
    expect(statusOf("young")).toBe("cancelled");
  });

  test("is removed once it is ended", async () => {
    givenHold("late", start - 1 * minutes);
    givenFailures({ late: 2 });
    for (const minute of [0, 1, 2]) await sweep(start + minute * minutes);
    expect([statusOf("late"), moved()]).toEqual(["incomplete", [["late@unit.example", 2, 3 * minutes]]]);
    expect(await sweep(start + 3 * minutes)).toMatchObject({ ended: 1, failed: 0 });
    expect([statusOf("late"), holds.size]).toEqual(["cancelled", 0]);
  });

  test("may also be one that takes too long", async () => {
    givenHold("slow", start - 1 * minutes);
    jest.spyOn(seam, "endHold").mockReturnValue(new Promise<never>(() => undefined));
    const pause = jest.spyOn(seam, "pause").mockResolvedValue();
    expect(await sweep(start)).toMatchObject({ failed: 1 });
    expect(pause.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([15_000]);
    expect(moved()).toEqual([["slow@unit.example", 1, 1 * minutes]]);
  });

  test("raises the alarm after its fourth failure, in every run, until it is ended", async () => {
    const clock = jest.spyOn(Date, "now");
    givenPoisonedHold("poison", start - 1 * minutes);
    const failed: number[] = [];
    for (let minute = 0; minute <= 12; minute += 1) {
      clock.mockReturnValue(start + minute * minutes);
      await handler().catch(() => failed.push(minute));
    }
    expect(failed).toEqual([7, 8, 9, 10, 11, 12]);
    table.seed({ ...table.peek(registrationKey("poison")), status: "incomplete" });
    clock.mockReturnValue(start + 15 * minutes);
    await handler();
    expect(statusOf("poison")).toBe("cancelled");
  });
});

describe("a run of the sweeper", () => {
  test.each([
    ["12:00:00.000", true],
    ["12:00:59.999", true],
    ["12:01:00.000", false],
    ["12:59:59.999", false],
  ])(
    "at %s ends erasures that are due, and in the first minute of an hour removes old entries",
    async (time, isHour) => {
      const now = Date.parse(`2030-03-01T${time}Z`);
      jest.spyOn(Date, "now").mockReturnValue(now);
      const deletion = systemContext("request", now - 60 * 24 * hours - 1);
      const note = beginErasure("grace@unit.example", "self/account", deletion).erasure.Put?.Item as Item;
      table.seed(note);
      const [startDate, endDate] = [50, 40].map((days) => new Date(now - days * 24 * hours).toISOString());
      table.seed(eventItem(eventRecord({ startDate, endDate })) as never);
      table.seed(registrationItem({ email: "ada@unit.example", dynamicResponses: { q: "because" } }));
      await handler();
      expect(table.peek({ PK: note.PK, SK: note.SK })).toBeUndefined();
      const { dynamicResponses } = registrationIn(table.peek(registrationKey("ada")) as never);
      expect(dynamicResponses).toEqual(isHour ? {} : { q: "because" });
    },
  );

  test("whose time is over moves no hold, and the next run continues", async () => {
    for (let n = 0; n < 24; n += 1) givenHold(`h${n}`, start - (24 - n) * hours);
    let time = 0;
    jest.spyOn(performance, "now").mockImplementation(() => time);
    givenBefore(() => {
      time += 2_500;
    });
    const runs: unknown[] = [];
    do {
      time = 0;
      runs.push([(await sweep(start)).ranOutOfTime, holds.size]);
    } while (runs.length < 20 && holds.size > 0);
    expect(runs).toEqual([
      [true, 15],
      [true, 6],
      [false, 0],
    ]);
    expect(Array.from({ length: 24 }, (_, n) => statusOf(`h${n}`))).toEqual(Array(24).fill("cancelled"));
  });
});
