/**
 * What a caller hears when a call to the table fails, or another request comes in between. What routes store and answer
 * otherwise is told by `test/service`.
 */
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { newMember } from "#domain/people/members/member.ts";
import { newUser } from "#domain/people/users/user.ts";
import { eventItem } from "./given.ts";
import {
  broken,
  caller,
  cancelled,
  contended,
  get,
  internal,
  now,
  outcomeUnknown,
  putsOf,
  query,
  refusedBy,
  requestId,
  sent,
  table,
  throttled,
  transactWrite,
  unanswered,
  unavailable,
  withoutPatience,
} from "./mocked-table.ts";

mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: "the key" });
const events = caller((await import("#api/events/index.ts")).handler);
const feedback = caller((await import("#api/feedback/index.ts")).handler);
const users = caller((await import("#api/users/index.ts")).handler);
const members = caller((await import("#api/members/index.ts")).handler);
const profiles = caller((await import("#api/profiles/index.ts")).handler);
const prizes = caller((await import("#api/prizes/index.ts")).handler);
type Answer = ReturnType<typeof events>;

const self = "ada@unit.example";
const params = { eventId: "gala", year: "2030" };
const formOf = { ...params, formType: "attendee" };
const form = "/events/{eventId}/{year}/feedback/{formType}";
const event = eventItem({ id: "gala", capac: 5, attendeeFeedbackEnabled: true });
const known = { email: self, adminDomain: "club.example", now, generation: "g1" };
const key = { PK: `USER#${self}` };
const account = { ...key, SK: "USER", ...newUser({ fname: "Ada" }, { ...known, isMember: false }) };
const member = { ...key, SK: "MEMBER", ...newMember({ firstName: "Ada" }, known) };
const prize = { PK: "PRIZE", SK: "mug", id: "mug", name: "Mug", price: 5, version: 3, createdAt: 1, updatedAt: 2 };

interface Item {
  readonly PK: string;
  readonly SK: string;
}

const requests = {
  "POST /events": () => events("POST /events", { body: { id: "gala", year: 2030, ename: "Gala" } }),
  "GET an event": () => events("GET /events/{eventId}/{year}", { as: self, params }),
  "POST feedback": () =>
    feedback(`POST ${form}`, { as: self, params: formOf, body: { responses: { "overall-rating": 9 } } }),
  "POST /users": () => users("POST /users", { as: self, body: {} }),
  "POST /members/grant": () =>
    members("POST /members/grant", { body: { email: self, firstName: "Ada", lastName: "L" } }),
  "DELETE a member": () => members("DELETE /members/{email}", { params: { email: self } }),
  "POST /profiles": () => profiles("POST /profiles", { as: self, body: {} }),
  "POST /prizes": () => prizes("POST /prizes", { body: { id: "mug", name: "Mug", price: 5 } }),
  "PATCH a prize": () => prizes("PATCH /prizes/{id}", { params: { id: "mug" }, body: { price: 7 } }),
  "DELETE a prize": () => prizes("DELETE /prizes/{id}", { params: { id: "mug" } }),
} satisfies Readonly<Record<string, () => Answer>>;
type Name = keyof typeof requests;

/** The table has these items, and takes every write. A query finds only the records of the person. */
function given(...items: Item[]): void {
  const at = ({ PK, SK }: Item) => items.find((item) => item.PK === PK && item.SK === SK);
  table.on(get).callsFake(({ Key }: { Key: Item }) => ({ Item: at(Key) }));
  table.on(query).callsFake(() => ({ Items: items.filter(({ PK, SK }) => PK === key.PK && SK !== "USER"), Count: 0 }));
  table.on(transactWrite).resolves({} as never);
}
beforeEach(() => {
  table.reset();
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The first write fails. */
const failsOnce = (error: Error) =>
  table
    .on(transactWrite)
    .rejectsOnce(error)
    .resolves({} as never);

async function expectToldNothing(answer: Answer, expected: object): Promise<void> {
  expect(await answer).toEqual(expected);
  expect(JSON.stringify(await answer)).not.toContain("secret");
}

test.each<[string, Name, Error, object]>([
  ["is throttled", "GET an event", throttled, contended],
  ["does not answer", "GET an event", unanswered, unavailable],
  ["fails", "GET an event", broken, internal],
  ["is throttled", "PATCH a prize", throttled, contended],
  ["does not answer", "PATCH a prize", unanswered, contended],
  ["fails", "PATCH a prize", broken, internal],
])("a read that %s, of %s", async (_, name, error, answer) => {
  withoutPatience();
  table.on(get).rejects(error);
  await expectToldNothing(requests[name](), answer);
  expect(sent.transactions()).toEqual([]);
});

test.each([
  ["is throttled for long", throttled, contended],
  ["does not answer for long", unanswered, outcomeUnknown],
  ["fails", broken, internal],
  ["cancels for a reason that is none of ours", cancelled("ValidationError"), internal],
])("a write to a table that %s", async (_, error, answer) => {
  withoutPatience();
  given();
  table.on(transactWrite).rejects(error);
  await expectToldNothing(requests["POST /prizes"](), answer);
});

describe("what another request did meanwhile", () => {
  const refused = (...codes: string[]) =>
    cancelled(...codes.map((code) => (code === "!" ? "ConditionalCheckFailed" : "None")));
  const another = { PK: "SEAT#gala#2030#00", SK: "POOL", state: "OPEN", generation: "another" };
  const duplicate = { status: 409, body: { code: "DUPLICATE", requestId } };
  const again = { ...prize, name: "Cup", version: 4 };
  const dear = { ...prize, price: 7 };
  const cup = { name: "Cup", price: 7, updatedAt: now };

  test.each<[string, Name, Item[], Error[], Item[], object, number]>([
    ["the event exists", "POST /events", [another], [], [], duplicate, 0],
    ["it is refused", "POST /events", [], [refused("!", "!", "")], [another], duplicate, 1],
    ["refused, after no answer", "POST /events", [], [unanswered, refused("!", "", "")], [another], duplicate, 3],
    ["the user exists", "POST /users", [], [refused("!", "", "")], [], duplicate, 1],
    ["the person became a member", "POST /users", [], [refused("", "", "!")], [member], { status: 201 }, 2],
    ["became a member", "POST /profiles", [account], [refused("", "", "!")], [account, member], { status: 201 }, 2],
    ["the account was deleted", "POST /profiles", [account], [refused("", "", "", "!")], [], { status: 404 }, 1],
    ["changed", "DELETE a member", [member], [refused("!")], [member], { status: 200 }, 2],
    ["the prize exists", "POST /prizes", [], [refused("!")], [], duplicate, 1],
    ["the newer prize is changed", "PATCH a prize", [prize], [refusedBy(prize)], [again], { body: { item: cup } }, 2],
    ["it is as the change wants it", "PATCH a prize", [dear], [], [], { status: 200 }, 0],
    ["a newer prize with its id", "DELETE a prize", [prize], [refused("!")], [again], { status: 200 }, 1],
    ["overtaken by a newer one", "POST feedback", [event], [refusedBy({ arrival: "9" })], [event], { status: 201 }, 1],
    ["its message has an id that is taken", "POST feedback", [event], [refused("", "!")], [event], { status: 201 }, 2],
  ])("%s: %s", async (_, name, before, errors, after, answer, transactions) => {
    given(...before);
    const left = [...errors];
    const written = () => {
      given(...after);
      table.on(transactWrite).callsFake(written);
      const error = left.shift();
      if (error) throw error;
      return {};
    };
    table.on(transactWrite).callsFake(written);
    expect(await requests[name]()).toMatchObject(answer);
    expect(sent.transactions()).toHaveLength(transactions);
  });

  test.each<[Name, string]>([
    ["POST /events", "generation"],
    ["POST feedback", "arrival"],
  ])("%s has the same %s in the second try", async (name, field) => {
    given(event);
    failsOnce(throttled);
    await requests[name]();
    const [first, second] = sent.transactions().map((transaction) => putsOf(transaction)[0]?.Item?.[field]);
    expect(first).toEqual(expect.any(String));
    expect(second).toBe(first);
  });

  test("a grant whose profile id another person has draws a new one", async () => {
    given();
    failsOnce(refused("", "", "", "!", "", ""));
    const { body } = await requests["POST /members/grant"]();
    const drawn = sent.transactions().map((transaction) => putsOf(transaction)[3]?.Item?.PK);
    expect(new Set(drawn).size).toBe(2);
    expect(drawn[1]).toBe(`PID#${body.profile.profileID}`);
  });
});

test("the seats of a new event remember an earlier event of its name", async () => {
  given({ PK: "SEAT#gala#2030#00", SK: "POOL", state: "DELETED", generation: "earlier" } as never);
  expect((await requests["POST /events"]()).status).toBe(201);
  expect(putsOf(sent.transactions()[0])[1]?.Item?.recreated).toBe(true);
});
