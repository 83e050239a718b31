/**
 * The list of events that a function keeps for people who are no admins: how long it is an older one
 * (`docs/contract.md`, "Lists and pages"). The function runs in this process, with a clock that the test moves.
 */
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import { startTableEngine } from "../../tools/laptop/dynamodb/index.ts";
import { givenDefinition } from "../../tools/laptop/test/engine/table.ts";
import { gatewayEvent } from "../gateway-event.ts";
import { givenSettings } from "../settings.ts";
import { exec, user, year } from "./given.ts";

const engine = await startTableEngine();
await engine.ensureTable(givenDefinition());
givenSettings({ TABLE_NAME: "Club", AWS_ENDPOINT_URL_DYNAMODB: engine.url, BUS_NAME: "bus" });
const { client } = await import("#kit/table/table.ts");
const { handler } = await import("#api/events/index.ts");

/** The time at which the gateway gets the next request, in epoch milliseconds. */
let now = Date.now();
const later = (milliseconds: number): void => {
  now += milliseconds;
};

beforeEach(() => later(60_000));
afterAll(async () => {
  client.destroy();
  await engine.close();
});

/** Calls the function as the gateway would. */
async function call(routeKey: string, as: string, { id, body }: { id?: string; body?: object } = {}) {
  const params = id === undefined ? undefined : { eventId: id, year: String(year) };
  const { statusCode, body: text } = await handler(gatewayEvent(routeKey, { as, params, body, at: now }));
  return { status: statusCode, text: String(text), body: JSON.parse(String(text)) };
}

let names = 0;
async function create(fields: object = {}): Promise<string> {
  names += 1;
  const id = `event-${names}`;
  expect(
    (await call("POST /events", exec, { body: { id, year, ename: "first", isPublished: true, ...fields } })).status,
  ).toBe(201);
  return id;
}

/** The name of an event in the list; undefined when the list does not have it. */
async function listed(id: string, as = user): Promise<string | undefined> {
  const { body } = await call("GET /events", as);
  return body.find((event: { id: string }) => event.id === id)?.ename;
}

const remove = (id: string) => call("DELETE /events/{eventId}/{year}", exec, { id });
const edit = (id: string, body: object) => call("PATCH /events/{eventId}/{year}", exec, { id, body });

test.each<[string, (id: string) => ReturnType<typeof call>, { page: number; name?: string; admins?: string }]>([
  ["renamed", (id) => edit(id, { ename: "second" }), { page: 200, name: "second", admins: "second" }],
  ["hidden", (id) => edit(id, { isPublished: false }), { page: 404, admins: "first" }],
  ["deleted", remove, { page: 404 }],
])("an event that is %s is in the list as it was for five seconds, and nowhere else", async (_, change, expected) => {
  const id = await create();
  expect(await listed(id)).toBe("first");
  later(1_000);
  expect((await change(id)).status).toBe(200);
  expect((await call("GET /events/{eventId}/{year}", user, { id })).status).toBe(expected.page);
  expect(await listed(id, exec)).toBe(expected.admins);
  later(3_999);
  expect(await listed(id)).toBe("first");
  later(1);
  expect(await listed(id)).toBe(expected.name);
});

test("a hidden event is in no list of people who are no admins, whoever asked before", async () => {
  const id = await create({ isPublished: false });
  expect([await listed(id, exec), await listed(id), await listed(id, exec), await listed(id)]).toEqual([
    "first",
    undefined,
    "first",
    undefined,
  ]);
});
