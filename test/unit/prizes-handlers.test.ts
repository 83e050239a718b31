/** Writes of prizes on a table that gives the answers of each test. Each request is carried out once. */
import { beforeEach, expect, test } from "@jest/globals";
import {
  caller,
  cancelled,
  get,
  now,
  putsOf,
  refusedBy,
  sent,
  table,
  transactWrite,
  unanswered,
} from "./mocked-table.ts";

const { handler } = await import("#api/prizes/index.ts");
const call = caller(handler);

const body = { id: "mug", name: "Mug", price: 5 };
const stored = { PK: "PRIZE", SK: "mug", ...body, version: 3, createdAt: 1, updatedAt: 2 };
const create = () => call("POST /prizes", { body });
const change = () => call("PATCH /prizes/{id}", { params: { id: "mug" }, body: { price: 7 } });
const remove = () => call("DELETE /prizes/{id}", { params: { id: "mug" } });

beforeEach(() => {
  table.reset();
  table.on(get).resolves({ Item: stored } as never);
  table.on(transactWrite).resolves({} as never);
});

test.each([
  ["creating", create, 201],
  ["changing", change, 200],
  ["deleting", remove, 200],
])("%s without an answer sends the same again under its token, and succeeds", async (_, request, status) => {
  table
    .on(transactWrite)
    .rejectsOnce(unanswered)
    .resolves({} as never);
  expect((await request()).status).toBe(status);
  const [first, second, ...more] = sent.transactions();
  expect(first?.ClientRequestToken).toEqual(expect.any(String));
  expect(second).toEqual(first);
  expect(more).toEqual([]);
});

test("an id that a prize has already is refused", async () => {
  table.on(transactWrite).rejects(cancelled("ConditionalCheckFailed"));
  expect(await create()).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
  expect(sent.transactions()).toHaveLength(1);
});

test("a change that met another change is made on the newer prize", async () => {
  table
    .on(get)
    .resolvesOnce({ Item: stored } as never)
    .resolves({ Item: { ...stored, name: "Cup", version: 4 } } as never);
  table
    .on(transactWrite)
    .rejectsOnce(refusedBy(stored))
    .resolves({} as never);
  expect(await change()).toMatchObject({ status: 200, body: { item: { name: "Cup", price: 7, updatedAt: now } } });
  const [prize] = putsOf(sent.transactions()[1]);
  expect(prize).toMatchObject({ Item: { version: 5 }, ExpressionAttributeValues: { ":read": 4 } });
});

test("a deletion leaves alone a newer prize with the same id", async () => {
  table.on(transactWrite).rejects(cancelled("ConditionalCheckFailed"));
  expect((await remove()).status).toBe(200);
  expect(sent.transactions()).toHaveLength(1);
});
