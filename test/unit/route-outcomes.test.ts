/**
 * Handlers on a table that gives the answers of each test: the calls that a route makes, and what its caller hears when
 * one of them fails. What routes store and answer otherwise is told by `test/service`.
 */
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import {
  BatchGetCommand,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  type TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { newMember } from "#domain/people/members/member.ts";
import { newProfile } from "#domain/people/profiles/profile.ts";
import { newUser } from "#domain/people/users/user.ts";
import { eventItem, seatsItem } from "./given.ts";
import {
  admin,
  broken,
  caller,
  cancelled,
  contended,
  inProgress,
  internal,
  now,
  outcomeUnknown,
  putsOf,
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

const events = caller((await import("#api/events/index.ts")).handler);
const feedback = caller((await import("#api/feedback/index.ts")).handler);
const users = caller((await import("#api/users/index.ts")).handler);
const members = caller((await import("#api/members/index.ts")).handler);
const profiles = caller((await import("#api/profiles/index.ts")).handler);
const prizes = caller((await import("#api/prizes/index.ts")).handler);
const registrations = caller((await import("#api/registrations/index.ts")).handler);
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
const profile = {
  ...key,
  SK: "PROFILE",
  ...newProfile(
    { fname: "Ada", lname: "L", pronouns: "", major: "", year: "" },
    { ...known, profileID: "RareGeckosJam" },
  ),
};
const prize = { PK: "PRIZE", SK: "mug", id: "mug", name: "Mug", price: 5, version: 3, createdAt: 1, updatedAt: 2 };

/** An instance keeps the length of a line for five seconds, so each request comes later. */
let time = now;

interface Item {
  readonly PK: string;
  readonly SK: string;
}

interface Row {
  readonly call: () => Answer;
  /** The items that the table has. */
  readonly items?: readonly Item[];
  /** The calls to the table, in their order. `!`: strongly consistent. */
  readonly calls: readonly string[];
  readonly status: number;
}

const rows: Readonly<Record<string, Row>> = {
  "POST /events": {
    call: () => events("POST /events", { body: { id: "gala", year: 2030, ename: "Gala" } }),
    calls: [
      "get! SEAT#gala#2030#00 POOL",
      "Put EVENT#gala#2030 META, if new",
      "Put SEAT#gala#2030#00 POOL, if attribute_not_exists(PK) OR #state = :deleted",
      "Put event.created, if new",
    ],
    status: 201,
  },
  "GET /events": {
    call: () => events("GET /events"),
    calls: ["query GSI1 EVENTS#0", "query GSI1 EVENTS#H"],
    status: 200,
  },
  "GET an event, by a person": {
    call: () => events("GET /events/{eventId}/{year}", { as: self, params }),
    items: [event],
    calls: ["get EVENT#gala#2030 META"],
    status: 200,
  },
  "GET an event, by an admin": {
    call: () => events("GET /events/{eventId}/{year}", { params }),
    items: [event],
    calls: ["get! EVENT#gala#2030 META"],
    status: 200,
  },
  "GET an event with counts": {
    call: () => events("GET /events/{eventId}/{year}", { params, query: { count: "true" }, at: time }),
    items: [event, seatsItem(event)],
    calls: ["get! EVENT#gala#2030 META", "get SEAT#gala#2030#00 POOL", "query WAIT#gala#2030"],
    status: 200,
  },
  "GET an event with its registrations": {
    call: () => events("GET /events/{eventId}/{year}", { params, query: { users: "true" } }),
    items: [event, seatsItem(event)],
    calls: ["get! EVENT#gala#2030 META", "query REGISTRATIONS REG#gala#2030"],
    status: 200,
  },
  "GET a feedback form": {
    call: () => feedback(`GET ${form}`, { as: self, params: formOf }),
    items: [event],
    calls: ["get! EVENT#gala#2030 META"],
    status: 200,
  },
  "POST feedback": {
    call: () => feedback(`POST ${form}`, { as: self, params: formOf, body: { responses: { "overall-rating": 9 } } }),
    items: [event],
    calls: [
      "get! EVENT#gala#2030 META",
      "Put FB#gala#2030#attendee *, if attribute_not_exists(PK) OR (arrival < :arrival AND (attribute_not_exists(again) OR again.since <= :over))",
      "Put feedback.submitted, if new",
    ],
    status: 201,
  },
  "GET submissions of feedback": {
    call: () => feedback(`GET ${form}/submissions`, { params: formOf }),
    items: [event],
    calls: ["get! EVENT#gala#2030 META", "query GSI1 FB#gala#2030#attendee#i"],
    status: 200,
  },
  "POST /users": {
    call: () => users("POST /users", { as: self, body: {} }),
    calls: [
      "get! USER#ada MEMBER",
      "Put USER#ada USER, if new",
      "Put user.created, if new",
      "ConditionCheck USER#ada MEMBER, if new",
    ],
    status: 201,
  },
  "POST /users, by a member": {
    call: () => users("POST /users", { as: self, body: {} }),
    items: [member],
    calls: [
      "get! USER#ada MEMBER",
      "Put USER#ada USER, if new",
      "Put user.created, if new",
      "ConditionCheck USER#ada MEMBER, if attribute_exists(PK)",
    ],
    status: 201,
  },
  "POST /users, by an admin who says whether the person is a member": {
    call: () => users("POST /users", { body: { email: self, isMember: true } }),
    calls: ["Put USER#ada USER, if new", "Put user.created, if new"],
    status: 201,
  },
  "GET /users/self": {
    call: () => users("GET /users/self", { as: self }),
    items: [{ ...key, SK: "USER", email: self, favEvents: [] } as never],
    calls: ["get! USER#ada USER", "query USER#ada"],
    status: 200,
  },
  "POST /members": {
    call: () => members("POST /members", { body: { email: self } }),
    calls: [
      "get! USER#ada USER",
      "query! USER#ada",
      "Put USER#ada MEMBER, if new",
      "ConditionCheck USER#ada USER, if new",
      "ConditionCheck USER#ada PROFILE, if new",
      "Put member.granted, if new",
    ],
    status: 201,
  },
  "POST /members/grant": {
    call: () => members("POST /members/grant", { body: { email: self, firstName: "Ada", lastName: "L" } }),
    calls: [
      "get! USER#ada USER",
      "query! USER#ada",
      "Put USER#ada USER, if new",
      "Put USER#ada MEMBER, if new",
      "Put USER#ada PROFILE, if new",
      "Put PID#* PID, if new",
      "Put user.created, if new",
      "Put member.granted, if new",
    ],
    status: 200,
  },
  "PATCH a member": {
    call: () => members("PATCH /members/{email}", { params: { email: self }, body: { discordId: "ada#1" } }),
    items: [member],
    calls: ["query! USER#ada", "Put USER#ada MEMBER, if version = :read AND generation = :generation"],
    status: 200,
  },
  "DELETE a member": {
    call: () => members("DELETE /members/{email}", { params: { email: self } }),
    items: [member],
    calls: [
      "get! USER#ada USER",
      "query! USER#ada",
      "Delete USER#ada MEMBER, if version = :read AND generation = :generation",
      "ConditionCheck USER#ada USER, if new",
    ],
    status: 200,
  },
  "POST /profiles": {
    call: () => profiles("POST /profiles", { as: self, body: {} }),
    items: [member],
    calls: [
      "query! USER#ada",
      "Put USER#ada PROFILE, if new",
      "Put PID#* PID, if new",
      "Put USER#ada MEMBER, if version = :read AND generation = :generation",
    ],
    status: 201,
  },
  "PATCH a profile": {
    call: () => profiles("PATCH /profiles/user", { as: self, body: { hobby1: "Engines" } }),
    items: [profile],
    calls: ["get! USER#ada PROFILE", "Put USER#ada PROFILE, if version = :read AND generation = :generation"],
    status: 200,
  },
  "POST /prizes": {
    call: () => prizes("POST /prizes", { body: { id: "mug", name: "Mug", price: 5 } }),
    calls: ["Put PRIZE mug, if new"],
    status: 201,
  },
  "PATCH a prize": {
    call: () => prizes("PATCH /prizes/{id}", { params: { id: "mug" }, body: { price: 7 } }),
    items: [prize],
    calls: [
      "get! PRIZE mug",
      "Put PRIZE mug, if attribute_not_exists(generation) AND createdAt = :created AND version = :read",
    ],
    status: 200,
  },
  "DELETE a prize": {
    call: () => prizes("DELETE /prizes/{id}", { params: { id: "mug" } }),
    items: [prize],
    calls: ["get! PRIZE mug", "Delete PRIZE mug, if attribute_not_exists(PK) OR createdAt = :createdAt"],
    status: 200,
  },
  "POST /registrations": {
    call: () => registrations("POST /registrations", { as: self, body: { eventID: "gala", year: 2030, email: self } }),
    items: [event, seatsItem(event)],
    calls: [
      "get! EVENT#gala#2030 META and SEAT#gala#2030#00 POOL and USER#ada USER and USER#ada REG#gala#2030",
      "Update SEAT#gala#2030#00 POOL, if generation = :generation AND termsVersion = :termsVersion AND seats < #capacity AND #state = :OPEN AND deadline > :now AND gate = :direct",
      "Put USER#ada REG#gala#2030, if new",
      "Put registration.registered, if new",
    ],
    status: 201,
  },
};

const secrets = mockClient(SecretsManagerClient as never) as unknown as ReturnType<
  typeof mockClient<never, never, never>
>;

/** What the table answers to reads. The records of a person are the only items that a query finds here. */
function reads({ items = [] }: Row) {
  const at = ({ PK, SK }: Item) => items.find((item) => item.PK === PK && item.SK === SK);
  return [
    [GetCommand, ({ Key }: { Key: Item }) => ({ Item: at(Key) })],
    [
      BatchGetCommand,
      ({ RequestItems: { Unit } }: { RequestItems: { Unit: { Keys: Item[] } } }) => ({
        Responses: { Unit: Unit.Keys.flatMap((one) => at(one) ?? []) },
      }),
    ],
    [
      QueryCommand,
      ({
        KeyConditionExpression,
        ExpressionAttributeValues,
      }: Pick<QueryCommandInput, "KeyConditionExpression" | "ExpressionAttributeValues">) => {
        const prefix = KeyConditionExpression?.includes("begins_with")
          ? Object.values(ExpressionAttributeValues ?? {})[1]
          : "";
        return { Items: items.filter(({ PK, SK }) => PK === key.PK && SK.startsWith(prefix)), Count: 0 };
      },
    ],
  ] as const;
}

/** The table has the items of the row, and takes every write. @param failing the description of a read that fails */
function given(row: Row, failing?: string, error?: Error): void {
  for (const [Command, answer] of reads(row)) {
    table.on(Command as never).callsFake((input) => {
      if (described(new Command(input))[0] === failing) throw error;
      return answer(input);
    });
  }
  table.on(transactWrite).resolves({} as never);
}
beforeEach(() => {
  time += 5_000;
  table.reset();
  secrets.on(GetSecretValueCommand as never).resolves({ SecretString: "the key" } as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A key without the domain of emails, and without ids that are drawn. */
const named = ({ PK, SK }: Record<string, string>) =>
  `${PK} ${SK}`.replaceAll("@unit.example", "").replace(/(?<=^FB#\S+ ).+|(?<=^PID#)\S+/, "*");
function described(command: unknown): string[] {
  if (command instanceof GetCommand)
    return [`get${command.input.ConsistentRead ? "!" : ""} ${named(command.input.Key as never)}`];
  if (command instanceof BatchGetCommand) {
    const { Keys = [], ConsistentRead } = command.input.RequestItems?.Unit ?? {};
    return [`get${ConsistentRead ? "!" : ""} ${Keys.map((one) => named(one)).join(" and ")}`];
  }
  if (command instanceof QueryCommand) {
    const { IndexName, ConsistentRead, ExpressionAttributeValues = {} } = command.input;
    const list = String(Object.values(ExpressionAttributeValues)[0]).replace("@unit.example", "");
    return [`query${ConsistentRead ? "!" : ""} ${IndexName ? `${IndexName} ` : ""}${list}`];
  }
  return ((command as TransactWriteCommand).input.TransactItems ?? []).map((member) => {
    const [[kind, part] = ["", {}]] = Object.entries(member);
    const { Item, Key, ConditionExpression } = part as { Item?: never; Key?: never; ConditionExpression?: string };
    const name = (Item as { detailType?: string } | undefined)?.detailType ?? named((Item ?? Key) as never);
    return `${kind} ${name}, if ${ConditionExpression === "attribute_not_exists(PK)" ? "new" : ConditionExpression}`;
  });
}
const callsMade = () => table.calls().map(({ args }) => described(args[0]));

const all = Object.entries(rows).map(([name, row]) => [name, row] as const);
const isRead = (call: string) => /^(get|query)/.test(call);
const reading = all.filter(([, { calls }]) => calls.some(isRead));
const writing = all.filter(([, { calls }]) => !calls.every(isRead));

test.each(all)("%s calls the table as it should", async (_, row) => {
  given(row);
  expect([(await row.call()).status, callsMade().flat()]).toEqual([row.status, row.calls]);
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

/** Whether all is read by `execute`, before the write. Feedback looks at its event before that. */
const isExecuted = (name: string, { calls }: Row) => !calls.every(isRead) && name !== "POST feedback";

describe.each(reading.flatMap(([name, row]) => row.calls.filter(isRead).map((call) => [name, call, row] as const)))(
  "%s, while %s",
  (name, call, row) => {
    test.each([
      ["is throttled", throttled, contended],
      ["does not answer", unanswered, isExecuted(name, row) ? contended : unavailable],
      ["fails", broken, internal],
    ])("%s", async (_, error, answer) => {
      withoutPatience();
      given(row, call, error);
      await expectToldNothing(row.call(), answer);
      expect(sent.transactions()).toEqual([]);
    });
  },
);

describe.each(writing)("%s", (_name, row) => {
  const [reads, writes] = [row.calls.filter(isRead), row.calls.filter((call) => !isRead(call))];

  test.each([
    ["is throttled for long", throttled, contended],
    ["does not answer for long", unanswered, outcomeUnknown],
    ["fails", broken, internal],
    ["cancels for a reason that is none of ours", cancelled("ValidationError", "None"), internal],
  ])("when the table %s", async (_, error, answer) => {
    withoutPatience();
    given(row);
    table.on(transactWrite).rejects(error);
    await expectToldNothing(row.call(), answer);
    expect(callsMade()).toHaveLength(reads.length + 1);
  });

  test.each([
    ["is throttled", throttled],
    ["has another write at work", cancelled("TransactionConflict", "None")],
  ])("reads and writes again when the table %s", async (_, error) => {
    given(row);
    failsOnce(error);
    expect((await row.call()).status).toBe(row.status);
    expect(callsMade().filter((calls) => !calls.every(isRead))).toEqual([writes, writes]);
    expect(new Set(sent.transactions().map(({ ClientRequestToken }) => ClientRequestToken)).size).toBe(2);
  });

  test.each([
    ["has not answered", unanswered],
    ["is still at work", inProgress],
  ])("sends the same again when the table %s, and succeeds", async (_, error) => {
    given(row);
    failsOnce(error);
    expect((await row.call()).status).toBe(row.status);
    expect(callsMade().flat()).toEqual([...row.calls, ...writes]);
    const [first, second] = sent.transactions();
    expect(first?.ClientRequestToken).toMatch(/^[-0-9a-f]{36}$/);
    expect(second).toEqual(first);
  });
});

describe("what another request did meanwhile", () => {
  const refused = (...codes: string[]) =>
    cancelled(...codes.map((code) => (code === "!" ? "ConditionalCheckFailed" : "None")));
  const another = { PK: "SEAT#gala#2030#00", SK: "POOL", state: "OPEN", generation: "another" };
  const duplicate = { status: 409, body: { code: "DUPLICATE", requestId } };
  const again = { ...prize, name: "Cup", version: 4 };

  test.each<[string, string, Row["items"], Error[], Row["items"], object, number]>([
    ["the event exists", "POST /events", [another], [], [], duplicate, 0],
    ["the event is refused", "POST /events", [], [refused("!", "", "")], [another], duplicate, 1],
    ["its seats are refused", "POST /events", [], [refused("", "!", "")], [another], duplicate, 1],
    ["both are refused", "POST /events", [], [refused("!", "!", "")], [another], duplicate, 1],
    ["refused, after no answer", "POST /events", [], [unanswered, refused("!", "", "")], [another], duplicate, 3],
    ["the user exists", "POST /users", [], [refused("!", "", "")], [], duplicate, 1],
    ["refused, after no answer", "POST /users", [], [unanswered, refusedBy({ email: self })], [], duplicate, 3],
    [
      "the person became a member",
      "POST /users",
      [],
      [refused("", "", "!")],
      [member],
      { status: 201, body: { user: { isMember: true } } },
      2,
    ],
    ["refused, after no answer", "POST /members", [], [unanswered, refused("!")], [member], { status: 409 }, 3],
    [
      "refused, after no answer",
      "POST /profiles",
      [member],
      [unanswered, refused("!")],
      [member, profile],
      { status: 409 },
      3,
    ],
    ["no member and no account", "POST /profiles", [], [], [], { status: 404 }, 0],
    [
      "an account",
      "POST /profiles",
      [account],
      [],
      [],
      { status: 201, body: { profile: { profileType: "ATTENDEE" } } },
      1,
    ],
    ["became a member", "POST /profiles", [account], [refused("", "", "!")], [account, member], { status: 201 }, 2],
    ["the account was deleted", "POST /profiles", [account], [refused("", "", "", "!")], [], { status: 404 }, 1],
    ["refused, after no answer", "DELETE a member", [member], [unanswered, refused("!")], [], { status: 404 }, 3],
    ["changed", "DELETE a member", [member], [refused("!")], [member], { status: 200 }, 2],
    ["no member", "DELETE a member", [], [], [], { status: 404 }, 0],
    ["the prize exists", "POST /prizes", [], [refused("!")], [], duplicate, 1],
    [
      "changed: the change is made on the newer prize",
      "PATCH a prize",
      [prize],
      [refusedBy(prize)],
      [again],
      { status: 200, body: { item: { name: "Cup", price: 7, updatedAt: now } } },
      2,
    ],
    ["a newer prize with its id", "DELETE a prize", [prize], [refused("!")], [again], { status: 200 }, 1],
    ["overtaken by a newer one", "POST feedback", [event], [refusedBy({ arrival: "9" })], [event], { status: 201 }, 1],
    ["its message has an id that is taken", "POST feedback", [event], [refused("", "!")], [event], { status: 201 }, 2],
  ])("%s: %s", async (_, name, before, errors, after, answer, transactions) => {
    const row = rows[name] as Row;
    given({ ...row, items: before });
    const left = [...errors];
    const written = () => {
      given({ ...row, items: after });
      table.on(transactWrite).callsFake(written);
      const error = left.shift();
      if (error) throw error;
      return {};
    };
    table.on(transactWrite).callsFake(written);
    expect(await row.call()).toMatchObject(answer);
    expect(sent.transactions()).toHaveLength(transactions);
  });

  test.each([
    ["POST /events", "generation"],
    ["POST feedback", "arrival"],
  ])("%s has the same %s in the second try", async (name, field) => {
    const row = rows[name] as Row;
    given(row);
    failsOnce(throttled);
    await row.call();
    const [first, second] = sent.transactions().map((transaction) => putsOf(transaction)[0]?.Item?.[field]);
    expect(first).toEqual(expect.any(String));
    expect(second).toBe(first);
  });

  test("a grant whose profile id another person has draws a new one", async () => {
    const row = rows["POST /members/grant"] as Row;
    given(row);
    failsOnce(refused("", "", "", "!", "", ""));
    const { body } = await row.call();
    const drawn = sent.transactions().map((transaction) => putsOf(transaction)[3]?.Item?.PK);
    expect(new Set(drawn).size).toBe(2);
    expect(drawn[1]).toBe(`PID#${body.profile.profileID}`);
  });
});

test("a message names its actor and the request", async () => {
  const row = rows["POST /events"] as Row;
  given(row);
  await row.call();
  const { detail, SK, PK } = putsOf(sent.transactions()[0])[2]?.Item ?? {};
  expect(PK).toMatch(/^OUT#2027011508#[0-7]$/);
  const metadata = {
    id: SK,
    version: 1,
    occurredAt: new Date(now).toISOString(),
    actor: admin,
    correlationId: requestId,
  };
  expect(detail).toMatchObject({ metadata, data: { id: "gala", year: 2030, ename: "Gala", version: 1 } });
});

test("the seats of a new event remember an earlier event of its name", async () => {
  const row = rows["POST /events"] as Row;
  given({ ...row, items: [{ PK: "SEAT#gala#2030#00", SK: "POOL", state: "DELETED", generation: "earlier" } as never] });
  expect((await row.call()).status).toBe(201);
  expect(putsOf(sent.transactions()[0])[1]?.Item?.recreated).toBe(true);
});
