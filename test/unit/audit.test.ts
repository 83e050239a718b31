/** What the audit notes of a change (`docs/contract.md`, "Audit"). */
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { encodeTime, ulid } from "ulid";
import type { Item } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";

const { systemContext } = await import("#kit/request/context.ts");
const { client } = await import("#kit/table/table.ts");
const { auditRow, changesOf } = await import("#outbox/audit.ts");
const { noteDownload, requestExportLink } = await import("#outbox/downloads.ts");
const { nameOf, outboxPartitions, outboxRow } = await import("#outbox/store.ts");
const { changeIn, isRowId, trail } = await import("#outbox/trail.ts");

test("fields that differ, with their values; personal and long ones by name; counters not at all", () => {
  const before = { status: "registered", points: 3, phone: "1", text: "short", version: 1, updatedAt: 1 };
  const after = {
    status: "waitlist",
    phone: "2",
    text: "x".repeat(400),
    version: 2,
    updatedAt: 2,
    again: { since: 1 },
  };
  expect(changesOf(before, after, ["phone"])).toEqual([
    { field: "phone" },
    { field: "points", before: 3 },
    { field: "status", before: "registered", after: "waitlist" },
    { field: "text" },
  ]);
  expect(changesOf(before, before)).toEqual([]);
});

test("of a new record the value, of a removed one what it was; a text of 300 characters in JSON is not long", () => {
  const [most, more] = ["x".repeat(298), "x".repeat(299)];
  expect(changesOf(undefined, { b: most, c: more })).toStrictEqual([{ field: "b", after: most }, { field: "c" }]);
  expect(changesOf({ a: 0, b: more }, undefined)).toStrictEqual([{ field: "a", before: 0 }, { field: "b" }]);
});

test("whatever a record has, no personal value is noted, and a changed field is", () => {
  const fields = fc.dictionary(fc.constantFrom("a", "b", "diet", "phone"), fc.string());
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const changes = changesOf(before, after, ["diet", "phone"]);
      for (const change of changes) {
        if (change.field === "diet" || change.field === "phone") expect(Object.keys(change)).toEqual(["field"]);
      }
      const changed = new Set(changes.map(({ field }) => field));
      for (const field of ["a", "b", "diet", "phone"]) {
        expect([field, changed.has(field)]).toEqual([field, before[field] !== after[field]]);
      }
    }),
  );
});

test("a row of the outbox and one of the audit read the same", () => {
  const metadata = { occurredAt: "2030-01-01T00:00:00.000Z", actor: "exec@club.example", correlationId: "r1" };
  const said = { at: Date.parse(metadata.occurredAt), actor: metadata.actor, requestId: "r1" };
  const message = {
    ...{ PK: "OUT#2030010100#1", SK: "01", detailType: "event.updated" },
    ...{ detail: { metadata, data: { id: "gala", year: 2030 } }, audit: { changes: [{ field: "capac" }] } },
  };
  const event = { eventID: "gala", year: 2030 };
  expect(changeIn(message as never)).toEqual({
    id: "01",
    action: "event.updated",
    ...said,
    ...event,
    changes: [{ field: "capac" }],
  });
  const row = { PK: "AUD#2030010100", SK: "02", action: "prize.updated", ...said, id: "p1", audit: { reason: "typo" } };
  expect(changeIn(row as never)).toEqual({ id: "02", action: "prize.updated", ...said, of: "p1", reason: "typo" });
});

describe("a change without a message", () => {
  const context = { now: Date.parse("2030-01-01T23:59:59.999Z"), actor: "exec@club.example", requestId: "r1" };
  const stored = (entry: Parameters<typeof auditRow>[0]) => auditRow(entry, context).Put?.Item as Item;

  test.each([
    ["what changed and why", { changes: [{ field: "name" }], reason: "typo" }],
    ["what changed", { changes: [{ field: "name" }] }],
    ["why", { reason: "typo" }],
  ])("notes %s in the row of its hour, for 400 days", (_, audit) => {
    expect(stored({ action: "prize.updated", id: "p1", ...audit })).toStrictEqual({
      ...{ PK: "AUD#2030010123", SK: expect.stringMatching(/^[0-9A-Z]{26}$/), action: "prize.updated", id: "p1" },
      ...{ actor: context.actor, at: context.now, requestId: "r1", audit },
      ttl: Math.floor(context.now / 1_000) + 400 * 86_400,
    });
  });

  test("without either has no such note, and is refused when its row is there", () => {
    expect(stored({ action: "prize.deleted" })).not.toHaveProperty("audit");
    expect(auditRow({ action: "prize.deleted" }, context).Put?.ConditionExpression).toBe("attribute_not_exists(PK)");
  });
});

describe("what writes one row", () => {
  const context = { ...systemContext("r1", Date.parse("2030-01-01T00:00:00Z")), actor: "exec@club.example" };
  const written = async (write: () => Promise<void>) => {
    const table = new MemoryTable();
    jest
      .spyOn(client, "send")
      .mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
    await write();
    return table.all();
  };
  const about = { email: "ada@unit.example", eventID: "gala", year: 2030 };

  test.each([about, { email: about.email }, { eventID: about.eventID, year: about.year }, {}])(
    "a download notes what it was limited to: %j",
    async (of) => {
      const nothing = { email: undefined, eventID: undefined, year: undefined };
      const rows = await written(() => noteDownload("members", { ...nothing, ...of }, context));
      const { PK, SK, ttl, ...row } = rows[0] as Item;
      expect([rows.length, row]).toStrictEqual([
        1,
        { action: "members.downloaded", ...of, actor: context.actor, at: context.now, requestId: "r1" },
      ]);
    },
  );

  test("the request of a link to an export names its person", async () => {
    const rows = await written(() => requestExportLink(about.email, context));
    expect(rows).toEqual([
      expect.objectContaining({
        detailType: "export.requested",
        detail: expect.objectContaining({ data: { email: about.email } }),
      }),
    ]);
  });
});

test("a message has what changed beside its detail, for the audit alone", () => {
  const context = { now: Date.parse("2030-01-01T23:59:59.999Z"), actor: "exec@club.example", requestId: "r1" };
  const row = (audit?: object) =>
    outboxRow({ type: "export.requested", data: { email: "a@x.example" } }, context, { id: "01", shard: 3 }, audit);
  const detail = {
    metadata: {
      id: "01",
      version: 1,
      occurredAt: "2030-01-01T23:59:59.999Z",
      actor: context.actor,
      correlationId: "r1",
    },
    data: { email: "a@x.example" },
  };
  const ttl = Math.floor(context.now / 1_000) + 400 * 86_400;
  const item = { PK: "OUT#2030010123#3", SK: "01", detailType: "export.requested", detail, ttl };
  expect(row().Put?.Item).toStrictEqual(item);
  expect(row({ reason: "typo" }).Put?.Item).toStrictEqual({ ...item, audit: { reason: "typo" } });
});

test("the same change has the same row, in one of eight partitions", () => {
  const name = (...message: (string | number)[]) => nameOf(1_800_000_000_000, message);
  expect(name("a", 1)).toEqual(name("a", 1));
  expect(name("a", 1).id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(name("a", 1).id.slice(0, 10)).toBe(encodeTime(1_800_000_000_000, 10));
  expect(name("a", 2).id).not.toBe(name("a", 1).id);
  const shards = new Set(Array.from({ length: 200 }, (_, n) => name("a", n).shard));
  expect([...shards].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(outboxPartitions("2030010123")).toEqual([...shards].sort().map((shard) => `OUT#2030010123#${shard}`));
});

describe("a row as a change", () => {
  const metadata = { occurredAt: "2030-01-01T00:00:00.000Z", actor: "system", correlationId: "r1" };
  const subject = (detailType: string, data: object, audit?: object) => {
    const { id, at, actor, action, requestId, ...rest } = changeIn({
      ...keyOf("outbox row", { hour: 1, shard: 0, ulid: "01" }),
      detailType,
      detail: { metadata, data },
      audit,
    });
    return rest;
  };

  test.each([
    ["an event's id", "event.updated", { id: "gala", year: 2030, campaignId: "c" }, { eventID: "gala", year: 2030 }],
    [
      "a registration",
      "registration.updated",
      { eventID: "gala", year: 2030, email: "a@x.example" },
      { eventID: "gala", year: 2030, email: "a@x.example" },
    ],
    ["a campaign", "campaign.started", { campaignId: "c", paymentId: "cs_1" }, { of: "c" }],
    [
      "a payment and its reason",
      "payment.refundRequired",
      { paymentId: "cs_1", reason: "wrong amount" },
      { of: "cs_1", reason: "wrong amount" },
    ],
    ["nothing of another type", "payment.paidOut", { email: 1, eventID: 2, year: "2030", id: 3 }, {}],
  ])("names %s", (_, type, data, expected) => {
    expect(subject(type, data)).toStrictEqual(expected);
  });

  test("prefers the reason of the audit to that of the message", () => {
    expect(subject("payment.refundRequired", { reason: "wrong amount" }, { reason: "asked by mail" })).toEqual({
      reason: "asked by mail",
    });
  });

  test("names an event that a row of the audit is about", () => {
    const row = {
      ...keyOf("audit row", { hour: 1, ulid: "02" }),
      action: "registrations.downloaded",
      eventID: "gala",
      year: 2030,
      at: 5,
      actor: "a",
      requestId: "r",
    };
    expect(changeIn(row)).toStrictEqual({
      id: "02",
      at: 5,
      actor: "a",
      action: row.action,
      requestId: "r",
      eventID: "gala",
      year: 2030,
    });
  });
});

describe("the trail", () => {
  const hour = 3_600_000;
  const now = Date.parse("2030-01-02T00:30:00.500Z");
  let table: MemoryTable;
  let read: Set<string>;
  beforeEach(() => {
    table = new MemoryTable();
    read = new Set();
    jest.spyOn(client, "send").mockImplementation((async (command: {
      input: { ExpressionAttributeValues?: object };
    }) => {
      for (const value of Object.values(command.input.ExpressionAttributeValues ?? {}))
        read.add(String(value).slice(0, 14));
      return table.execute(command, () => 0);
    }) as never);
  });

  /** A row at this time. */
  const given = (at: number, letter: string, email = "a@x.example") => {
    const id = `${ulid(at).slice(0, 10)}${letter.repeat(16)}`;
    table.seed({
      ...(auditRow({ action: "prize.updated", email }, { now: at, actor: "x", requestId: "r" }).Put?.Item as Item),
      SK: id,
    });
    return id;
  };
  const pageOf = (wanted: Partial<Parameters<typeof trail>[1]>, isWanted = (_: { email?: string }) => true) =>
    trail(isWanted, { limit: 10, now, ...wanted });
  const ids = ({ rows }: { rows: readonly { id: string }[] }) => rows.map(({ id }) => id);

  test("has rows of the outbox and of the audit, newest first, also one of a clock that is ahead", async () => {
    const ahead = given(now + hour - 1, "A");
    const [older, newer] = [given(now - 2, "B"), given(now - 1, "A")];
    const row = outboxRow(
      { type: "export.requested", data: { email: "a@x.example" } },
      { now: now - 3, actor: "x", requestId: "r" },
    ).Put?.Item as Item;
    table.seed(row);
    expect(ids(await pageOf({}))).toEqual([ahead, newer, older, row.SK]);
  });

  test("is cut at the limit, and goes on behind its last row", async () => {
    const all = [given(now - 1, "C"), given(now - hour, "B"), given(now - 7 * hour, "A")];
    const first = await pageOf({ limit: 2 });
    expect([ids(first), first.next]).toEqual([all.slice(0, 2), all[1]]);
    expect(ids(await pageOf({ limit: 2, before: first.next }))).toEqual([all[2]]);
  });

  test("has only what is wanted, and ends at the hour from which it is wanted", async () => {
    const [mine] = [given(now - 1, "A"), given(now - 2, "B", "b@x.example"), given(now - 9 * hour, "A")];
    const page = await pageOf({ from: now - 2 * hour }, ({ email }) => email === "a@x.example");
    expect([ids(page), page.next]).toEqual([[mine], undefined]);
  });

  test("reads 24 hours when it has found something, 72 otherwise, and then names the hour at which it goes on", async () => {
    const next = (hours: number) => `${encodeTime(now - (now % hour) + hour - hours * hour, 10)}${"0".repeat(16)}`;
    expect(await pageOf({})).toEqual({ rows: [], next: next(72 - 1) });
    const found = given(now, "A");
    expect(await pageOf({})).toMatchObject({ rows: [{ id: found }], next: next(24 - 1) });
  });

  test("goes back 400 days, and no further", async () => {
    const oldest = given(now - 400 * 24 * hour + hour, "A");
    expect(ids(await pageOf({ before: `${encodeTime(now - 399 * 24 * hour, 10)}${"0".repeat(16)}` }))).toEqual([
      oldest,
    ]);
    expect(await pageOf({ before: `${encodeTime(now - 401 * 24 * hour, 10)}${"0".repeat(16)}` })).toEqual({ rows: [] });
  });

  test("reads no more when its time is over", async () => {
    given(now - 8 * hour, "A");
    const page = await trail(() => true, { limit: 10, now }, performance.now() - 1);
    expect(page.rows).toEqual([]);
    expect(page.next).toBeDefined();
    expect(read.size).toBe(0);
  });
});

test.each([
  ["01ARZ3NDEKTSV4RRFFQ69G5FAV", true],
  ["81ARZ3NDEKTSV4RRFFQ69G5FAV", false],
  ["01ARZ3NDEKTSV4RRFFQ69G5FA", false],
  ["01ARZ3NDEKTSV4RRFFQ69G5FAVV", false],
  ["01ARZ3NDEKTSV4RRFFQ69G5FAI", false],
])("%s is the id of a row: %p", (text, expected) => expect(isRowId(text)).toBe(expected));
