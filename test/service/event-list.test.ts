/**
 * The list of events that a function keeps in memory: what it costs, and that it is never an older one than the table's
 * (`docs/design.md`, "The data model"). The function runs in this process, on a table whose index lags behind.
 */
import { setTimeout as pause } from "node:timers/promises";
import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, jest, test } from "@jest/globals";
import { type AnsweredCall, startTableEngine } from "../../lib/local/dynamodb/index.ts";
import { givenSettings } from "../settings.ts";
import { givenDefinition } from "./engine/table.ts";
import { exec, user, year } from "./given.ts";

const calls: AnsweredCall[] = [];
const TableName = "Club";
/** Milliseconds: long enough for a request right behind an edit to meet the index as it was. */
const indexLag = 150;

const engine = await startTableEngine({ indexLag, conflictMilliseconds: 20, onCall: (call) => void calls.push(call) });
await engine.ensureTable(givenDefinition());
givenSettings({ TABLE_NAME: TableName, AWS_ENDPOINT_URL_DYNAMODB: engine.url, BUS_NAME: "bus" });
const { client } = await import("#kit/table.ts");
const { systemContext } = await import("#kit/context.ts");
const { seam } = await import("#kit/seam.ts");
const { handler } = await import("#api/events/index.ts");
const { walk } = await import("../../lib/invariants/walk.ts");
const { operations } = await import("../../lib/ops/operations.ts");

const versions = { PK: "EVENTS", SK: "VERSIONS" };

afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  client.destroy();
  await engine.close();
});

let names = 0;
const newId = (): string => {
  names += 1;
  return `event-${names}`;
};

/** Calls the function as the gateway would. */
async function call(
  routeKey: string,
  as: string,
  { id, body, query }: { id?: string; body?: object; query?: object } = {},
) {
  const claims = { token_use: "id", email: as, email_verified: "true" };
  const { statusCode, body: text } = await handler({
    routeKey,
    headers: {},
    ...(id !== undefined && { pathParameters: { eventId: id, year: String(year) } }),
    queryStringParameters: query,
    body: body && JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: "r", timeEpoch: Date.now(), authorizer: { jwt: { claims } } },
  } as never);
  return { status: statusCode, text: String(text), body: JSON.parse(String(text)) };
}

const ok = async (...request: Parameters<typeof call>) => {
  const answer = await call(...request);
  expect(answer).toMatchObject({ status: request[0].startsWith("POST") ? 201 : 200 });
  return answer;
};
const create = async (fields: object = {}) => {
  const id = newId();
  await ok("POST /events", exec, { body: { id, year, ename: "before", ...fields } });
  return id;
};
const edit = (id: string, body: object) => ok("PATCH /events/{eventId}/{year}", exec, { id, body });
const remove = (id: string) => ok("DELETE /events/{eventId}/{year}", exec, { id });

/** The names of the events by their ids, as the list shows them. */
const listed = async (as = user): Promise<Record<string, string>> => {
  const { body } = await ok("GET /events", as);
  return Object.fromEntries(body.map((event: { id: string; ename: string }) => [event.id, event.ename]));
};

/** What the calls to the table cost while this runs. */
async function costOf(run: () => Promise<unknown>) {
  calls.length = 0;
  await run();
  const operations = calls.map(({ operation }) => operation);
  return { operations, readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0) };
}
const unchanged = { operations: ["GetItem"], readUnits: 1 };

/** Waits until the index has all writes of before: it takes them in their order. */
async function indexed(): Promise<void> {
  const Key = { PK: "MARKER", SK: newId() };
  await client.send(new PutCommand({ TableName, Item: { ...Key, GSI1PK: "MARKER", GSI1SK: Key.SK } }));
  const ExpressionAttributeValues = { ":marker": "MARKER", ":name": Key.SK };
  const KeyConditionExpression = "GSI1PK = :marker AND GSI1SK = :name";
  const marker = new QueryCommand({ TableName, IndexName: "GSI1", KeyConditionExpression, ExpressionAttributeValues });
  for (const end = Date.now() + 10_000; (await client.send(marker)).Count === 0; ) {
    if (Date.now() > end) throw new Error("The index did not follow the table.");
    await pause(10);
  }
}

/** The list with all writes, in memory. */
async function givenKept(as = user): Promise<void> {
  await indexed();
  await listed(as);
}

/**
 * Edits an event and lists the events before the index has the edit, however often that takes, and once more when the
 * index has it.
 */
async function listedAroundEdit(id: string): Promise<{ early?: string; late?: string; ename: string }> {
  for (let tries = 1; ; tries += 1) {
    const ename = `edit ${tries}`;
    await edit(id, { ename });
    const { [id]: early } = await listed();
    await indexed();
    if (early === ename && tries < 20) continue;
    return { ename, ...(early !== undefined && { early }), late: (await listed())[id] as string };
  }
}

const mending = { hasChat: true, adminDomain: "club.example", indexLag, standStill: 1_000 };
const mendLists = () => operations["other list version"]?.run(versions, mending, systemContext("r", "r", Date.now()));

/** The kinds of damage that the operators' check finds. The items of this file's markers belong to no part. */
async function walked(): Promise<string[]> {
  const kinds = new Set<string>();
  const found = ({ kind }: { kind: string }) => void kinds.add(kind);
  await walk(mending, { progress: () => undefined, found });
  return [...kinds].filter((kind) => kind !== "unknown item");
}

beforeAll(async () => {
  await create({ description: "x".repeat(1_000) });
});

test("a list of 82 KB that no admin edits is one read unit and one call, for admins, others and the active event", async () => {
  const startDate = new Date(Date.now() + 3_600_000).toISOString();
  for (let n = 0; n < 12; n += 1) await create({ description: "x".repeat(6_500), startDate });
  await indexed();
  for (const as of [user, exec]) {
    const first = await costOf(() => listed(as));
    expect(first.readUnits).toBeGreaterThan(8);
    const { text } = await ok("GET /events", as);
    expect(text.length).toBeGreaterThan(75_000);
    expect(await costOf(() => listed(as))).toEqual(unchanged);
    expect((await ok("GET /events", as)).text).toBe(text);
    // Control: a page and a filter go to the index, and say the same.
    const parted = await costOf(async () => {
      expect(JSON.stringify((await ok("GET /events", as, { query: { limit: "500" } })).body)).toBe(text);
    });
    expect(parted.operations).not.toContain("GetItem");
  }
  expect(await costOf(() => ok("GET /events/getActiveEvent", user))).toEqual(unchanged);
  const all = (await ok("GET /events", user)).body as { id: string; startDate?: string }[];
  const soonest = all.filter((event) => event.startDate === startDate).at(-1);
  expect((await ok("GET /events/getActiveEvent", user)).body).toEqual(soonest);
});

test("each creation, edit and deletion is in the list, and then nothing is read but the version", async () => {
  const id = await create();
  await givenKept();
  expect(await listed()).toMatchObject({ [id]: "before" });
  for (const [change, ename] of [
    [() => edit(id, { ename: "after" }), "after"],
    [() => edit(id, { isPublished: false }), undefined],
    [() => edit(id, { isPublished: true }), "after"],
    [() => remove(id), undefined],
  ] as const) {
    await change();
    await givenKept();
    expect((await listed())[id]).toBe(ename);
    expect(await costOf(() => listed())).toEqual(unchanged);
  }
});

test("edits of a hidden event change the list of admins, and leave the list of others in memory", async () => {
  const id = await create({ isPublished: false });
  await givenKept(exec);
  await givenKept();
  await edit(id, { ename: "after" });
  expect(await costOf(() => listed())).toEqual(unchanged);
  await givenKept(exec);
  expect((await listed(exec))[id]).toBe("after");
  expect(await listed()).not.toHaveProperty(id);
});

test("a list that is read while the index is behind is not kept", async () => {
  const id = await create();
  await givenKept();
  const { early, late, ename } = await listedAroundEdit(id);
  expect(early).not.toBe(ename);
  expect(late).toBe(ename);
  expect(await costOf(() => listed())).toEqual(unchanged);
});

test("control: a function that keeps a list without the proof answers the old one when the index has the edit", async () => {
  const id = await create();
  await givenKept();
  jest.spyOn(seam, "isProven").mockReturnValue(true);
  const { late, ename } = await listedAroundEdit(id);
  expect(late).not.toBe(ename);
});

test("control: an edit that does not move the version is not seen; the operators find it and put it right", async () => {
  const id = await create();
  await givenKept();
  const before = (await client.send(new GetCommand({ TableName, Key: versions }))).Item;
  await edit(id, { ename: "after" });
  await client.send(new PutCommand({ TableName, Item: before }));
  await indexed();
  expect((await listed())[id]).toBe("before");
  expect(await walked()).toEqual(["other list version"]);
  expect(await mendLists()).toBe("repaired");
  expect(await listed()).toMatchObject({ [id]: "after" });
  expect([await walked(), await mendLists()]).toEqual([[], "nothing to do"]);
});

test("without the item of versions every list is read from the index, and none is kept until it is put right", async () => {
  const id = await create();
  await givenKept();
  await client.send(new DeleteCommand({ TableName, Key: versions }));
  for (const ename of ["first", "second"]) {
    await edit(id, { ename });
    await indexed();
    for (let time = 0; time < 2; time += 1) {
      expect((await costOf(async () => expect(await listed()).toMatchObject({ [id]: ename }))).operations).toContain(
        "Query",
      );
    }
  }
  expect(await mendLists()).toBe("repaired");
  await givenKept();
  expect(await costOf(() => listed())).toEqual(unchanged);
});

test("admins who edit different events at once are all answered, and the list has every edit", async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5].map(() => create()));
  await givenKept();
  calls.length = 0;
  await Promise.all(ids.map((id) => edit(id, { ename: "after" })));
  // Control: they were in each other's way.
  expect(calls.some(({ refusal }) => refusal?.includes("TransactionConflict"))).toBe(true);
  await givenKept();
  expect(Object.values(await listed()).filter((ename) => ename === "after").length).toBeGreaterThanOrEqual(ids.length);
  expect(await costOf(() => listed())).toEqual(unchanged);
});
