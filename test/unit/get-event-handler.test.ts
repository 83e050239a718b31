/** GET /events/{eventId}/{year}: counts and registrations. `route-outcomes` has the failures. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { eventItem, eventRecord, registrationItem, seatsItem } from "./given.ts";
import { batchGet, caller, get, query, sent, table } from "./mocked-table.ts";

const { handler } = await import("#api/events/index.ts");
const call = caller(handler);
const reader = "a@unit.example";
const read = (parameters: Record<string, string> = {}, as?: string) =>
  call("GET /events/{eventId}/{year}", { as, params: { eventId: "gala", year: "2030" }, query: parameters });

const eventKey = { PK: "EVENT#gala#2030", SK: "META" };
const seatsKey = { PK: "SEAT#gala#2030#00", SK: "POOL" };
const event = { id: "gala", year: 2030, ename: "Gala", isCompleted: false, createdAt: 1, updatedAt: 2 };
const stored = { ...eventItem({ ...event, version: 3, termsVersion: 2 }), GSI1PK: "EVENTS#0", GSI1SK: "0#gala#2030" };
const seats = seatsItem(eventRecord({ capac: 12 }), { registered: 4, checkedIn: 3, seats: 10 });

/** The table answers these items, and a line of seven people. */
beforeEach(() => {
  table.reset();
  table.on(get, { Key: eventKey } as never).resolves({ Item: stored } as never);
  table.on(get, { Key: seatsKey } as never).resolves({ Item: seats } as never);
  table.on(query).resolves({ Count: 7 } as never);
});

const registration = (email: string, generation = "i") =>
  registrationItem({ email, generation, queueKey: `1#${email}` });

test("an event alone is one read, consistent for admins, answered without fields that only the service needs", async () => {
  expect(await read({}, reader)).toMatchObject({ status: 200, body: event });
  const { body } = await read();
  for (const name of ["PK", "SK", "GSI1PK", "GSI1SK", "generation", "version", "termsVersion"])
    expect(body).not.toHaveProperty(name);
  expect(sent.gets()).toEqual([
    { TableName: "Unit", Key: eventKey, ConsistentRead: false },
    { TableName: "Unit", Key: eventKey, ConsistentRead: true },
  ]);
  expect(table.calls()).toHaveLength(2);
});

describe("registrations", () => {
  test("of a person who stands twice in the list, because of registering again meanwhile, ask for the user once", async () => {
    const twice = ["a@x.example", "b@x.example", "a@x.example"].map((email) => registration(email));
    table.on(query).resolves({ Items: twice } as never);
    table.on(batchGet).callsFake(({ RequestItems }) => {
      const keys = RequestItems.Unit.Keys.map(({ PK }: { PK: string }) => PK);
      // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
      if (new Set(keys).size < keys.length) throw new Error("Provided list of item keys contains duplicates");
      return { Responses: { Unit: [] } };
    });
    expect((await read({ users: "true" })).status).toBe(200);
  });

  test("of an earlier generation are left out, and their users are not read", async () => {
    table.on(query).resolves({ Items: [registration("a@x.example", "earlier")] } as never);
    expect((await read({ users: "true" })).body.registrations).toEqual([]);
    expect(sent.batches()).toEqual([]);
  });
});
