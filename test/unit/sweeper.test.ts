/**
 * The sweeper ends holds that are over. A hold that cannot be ended does not block the others, and is not forgotten.
 */
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { distanceAfter, isStuck } from "#domain/registrations/holds/holds.ts";
import type { StoredAside } from "#domain/registrations/holds/store.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { registrationItem } from "./given.ts";

const { client } = await import("#kit/table.ts");
const { seam } = await import("#kit/seam.ts");
const { handler, sweep } = await import("#consumers/sweeper.ts");

const minutes = 60_000;
const hours = 60 * minutes;
const start = Date.parse("2030-03-01T12:30:00Z");

let table: MemoryTable;
/** The number of calls to the table so far. The process dies at the call `death.at`, counted from 0. */
let calls: number;
let death: { readonly at: number; readonly carriedOut: boolean } | undefined;
/** The holds that are set aside, as they were written. */
let asides: Map<string, StoredAside>;

beforeEach(() => {
  jest.restoreAllMocks();
  givenTable();
});

function givenTable(): void {
  table = new MemoryTable();
  calls = 0;
  death = undefined;
  asides = new Map();
  table.onCommit = (changes) => {
    for (const { before, after } of changes) {
      if (before?.PK === "HOLD#ASIDE") asides.delete(String(before.SK));
      if (after?.PK === "HOLD#ASIDE") asides.set(String(after.SK), after as never);
    }
  };
  const mock = mockClient(client as never) as unknown as {
    send: { callsFake(fake: (command: unknown) => Promise<object>): void };
  };
  mock.send.callsFake(async (command) => {
    const call = calls;
    calls += 1;
    const dies = death !== undefined && call >= death.at;
    if (dies && !(call === death?.at && death.carriedOut)) throw new Error("the process ended");
    const answer = table.execute(command, () => 0);
    if (dies) throw new Error("the process ended");
    return answer;
  });
}

const hourOf = (at: number): string => new Date(at).toISOString().slice(0, 13);
const registrationKey = (name: string) => ({ PK: `USER#${name}@unit.example`, SK: "REG#gala#2030" });
const holdKey = (name: string, expiresAt: number) => ({
  PK: `HOLD#${hourOf(expiresAt)}`,
  SK: `${expiresAt}#gala#2030#${name}@unit.example`,
});

/** An unpaid seat of a deleted event, so that ending it changes no counters. */
function givenHold(name: string, expiresAt: number, more: Partial<RegistrationRecord> = {}): void {
  const email = `${name}@unit.example`;
  table.seed(registrationItem({ email, status: "incomplete", holdExpiresAt: expiresAt, ...more }));
  table.seed({ ...holdKey(name, expiresAt), email, event: { id: "gala", year: 2030 }, expiresAt });
}

/** A hold that can never be ended, because no move leads from `checkedIn` to the end of a hold. */
const givenPoisonedHold = (name: string, expiresAt: number) => givenHold(name, expiresAt, { status: "checkedIn" });

const statusOf = (name: string) => table.peek(registrationKey(name))?.status;
const checkpoint = () => table.peek({ PK: "SWEEP", SK: "HOLDS" })?.sweptTo;

const noted = () => [...asides.values()].map(({ hold, failures, nextTry }) => [hold.email, failures, nextTry - start]);

/** Runs before a hold is ended. */
const givenBefore = (act: (hold: { readonly email: string }) => void) =>
  jest.spyOn(seam, "endHold").mockImplementation(async (hold, end) => {
    act(hold as never);
    await end();
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
  [2, 2],
  [3, 4],
  [4, 8],
  [7, 64],
  [8, 128],
  [9, 240],
  [10, 240],
  [1_000, 240],
  [5_000, 240],
])("after %p failures a hold is tried again %p minutes later", (failures, expected) => {
  expect(distanceAfter(failures)).toBe(expected * minutes);
});

test.each([
  [1, false],
  [3, false],
  [4, true],
  [5, true],
])("after %p failures the alarm is needed: %p", (failures, expected) => {
  expect(isStuck({ failures })).toBe(expected);
});

describe("a hold that cannot be ended", () => {
  test("blocks neither the others nor the checkpoint", async () => {
    givenHold("before", start - 3 * hours);
    givenPoisonedHold("poison", start - 2 * hours);
    givenHold("after", start - 1 * hours);
    expect(await sweep(start)).toEqual({ ended: 2, failed: 1, isCut: false, stuck: 0 });
    expect(["before", "poison", "after"].map(statusOf)).toEqual(["cancelled", "checkedIn", "cancelled"]);
    expect(checkpoint()).toBe(start);
    expect(noted()).toEqual([["poison@unit.example", 1, 1 * minutes]]);
  });

  test("is tried again less and less often, wherever the checkpoint is", async () => {
    givenPoisonedHold("poison", start - 1 * minutes);
    const tries: number[] = [];
    let minute = 0;
    givenBefore(() => tries.push(minute));
    for (; minute <= 70; minute += 1) await sweep(start + minute * minutes);
    expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63]);
    expect(noted()).toEqual([["poison@unit.example", 7, (63 + 64) * minutes]]);
  });

  test("is not set aside any more once it is ended", async () => {
    givenHold("late", start - 1 * minutes);
    givenFailures({ late: 2 });
    for (const minute of [0, 1, 2]) await sweep(start + minute * minutes);
    expect([statusOf("late"), noted()]).toEqual(["incomplete", [["late@unit.example", 2, 3 * minutes]]]);
    expect(await sweep(start + 3 * minutes)).toEqual({ ended: 1, failed: 0, isCut: false, stuck: 0 });
    expect([statusOf("late"), noted()]).toEqual(["cancelled", []]);
    expect(table.peek(holdKey("late", start - 1 * minutes))).toBeUndefined();
  });

  test("is forgotten when another request has ended it", async () => {
    givenHold("paid", start - 1 * minutes);
    givenFailures({ paid: 1 });
    await sweep(start);
    const { holdExpiresAt, ...registration } = table.peek(registrationKey("paid")) as { holdExpiresAt: number };
    table.seed({ ...registration, status: "registered" });
    await sweep(start + 1 * minutes);
    expect([statusOf("paid"), noted()]).toEqual(["registered", []]);
    expect(table.peek(holdKey("paid", start - 1 * minutes))).toBeUndefined();
  });

  test("may also be one that takes too long", async () => {
    givenHold("slow", start - 1 * minutes);
    jest.spyOn(seam, "endHold").mockReturnValue(new Promise<never>(() => undefined));
    const pause = jest.spyOn(seam, "pause").mockResolvedValue();
    expect(await sweep(start)).toMatchObject({ failed: 1 });
    expect(pause.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([15_000]);
    expect([checkpoint(), noted()]).toEqual([start, [["slow@unit.example", 1, 1 * minutes]]]);
  });

  test("may be any item among the holds", async () => {
    table.seed({ ...holdKey("broken", start - 1 * minutes) });
    givenHold("healthy", start - 1 * minutes);
    expect(await sweep(start)).toMatchObject({ ended: 1, failed: 1 });
    expect(await sweep(start + 1 * minutes)).toMatchObject({ ended: 0, failed: 1 });
    expect(asides.size).toBe(1);
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

  test("raises the alarm at once when a run cannot look at all of them", async () => {
    for (let n = 0; n < 100; n += 1) givenPoisonedHold(`p${n}`, start - 1 * minutes);
    expect(await sweep(start)).toMatchObject({ failed: 100, stuck: 100 });
  });
});

describe("a run of the sweeper", () => {
  test("whose time is over sets no hold aside, and the next run continues", async () => {
    for (let n = 0; n < 12; n += 1) givenHold(`h${n}`, start - (12 - n) * hours);
    let time = 0;
    jest.spyOn(performance, "now").mockImplementation(() => time);
    givenBefore(() => {
      time += 10_000;
    });
    const runs: unknown[] = [];
    do {
      time = 0;
      runs.push([(await sweep(start)).isCut, (Number(checkpoint()) - start) / hours]);
    } while (runs.length < 20 && checkpoint() !== start);
    // A finished hour ends half an hour before the next hold, so the checkpoints are at half hours.
    expect(runs).toEqual([
      [true, -9.5],
      [true, -6.5],
      [true, -3.5],
      [true, -0.5],
      [false, 0],
    ]);
    expect(asides.size).toBe(0);
    expect(Array.from({ length: 12 }, (_, n) => statusOf(`h${n}`))).toEqual(Array(12).fill("cancelled"));
  });

  test("reads an hour of many holds page by page", async () => {
    for (let n = 0; n < 230; n += 1) givenHold(`h${n}`, start - 1 * hours);
    expect(await sweep(start)).toMatchObject({ ended: 230, isCut: false });
  });

  test("that dies at any call leaves only work that a later run completes", async () => {
    let at = 0;
    for (let hasSurvived = false; ; at += 1) {
      for (const carriedOut of [false, true]) {
        givenTable();
        table.seed({ PK: "SWEEP", SK: "HOLDS", sweptTo: start - 4 * hours });
        givenHold("before", start - 3 * hours);
        givenPoisonedHold("poison", start - 2 * hours);
        givenHold("after", start - 1 * minutes);
        givenHold("late", start - 1 * minutes);
        death = { at, carriedOut };
        givenFailures({ late: 1 });
        await sweep(start).catch(() => undefined);
        hasSurvived = calls <= at;
        death = undefined;
        for (const minute of [1, 2, 3]) await sweep(start + minute * minutes);
        expect([at, ...["before", "poison", "after", "late"].map(statusOf)]).toEqual([
          at,
          ...["cancelled", "checkedIn", "cancelled", "cancelled"],
        ]);
        expect([at, [...asides.values()].map(({ hold }) => hold.email)]).toEqual([at, ["poison@unit.example"]]);
        expect(checkpoint()).toBe(start + 3 * minutes);
      }
      if (hasSurvived) break;
    }
    expect(at).toBeGreaterThan(15);
  });
});
