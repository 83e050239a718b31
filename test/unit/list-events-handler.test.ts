/** GET /events and GET /events/getActiveEvent: the calls to the table, and the answers to their outcomes. */
import { beforeEach, expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import { eventItem } from "./given.ts";
import { caller, contended, get, query, sent, table, throttled } from "./mocked-table.ts";

const { handler } = await import("#api/events/index.ts");
const { listVersionsOf } = await import("#domain/events/list-version.ts");
const call = caller(handler);
const list = () => call("GET /events", { as: "a@unit.example" });

/** The table has these events in its index, and says that its list has exactly these. */
function given(listed: readonly EventRecord[], present: readonly EventRecord[] = listed): void {
  const Items = listed.map((event) => eventItem(event));
  table.on(query).resolves({ Items, Count: Items.length } as never);
  const { visible, hidden } = listVersionsOf(present);
  table.on(get).resolves({ Item: { PK: "EVENTS", SK: "VERSIONS", visibleSum: visible, hiddenSum: hidden } } as never);
}

const event = (id: string, more: Partial<EventRecord> = {}): EventRecord => {
  const { PK, SK, ...record } = eventItem({ id, startDate: "2040-01-01T00:00:00.000Z", ...more });
  return record;
};

beforeEach(() => {
  table.reset();
});

test("a list is read together with its version, kept, and then answered after a consistent read of the version", async () => {
  given([event("kept")]);
  const { body } = await list();
  expect([body.length, sent.gets().length, sent.queries().length]).toEqual([1, 1, 1]);
  table.on(query).rejects(new Error("the index is not asked"));
  expect((await list()).body).toEqual(body);
  expect((await call("GET /events/getActiveEvent")).body).toEqual(body[0]);
  const version = { TableName: "Unit", Key: { PK: "EVENTS", SK: "VERSIONS" }, ConsistentRead: true };
  expect(sent.gets()).toEqual([version, version, version]);
});

test("another version lets the list go: it is read again, and so is the active event", async () => {
  given([event("first")]);
  await list();
  given([event("second")]);
  expect((await call("GET /events/getActiveEvent")).body.id).toBe("second");
  expect(sent.queries().at(-1)?.Limit).toBe(1);
  expect((await list()).body).toMatchObject([{ id: "second" }]);
});

test.each<[string, EventRecord[], EventRecord[]]>([
  ["lacks an event", [event("a")], [event("a"), event("b")]],
  ["has an event that is gone", [event("a"), event("b")], [event("a")]],
  ["shows an event twice", [event("a"), event("a")], [event("a")]],
  ["shows an event as it was", [event("a")], [event("a", { version: 2 })]],
  ["shows an event of an earlier generation", [event("a")], [event("a", { generation: "again" })]],
])("a list that %s is answered and not kept", async (_, listed, present) => {
  given(listed, present);
  for (let time = 1; time <= 2; time += 1) {
    expect((await list()).body).toHaveLength(listed.length);
    expect(sent.queries()).toHaveLength(time);
  }
});

test("a list that is longer than one answer is not kept", async () => {
  const events = Array.from({ length: 16 }, (_, n) => event(`large-${n}`, { description: "x".repeat(370_000) }));
  // Its first page alone would have the version of the table.
  given(events, events.slice(0, 13));
  const { body, headers } = await list();
  expect([body.length, headers]).toEqual([13, expect.objectContaining({ "x-next-cursor": expect.any(String) })]);
  await list();
  expect(sent.queries()).toHaveLength(2);
});

test("when nothing is kept the active event is one item of the index, and no version is read", async () => {
  given([event("a")], []);
  await list();
  table.resetHistory();
  expect((await call("GET /events/getActiveEvent")).body.id).toBe("a");
  expect([sent.gets(), sent.queries().length]).toEqual([[], 1]);
});

test.each([get, query])("a throttled read is answered 503 `CONTENDED`", async (command) => {
  given([event("a")], [event("b")]);
  table.on(command).rejects(throttled);
  expect(await list()).toEqual(contended);
});
