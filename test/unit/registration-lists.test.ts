/** The filters of GET /registrations (`docs/contract.md`, "Registrations"): what they find, in pages, at a bounded cost. */
import { createHash } from "node:crypto";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import fc from "fast-check";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { eventItem, registrationItem, seatsItem } from "./given.ts";
import { admin, caller, get, query, sent, table } from "./mocked-table.ts";
import { StoredLists } from "./stored-lists.ts";

mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: "key" });
const { handler } = await import("#api/registrations/index.ts");
const { filterFrom, listHashOf } = await import("#api/registrations/list-filters.ts");
const { encodeCursor } = await import("#kit/lists/cursor.ts");
const call = caller(handler);

const zone = "America/Vancouver";
/** A time with as many digits as the service's own times. */
const base = 1_800_000_000_000;
const events = [
  { id: "gala", year: 2030 },
  { id: "gala", year: 2031 },
  { id: "gala-2", year: 2030 },
  { id: "z", year: 2031 },
] as const;

type Registration = Pick<
  RegistrationRecord,
  "email" | "eventID" | "year" | "status" | "isPartner" | "createdAt" | "updatedAt" | "generation"
> & {
  /** The ULID of the queueKey, when several registrations have the same one. */
  readonly sharedUlid?: string | undefined;
};

/** The queueKey of the request that began a registration. */
const queueKeyOf = ({ createdAt, sharedUlid, ...registration }: Registration): string => {
  if (sharedUlid !== undefined) return `${createdAt}#${sharedUlid}`;
  const hash = createHash("sha256").update(nameOf(registration)).digest("hex").toUpperCase();
  return `${createdAt}#${hash.slice(0, 26)}`;
};

/** The table has these events, in their present generation `i`, and these registrations. */
function given(registrations: readonly Registration[], cut = 3_000): StoredLists {
  const items = [
    ...events.map((event) => ({
      ...eventItem(event),
      GSI1PK: event.id === "z" ? "EVENTS#H" : "EVENTS#0",
      GSI1SK: `0#${event.id}#${event.year}`,
    })),
    ...registrations.map(({ sharedUlid, ...one }) =>
      registrationItem({ ...one, queueKey: queueKeyOf({ ...one, sharedUlid }) }),
    ),
  ];
  const lists = new StoredLists(items, cut);
  const seats = events.map((event) => seatsItem({ ...eventItem(event) }));
  table.on(query).callsFake((input) => lists.answer(input));
  table.on(get).callsFake(({ Key: { PK, SK } }) => ({
    Item: [...items, ...seats].find((item) => item.PK === PK && item.SK === SK),
  }));
  return lists;
}

const list = async (parameters: Record<string, string>, as = admin) => {
  const { status, body, headers } = await call("GET /registrations", { as, query: parameters });
  return { status, body, next: (headers as Record<string, string>)["x-next-cursor"] };
};

const nameOf = ({ eventID, year, email }: { eventID: string; year: number; email: string }) =>
  `${eventID} ${year} ${email}`;

/** The registrations of all pages of a list. */
async function pagesOf(parameters: Record<string, string>, as = admin) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { status, body, next } = await list({ ...parameters, ...(cursor !== undefined && { cursor }) }, as);
    expect({ parameters, status, body }).toMatchObject({ status: 200, body: { size: expect.any(Number) } });
    expect(body.size).toBe(body.data.length);
    pages.push(body.data.map(nameOf));
    // A list that begins again would never end.
    expect(next === undefined || next !== cursor).toBe(true);
    cursor = next;
  } while (cursor !== undefined);
  return pages;
}

beforeEach(() => {
  table.reset();
});

const person = fc.constantFrom(..."abcdefgh").map((name) => `${name}+x@unit.example`);
const registration: fc.Arbitrary<Registration> = fc
  .record({
    email: person,
    event: fc.constantFrom(...events),
    status: fc.constantFrom(...registrationStatuses, "deleted" as const),
    isPartner: fc.boolean(),
    // Few times, so that many registrations were made at the same one.
    createdAt: fc.integer({ min: base, max: base + 3 }),
    updatedAt: fc.integer({ min: base, max: base + 9 }),
    generation: fc.constantFrom("i", "i", "i", "earlier"),
  })
  .map(({ event, ...rest }) => ({ ...rest, eventID: event.id, year: event.year }));
const stored = fc.uniqueArray(registration, { selector: nameOf, maxLength: 32, size: "max" });

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 });
/** Lists of a person are the simple ones, so they are rare. */
const rarely = <T>(values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });
const asked = fc.record({
  event: optional(fc.constantFrom("gala", "gala-2", "z")),
  year: optional(fc.constantFrom(2030, 2031)),
  email: rarely(person),
  statuses: optional(fc.uniqueArray(fc.constantFrom(...registrationStatuses), { minLength: 1 })),
  isPartner: optional(fc.boolean()),
  changedSince: optional(fc.integer({ min: base - 1, max: base + 10 })),
});

test("the pages of every combination of filters together are the registrations that fit all of them", async () => {
  const limit = optional(fc.integer({ min: 1, max: 6 }));
  const as = rarely(person);
  await fc.assert(
    fc.asyncProperty(stored, asked, limit, as, fc.integer({ min: 1, max: 20 }), async (all, filter, limit, as, cut) => {
      given(all, cut);
      const { event, year, email, statuses, isPartner, changedSince } = filter;
      const parameters = {
        ...(event && { eventID: event }),
        ...(year && { year: String(year) }),
        ...(email && { email }),
        ...(statuses && { status: statuses.join(",") }),
        ...(isPartner !== undefined && { isPartner: String(isPartner) }),
        ...(changedSince && { changedSince: String(changedSince) }),
        ...(limit && { limit: String(limit) }),
      };
      const isOfPerson = (email ?? as) !== undefined;
      const expected = all
        .filter((row) => row.status !== "deleted")
        .filter((row) => isOfPerson || row.generation === "i")
        .filter((row) => (event ?? row.eventID) === row.eventID && (year ?? row.year) === row.year)
        .filter((row) => (email ?? row.email) === row.email && (as ?? row.email) === row.email)
        .filter((row) => !statuses || (statuses as string[]).includes(row.status))
        .filter((row) => isPartner === undefined || row.isPartner === isPartner)
        .filter((row) => changedSince === undefined || row.updatedAt >= changedSince)
        .map((row) => ({ name: nameOf(row), order: queueKeyOf(row) }))
        .sort((a, b) => (a.order < b.order ? -1 : 1))
        .map(({ name }) => name);
      const pages = await pagesOf(parameters, as);
      expect(pages.flat()).toEqual(expected);
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
    }),
    { numRuns: 25 },
  );
});

test("registrations with the same queueKey are on the pages of every list once each, in order", async () => {
  const ulids = fc.constantFrom("0".repeat(26), "1".repeat(26));
  const sharing = fc.uniqueArray(
    fc.tuple(registration, ulids).map(([one, sharedUlid]) => ({ ...one, generation: "i", sharedUlid })),
    { selector: nameOf, maxLength: 32, size: "max" },
  );
  const event = optional(fc.constantFrom("gala", "z"));
  await fc.assert(
    fc.asyncProperty(sharing, event, fc.integer({ min: 1, max: 6 }), async (all, event, limit) => {
      given(all, 7);
      const live = all.filter((row) => row.status !== "deleted" && (event ?? row.eventID) === row.eventID);
      const shown = (await pagesOf({ ...(event && { eventID: event }), limit: String(limit) })).flat();
      expect([...shown].sort()).toEqual(live.map(nameOf).sort());
      const order = shown.map((name) => queueKeyOf(live.find((row) => nameOf(row) === name) as Registration));
      expect(order).toEqual([...order].sort());
    }),
    { numRuns: 20 },
  );
});

const many = (count: number, fields: Partial<Registration> = {}): Registration[] =>
  Array.from({ length: count }, (_, n) => ({
    email: `p${String(n).padStart(5, "0")}@unit.example`,
    eventID: "gala",
    year: 2030,
    status: "registered",
    isPartner: false,
    createdAt: base + n,
    updatedAt: base + n,
    generation: "i",
    ...fields,
  }));

describe("a request reads no more than its bound", () => {
  const one = { eventID: "gala", year: "2030" };

  test("of one event: 2,000 registrations, and the next page goes on behind them", async () => {
    const lists = given(many(2_100));
    await list({ ...one, status: "waitlist" });
    expect(lists.read).toBe(2_000);
    expect(await pagesOf({ ...one, status: "waitlist" })).toEqual([[], []]);
    expect(lists.read).toBe(2_000 + 2_100);
  });

  test("of one event without a filter, with a limit: one more than it shows", async () => {
    const lists = given(many(50));
    await list({ ...one, limit: "10" });
    expect(lists.read).toBe(11);
    expect(sent.queries()).toMatchObject([{ Limit: 11 }]);
  });

  test("of several events: ten of each, and then at most twice what it looks at", async () => {
    const lists = given([
      ...many(2_100),
      ...many(2_100, { eventID: "gala-2" }),
      ...many(50, { eventID: "z", year: 2031 }),
    ]);
    const { body, next } = await list({ status: "waitlist" });
    expect([body.size, typeof next]).toEqual([0, "string"]);
    expect(lists.read).toBeLessThanOrEqual(events.length + 10 * events.length + 2 * 2_000);
    const before = lists.read;
    await list({ limit: "5" });
    expect(lists.read - before).toBeLessThanOrEqual(events.length + 10 * events.length);
  });
});

describe("a status", () => {
  const read = (status: string) => filterFrom({ status }, zone).statuses;
  test.each([
    ["waitlist", ["waitlist"]],
    ["Waitlisted", ["waitlist"]],
    ["registered, waitlist,registered", ["registered", "waitlist"]],
  ])("%j is read", (text, statuses) => {
    expect(read(text)).toEqual(statuses);
  });
  test.each(["", "registered,", "deleted"])("%j is refused", (status) => {
    expect(() => read(status)).toThrow("status must be one of registered, waitlist");
  });
});

describe("changedSince", () => {
  const read = (changedSince: string) => filterFrom({ changedSince }, zone).changedSince;

  test("may be called afterTimestamp, but the two must be the same", () => {
    expect(filterFrom({ afterTimestamp: "1900000000000" }, zone).changedSince).toBe(1_900_000_000_000);
    expect(filterFrom({ afterTimestamp: "7", changedSince: "7" }, zone).changedSince).toBe(7);
    expect(() => filterFrom({ afterTimestamp: "7", changedSince: "8" }, zone)).toThrow("must be the same");
    expect(() => filterFrom({ afterTimestamp: "x" }, zone)).toThrow("afterTimestamp must be epoch milliseconds");
  });
  test.each([
    ["0", 0],
    ["1800000000000", 1_800_000_000_000],
    ["2030-01-07T18:00:00.250Z", Date.UTC(2030, 0, 7, 18) + 250],
    ["2030-01-07T18:00:00 02:00", Date.UTC(2030, 0, 7, 16)],
    // In summer: since 2026 winter has no other offset there, and not every Node knows it (docs/decisions.md).
    ["2030-07-07 18:00", Date.UTC(2030, 6, 8, 1)],
  ])("%j is read", (text, time) => {
    expect(read(text)).toBe(time);
  });
  test.each(["", "-1", "2030-13-01"])("%j is refused", (text) => {
    expect(() => read(text)).toThrow("changedSince must be epoch milliseconds");
  });
});

test("a forged sort key behind a right hash is a 400, as without one", async () => {
  given(many(1));
  const parameters = { eventID: "gala", year: "2030", status: "registered" };
  const filterHash = listHashOf(filterFrom({ eventID: "gala", year: 2030, status: "registered" }, zone));
  const status = async (sortKey: string) =>
    (await list({ ...parameters, cursor: encodeCursor(sortKey, filterHash) })).status;
  expect(await status("1#01ARZ3NDEKTSV4RRFFQ69G5FAV#gala#2030#a@unit.example")).toBe(200);
  expect(await status("1#01ARZ3NDEKTSV4RRFFQ69G5FAV#gala#2031#a@unit.example")).toBe(400);
  expect(await status("1#01ARZ3NDEKTSV4RRFFQ69G5FAV#ball#2030#a@unit.example")).toBe(400);
  expect(await status("~")).toBe(400);
});
