/** GET /events and GET /events/getActiveEvent: the calls to the table, and the answers to their outcomes. */
import { beforeEach, expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import { eventItem } from "./given.ts";
import { admin, caller, contended, now, query, sent, table, throttled } from "./mocked-table.ts";

const { handler } = await import("#api/events/index.ts");
const call = caller(handler);

let time = now;
const list = (as = "a@unit.example", parameters: Record<string, string> = {}) =>
  call("GET /events", { as, at: time, query: parameters });

/** The table has these events in its index. */
function given(...events: EventRecord[]): void {
  const Items = events.map((event) => eventItem(event));
  table.on(query).resolves({ Items, Count: Items.length } as never);
}

const event = (id: string, more: Partial<EventRecord> = {}): EventRecord => {
  const { PK, SK, ...record } = eventItem({ id, startDate: "2040-01-01T00:00:00.000Z", ...more });
  return record;
};

beforeEach(() => {
  table.reset();
  // What the test before has kept is over.
  time += 60_000;
});

test("the list is kept: for five seconds no call is made to the table", async () => {
  given(event("first"));
  const { body } = await list();
  table.on(query).rejects(new Error("the index is not asked"));
  time += 4_999;
  expect((await list("other@unit.example")).body).toEqual(body);
  expect(table.calls()).toHaveLength(1);
});

test("after five seconds the list is read again", async () => {
  given(event("first"));
  await list();
  given(event("second"));
  time += 5_000;
  expect((await list()).body).toMatchObject([{ id: "second" }]);
  expect(sent.queries()).toHaveLength(2);
});

test("many people at the same time share one read", async () => {
  given(event("first"));
  const answers = await Promise.all(Array.from({ length: 20 }, () => list()));
  expect(answers.map(({ body }) => body[0].id)).toEqual(answers.map(() => "first"));
  expect(sent.queries()).toHaveLength(1);
});

test("a read that fails is not kept", async () => {
  table.on(query).rejects(throttled);
  expect(await list()).toEqual(contended);
  given(event("first"));
  expect((await list()).body).toMatchObject([{ id: "first" }]);
});

test("an admin reads both lists, and a filter or a limit the index, every time", async () => {
  given(event("first"));
  await list();
  for (const [as, parameters, queries] of [
    [admin, {}, 2],
    ["a@unit.example", { year: "2030" }, 1],
    ["a@unit.example", { id: "first" }, 1],
    ["a@unit.example", { limit: "5" }, 1],
  ] as const) {
    for (let n = 0; n < 2; n += 1) {
      table.resetHistory();
      expect((await list(as, parameters)).status).toBe(200);
      expect(sent.queries()).toHaveLength(queries);
    }
  }
});

test("the first page of a longer list is kept with its cursor", async () => {
  given(...Array.from({ length: 16 }, (_, n) => event(`large-${n}`, { description: "x".repeat(370_000) })));
  for (let n = 0; n < 2; n += 1) {
    const { body, headers } = await list();
    expect([body.length, headers]).toEqual([13, expect.objectContaining({ "x-next-cursor": expect.any(String) })]);
  }
  expect(sent.queries()).toHaveLength(1);
});

test("the active event is one item of the index, every time", async () => {
  given(event("first"));
  await list();
  given(event("second"));
  expect((await call("GET /events/getActiveEvent", { at: time })).body.id).toBe("second");
  expect(sent.queries().at(-1)?.Limit).toBe(1);
});
