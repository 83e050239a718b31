/** The place in line: exact up to 100 people ahead, at a bounded cost, and never in the way of what a request has done. */
import "./environment.ts";
import { ProvisionedThroughputExceededException } from "@aws-sdk/client-dynamodb";
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { decodeTime, ulid } from "ulid";
import type { Place } from "#domain/capacity/seats.ts";
import { MemoryTable } from "../model/table.ts";
import { emailOf, givenGala } from "./gala.ts";

const { client } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { joinLine, readPlaceInLine } = await import("#domain/capacity/line.ts");
const { exactCount, placeBehind } = await import("#domain/capacity/place-in-line.ts");
const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");

const key = { id: "gala", year: 2030 };
const created = Date.parse("2030-01-01T00:00:00Z");
const generation = ulid(created);
const earlier = ulid(created - 90_000);

/** A queueKey that comes so many milliseconds after the creation of the generation. */
const queueKeyAt = (offset: number, n: number): string => `${created + offset}#${String(n).padStart(26, "0")}`;

function givenTable() {
  const table = new MemoryTable();
  const queries: QueryCommand["input"][] = [];
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
    if (command instanceof QueryCommand) queries.push(command.input);
    return table.execute(command, () => 0);
  }) as never);
  const join = (queueKey: string, generation: string) => {
    const place: Place = {
      email: `${queueKey}@unit.example`,
      queueKey,
      choices: {},
      isPartner: false,
      fname: "Ada",
      generation,
      version: 1,
    };
    table.seed(joinLine(key, place).Put?.Item as never);
    return place;
  };
  return { table, queries, join };
}

afterEach(() => void jest.restoreAllMocks());

test("in every line, also with places of an earlier generation, the place is that of the people ahead", async () => {
  const offsets = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 140 });
  await fc.assert(
    fc.asyncProperty(offsets, offsets, fc.nat(3_000), async (own, gone, mine) => {
      const { join, queries } = givenTable();
      for (const [n, offset] of own.entries()) join(queueKeyAt(offset, n), generation);
      for (const [n, offset] of gone.entries()) join(queueKeyAt(-1 - offset, n), earlier);
      const me = join(queueKeyAt(mine, 999), generation);
      const ahead = own.filter((offset, n) => queueKeyAt(offset, n) < me.queueKey).length;
      const expected = ahead > 100 ? { waitlistAhead: 100 } : { waitlistPosition: ahead + 1 };
      expect(await readPlaceInLine(key, me)).toEqual(expected);
      // The cost is bounded by what one query reads, before the filter.
      expect(queries).toEqual([expect.objectContaining({ Select: "COUNT", Limit: 101 })]);
    }),
    { numRuns: 60 },
  );
});

describe("what a read tells that stopped", () => {
  test("the number, when it stopped among places that are older than the generation", () => {
    expect(exactCount({ places: 7, stoppedAt: queueKeyAt(-1, 0) }, generation)).toBe(7);
  });
  test("nothing, when it stopped later, or the generation has no time", () => {
    expect(decodeTime(generation)).toBe(created);
    expect(exactCount({ places: 7, stoppedAt: queueKeyAt(0, 0) }, generation)).toBeUndefined();
    expect(exactCount({ places: 7, stoppedAt: queueKeyAt(-1, 0) }, "i1")).toBeUndefined();
    expect(placeBehind({ places: 7, stoppedAt: queueKeyAt(0, 0) }, generation)).toBeUndefined();
    expect(placeBehind({ places: 101, stoppedAt: queueKeyAt(0, 0) }, generation)).toEqual({ waitlistAhead: 100 });
    expect(placeBehind({ places: 100, stoppedAt: undefined }, generation)).toEqual({ waitlistPosition: 101 });
  });
});

test.each([
  ["throttled", () => new ProvisionedThroughputExceededException({ message: "", $metadata: {} })],
  ["without an answer", () => Object.assign(new Error("no answer"), { name: "TimeoutError" })],
])(
  "when the count is %s, a registration and its change are answered without the place, after one try",
  async (_, failure) => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const gala = givenGala({ capac: 1 });
    await gala.register("first");
    let tries = 0;
    jest.mocked(client.send).mockImplementation((async (command: unknown) => {
      if (!(command instanceof QueryCommand) || command.input.Select !== "COUNT")
        return gala.table.execute(command, () => 0);
      tries += 1;
      throw failure();
    }) as never);
    const { registration, place } = await gala.register("ada");
    expect({ status: registration.status, place, tries }).toEqual({ status: "waitlist", place: undefined, tries: 1 });
    const amendment = { basicInformation: { fname: "Augusta" } };
    const context = systemContext("r", gala.now());
    const request = { email: emailOf("ada"), event: key, amendment, origin: "self/account" } as const;
    const changed = await changeRegistration(request, context);
    expect(changed).toMatchObject({ registration: { status: "waitlist", fname: "Augusta" }, place: undefined });
    expect(tries).toBe(2);
  },
);
