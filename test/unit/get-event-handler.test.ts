/** GET /events/{eventId}/{year}: counts and registrations. `route-outcomes` has the failures. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { eventItem, registrationItem } from "./given.ts";
import { batchGet, caller, get, query, sent, table } from "./mocked-table.ts";

const { handler } = await import("#api/events/index.ts");
const call = caller(handler);
const somebody = "a@unit.example";
/** The time of the requests. */
let now = Date.now();
const read = (parameters: Record<string, string> = {}, as?: string) =>
  call("GET /events/{eventId}/{year}", { as, params: { eventId: "gala", year: "2030" }, query: parameters, at: now });

const eventKey = { PK: "EVENT#gala#2030", SK: "META" };
const seatsKey = { PK: "SEAT#gala#2030#00", SK: "POOL" };
const event = { id: "gala", year: 2030, ename: "Gala", isCompleted: false, createdAt: 1, updatedAt: 2 };
const stored = { ...eventItem({ ...event, version: 3, termsVersion: 2 }), GSI1PK: "EVENTS#0", GSI1SK: "0#gala#2030" };
const counters = { registered: 4, checkedIn: 3, incomplete: 2, accepted: 1, applicants: 6, partners: 5, seats: 10 };
const seats = {
  ...seatsKey,
  ...counters,
  generation: "i",
  capacity: 12,
  recreated: false,
  choiceHolders: {},
  choiceLimits: {},
};

/** The table answers these items, and a line of seven people. */
function given(items: { event?: object | null; seats?: object | null } = {}): void {
  const { event: item = stored, seats: pool = seats } = items;
  table.on(get, { Key: eventKey } as never).resolves({ Item: item ?? undefined } as never);
  table.on(get, { Key: seatsKey } as never).resolves({ Item: pool ?? undefined } as never);
  table.on(query).resolves({ Count: 7 } as never);
}
beforeEach(() => {
  // No test finds a number that another one has kept.
  now += 5_000;
  table.reset();
  given();
});

const registration = (email: string, generation = "i") => ({
  ...registrationItem({ email, generation, queueKey: `1#${email}` }),
});
const user = (email: string) => ({
  PK: `USER#${email}`,
  SK: "USER",
  GSI1PK: "USERS#0",
  email,
  isMember: true,
  favEvents: [],
});
const keysAsked = () => sent.batches().map(({ RequestItems }) => RequestItems?.Unit?.Keys ?? []);

/** The fields that an event without prices and questions is answered with. */
const unsaid = {
  ...{ isPublished: true, nonBizTechAllowed: true },
  pricing: { member: 0, members: 0, nonMember: 0, nonMembers: 0 },
  ...{ registrationQuestions: [], partnerRegistrationQuestions: [] },
  ...{ attendeeFeedbackQuestions: [], partnerFeedbackQuestions: [] },
};

test("an event alone is one read, consistent for admins, answered without fields that only the service needs", async () => {
  expect(await read({}, somebody)).toMatchObject({ status: 200, body: event });
  expect((await read()).body).toEqual({ ...unsaid, ...event });
  expect(sent.gets()).toEqual([
    { TableName: "Unit", Key: eventKey, ConsistentRead: false },
    { TableName: "Unit", Key: eventKey, ConsistentRead: true },
  ]);
  expect(table.calls()).toHaveLength(2);
});

describe("counts", () => {
  test("come from the counters and the length of the line, never from registrations", async () => {
    const { body } = await read({ count: "true" }, somebody);
    expect(body).toMatchObject({ registeredCount: 4, checkedInCount: 3, waitlistCount: 7 });
    const { registeredCount, checkedInCount, waitlistCount, ...others } = body.counts;
    expect([registeredCount, checkedInCount, waitlistCount]).toEqual([4, 3, 7]);
    const less = { incompleteCount: 2, acceptedCount: 1, applicantCount: 6, partnerCount: 5 };
    expect(others).toEqual({ ...less, seatsTaken: 10, remaining: 2, dynamicCounts: [] });
    expect(sent.gets()).toContainEqual({ TableName: "Unit", Key: seatsKey, ConsistentRead: false });
    expect(sent.queries()).toEqual([
      {
        TableName: "Unit",
        KeyConditionExpression: "PK = :line",
        FilterExpression: "generation = :generation",
        ExpressionAttributeValues: { ":line": "WAIT#gala#2030", ":generation": "i" },
        ConsistentRead: false,
        Select: "COUNT",
      },
    ]);
    expect(table.calls()).toHaveLength(3);
  });

  test("tell for five seconds how many waited, without a query", async () => {
    const waiting = async () => (await read({ count: "true" })).body.waitlistCount;
    expect(await waiting()).toBe(7);
    table.on(query).resolves({ Count: 8 } as never);
    now += 4_999;
    expect(await waiting()).toBe(7);
    expect(sent.queries()).toHaveLength(1);
    now += 1;
    expect(await waiting()).toBe(8);
    expect(sent.queries()).toHaveLength(2);
  });

  test.each([
    [9e15, 10, null],
    [12, 12, 0],
    [12, 13, 0],
  ])("of %d seats with %d taken, %s remain", async (cap, taken, remaining) => {
    given({ seats: { ...seats, capacity: cap, seats: taken } });
    expect((await read({ count: "true" })).body.counts).toMatchObject({ remaining, seatsTaken: taken });
  });

  test("of a long line are counted in all pages", async () => {
    table
      .on(query)
      .resolvesOnce({ Count: 5, LastEvaluatedKey: { PK: "WAIT#gala#2030", SK: "1#x" } } as never)
      .resolves({ Count: 2 } as never);
    expect((await read({ count: "true" })).body.waitlistCount).toBe(7);
  });

  test("are absent while there is no item of seats", async () => {
    given({ seats: null });
    const { status, body } = await read({ count: "true" });
    expect([status, body]).toEqual([200, { ...unsaid, ...event }]);
  });
});

describe("registrations", () => {
  test("come with their users, both read eventually consistent, in two steps", async () => {
    table.on(query).resolves({ Items: [registration("a@x.example"), registration("b@x.example")] } as never);
    table.on(batchGet).resolves({ Responses: { Unit: [user("b@x.example")] } } as never);
    const { body } = await read({ users: "true" });
    expect(body.registrations.map((row: { id: string; user: unknown }) => [row.id, row.user])).toEqual([
      ["a@x.example", null],
      ["b@x.example", expect.objectContaining({ id: "b@x.example", isMember: true })],
    ]);
    expect(JSON.stringify(body)).not.toMatch(/"(PK|SK|GSI1PK|GSI1SK|form|generation|queueKey|version|termsVersion)":/);
    expect(sent.queries()).toEqual([
      {
        TableName: "Unit",
        IndexName: "REGISTRATIONS",
        KeyConditionExpression: "SK = :event",
        ExpressionAttributeValues: { ":event": "REG#gala#2030" },
      },
    ]);
    const Keys = ["a@x.example", "b@x.example"].map((email) => ({ PK: `USER#${email}`, SK: "USER" }));
    expect(sent.batches()).toEqual([{ RequestItems: { Unit: { Keys, ConsistentRead: false } } }]);
  });

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

  const emails = Array.from({ length: 250 }, (_, n) => `p${String(n).padStart(3, "0")}@x.example`);
  const ofRegistrations = { IndexName: "REGISTRATIONS" } as never;

  test("read 250 users in batches of 100, and unprocessed ones again", async () => {
    const left = [{ PK: `USER#${emails[3]}`, SK: "USER" }];
    table.on(query, ofRegistrations).resolves({ Items: emails.map((email) => registration(email)) } as never);
    table
      .on(batchGet)
      .resolvesOnce({ Responses: { Unit: [] }, UnprocessedKeys: { Unit: { Keys: left } } } as never)
      .callsFake(({ RequestItems }) => ({
        Responses: { Unit: RequestItems.Unit.Keys.map(({ PK }: { PK: string }) => user(PK.slice("USER#".length))) },
      }));
    const { body } = await read({ users: "true" });
    expect(body.registrations).toHaveLength(250);
    expect(keysAsked().map(({ length }) => length)).toEqual([100, 100, 1, 50]);
    expect(keysAsked()[2]).toEqual(left);
    expect(body.registrations[1].user).toBeNull();
    expect(body.registrations[3].user).toMatchObject({ id: emails[3] });
  });

  test("are answered to admins only; for others they are not read", async () => {
    expect(await read({ users: "true", count: "true" }, somebody)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", message: "Only an admin can ask for users=true." },
    });
    expect(table.calls()).toHaveLength(0);
  });
});
