/** POST /users, GET /users/self and GET /users/{email}: the calls to the table, and the answers to their outcomes. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import {
  admin,
  broken,
  caller,
  cancelled,
  contended,
  get,
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
  withoutPatience,
} from "./mocked-table.ts";

const { handler } = await import("#api/users/index.ts");
const call = caller(handler);
const self = "ada+club@unit.example";
const create = (body: object = {}, as = self) => call("POST /users", { as, body });
const getSelf = (as = self) => call("GET /users/self", { as });
const getUser = (email: string, as = self) => call("GET /users/{email}", { as, params: { email } });

beforeEach(() => {
  table.reset();
  table.on(get).resolves({} as never);
  table.on(transactWrite).resolves({} as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const keyOf = (email: string, SK = "USER") => ({ PK: `USER#${email}`, SK });
const strongRead = (email: string, SK?: string) => ({
  TableName: "Unit",
  Key: keyOf(email, SK),
  ConsistentRead: true,
});
const storedUser = () => putsOf(sent.transactions()[0])[0]?.Item;
const expectUntouched = () => expect(table.calls()).toHaveLength(0);

describe("creating a user sends", () => {
  test("one strongly consistent read of the membership, then one transaction", async () => {
    expect((await create()).status).toBe(201);
    expect(sent.gets()).toEqual([strongRead(self, "MEMBER")]);
    expect(sent.transactions()).toHaveLength(1);
    expect(table.calls()).toHaveLength(2);
  });

  test("the record, on condition that there is none", async () => {
    const details = { fname: "Ada", lname: "L", faculty: "Science", studentId: "12345678", university: "U" };
    const { body } = await create({ ...details, email: " ADA+club@Unit.Example ", admin: true, favEvents: ["x;1"] });
    const user = {
      email: self,
      ...details,
      admin: false,
      isMember: false,
      favEvents: [],
      createdAt: now,
      updatedAt: now,
    };
    expect(putsOf(sent.transactions()[0])[0]).toEqual({
      TableName: "Unit",
      Item: { ...keyOf(self), GSI1PK: "USERS#0", GSI1SK: self, ...user },
      ConditionExpression: "attribute_not_exists(PK)",
    });
    expect(body.user).toEqual({ id: self, ...user, "favedEventsID;year": [] });
  });

  test("the message, with its actor and the request", async () => {
    await create({ email: "b@unit.example" }, admin);
    expect(putsOf(sent.transactions()[0])[1]).toMatchObject({
      ConditionExpression: "attribute_not_exists(PK)",
      Item: {
        detailType: "user.created",
        detail: { metadata: { actor: admin, correlationId: requestId }, data: { email: "b@unit.example" } },
      },
    });
  });

  test.each([
    ["the default", self, {}, false, false],
    ["their own claim", self, { isMember: true }, false, false],
    ["their membership", self, {}, true, true],
    ["their membership, whatever they claim", self, { isMember: false }, true, true],
    ["an admin's choice", admin, { email: self, isMember: true }, false, true],
    ["the default, also for an admin", admin, { email: self }, false, false],
    ["their membership, whatever an admin says", admin, { email: self, isMember: false }, true, true],
  ])("a member by %s", async (_, as, body, hasMembership, isMember) => {
    table.on(get, { Key: keyOf(self, "MEMBER") } as never).resolves({ Item: hasMembership ? {} : undefined } as never);
    expect((await create(body, as)).body.user.isMember).toBe(isMember);
    expect(storedUser()).toMatchObject({ isMember });
  });

  test.each([
    ["new-exec@club.example", true],
    [" New-Exec@CLUB.Example", true],
    ["a@club.example.evil.test", false],
    ["a@evilclub.example", false],
    ["a@sub.club.example", false],
  ])("an admin flag by the domain of the user, not of the caller: %s", async (email, isAdmin) => {
    expect((await create({ email, admin: !isAdmin }, admin)).body.user.admin).toBe(isAdmin);
    expect(storedUser()).toMatchObject({ admin: isAdmin, email: email.trim().toLowerCase() });
  });

  test.each([
    ["email", { email: "b@unit.example" }],
    ["id", { id: "b@unit.example" }],
  ])("nothing for another person, named by %s", async (_, body) => {
    expect(await create(body)).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN", message: "You can create only your own user record." },
    });
    expectUntouched();
  });

  test.each([{ fname: "" }, { fname: 7 }, { email: "two@at@unit.example" }, { isMember: "true" }])(
    "nothing for the invalid %j",
    async (body) => {
      expect(await create(body)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
      expectUntouched();
    },
  );
});

describe("creating a user demands of the membership", () => {
  const memberCheck = () => sent.transactions()[0]?.TransactItems?.[2]?.ConditionCheck;
  test.each([
    [true, "attribute_exists(PK)"],
    [false, "attribute_not_exists(PK)"],
  ])("the result of the read: %s", async (hasMembership, ConditionExpression) => {
    table.on(get, { Key: keyOf(self, "MEMBER") } as never).resolves({ Item: hasMembership ? {} : undefined } as never);
    await create();
    expect(memberCheck()).toEqual({ TableName: "Unit", Key: keyOf(self, "MEMBER"), ConditionExpression });
  });

  test("nothing where an admin has decided, and does not read it", async () => {
    await create({ email: self, isMember: true }, admin);
    expect(sent.gets()).toEqual([]);
    expect(sent.transactions()[0]?.TransactItems).toHaveLength(2);
  });

  test("that it is read again after it has changed", async () => {
    table
      .on(get)
      .resolvesOnce({} as never)
      .resolves({ Item: {} } as never);
    table
      .on(transactWrite)
      .rejectsOnce(cancelled("None", "None", "ConditionalCheckFailed"))
      .resolves({} as never);
    expect((await create()).body.user.isMember).toBe(true);
    expect(putsOf(sent.transactions()[1])[0]?.Item).toMatchObject({ isMember: true });
  });
});

describe("creating a user answers", () => {
  test("a duplicate when the record exists, without another try", async () => {
    table.on(transactWrite).rejects(cancelled("ConditionalCheckFailed", "None"));
    expect(await create()).toMatchObject({ status: 409, body: { code: "DUPLICATE", requestId } });
    expect(sent.transactions()).toHaveLength(1);
  });

  test("a duplicate when any request made the record first, also after a call without an answer", async () => {
    table
      .on(transactWrite)
      .rejectsOnce(unanswered)
      .rejectsOnce(refusedBy({ email: self, favEvents: [] }));
    expect((await create()).status).toBe(409);
  });

  test("success after a call without an answer, which is sent again under the same token", async () => {
    table
      .on(transactWrite)
      .rejectsOnce(unanswered)
      .resolves({} as never);
    expect((await create()).status).toBe(201);
    const [first, second] = sent.transactions();
    expect(first?.ClientRequestToken).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toEqual(first);
    expect(sent.gets()).toHaveLength(1);
  });

  test.each([
    ["a conflict", cancelled("TransactionConflict", "None")],
    ["a throttled call", throttled],
    ["a call without an answer", unanswered],
  ])("the outcome of the second try after %s", async (_, error) => {
    table
      .on(transactWrite)
      .rejectsOnce(error)
      .resolves({} as never);
    expect((await create()).status).toBe(201);
    expect(sent.transactions()).toHaveLength(2);
  });

  test.each([
    ["reading", get],
    ["writing", transactWrite],
  ])("503 `CONTENDED` when %s is throttled for long", async (_, command) => {
    withoutPatience();
    table.on(command).rejects(throttled);
    expect(await create()).toEqual(contended);
  });

  test.each([
    ["reading fails unexpectedly", get, broken],
    ["writing fails unexpectedly", transactWrite, broken],
    ["a transaction is cancelled for another reason", transactWrite, cancelled("ValidationError", "None")],
  ])("500 without details when %s", async (_, command, error) => {
    withoutPatience();
    table.on(command).rejects(error);
    const answer = await create();
    expect(answer).toEqual(internal);
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  test("503 `OUTCOME_UNKNOWN` when a write stays without an answer for long", async () => {
    withoutPatience();
    table.on(transactWrite).rejects(unanswered);
    expect(await create()).toEqual(outcomeUnknown);
  });

  test("an error when the membership cannot be read, and stores no record", async () => {
    table.on(get).rejects(broken);
    await create();
    expect(sent.transactions()).toEqual([]);
  });
});

describe("reading a user", () => {
  const other = "b@unit.example";
  test.each<[string, () => ReturnType<typeof call>, string]>([
    ["self", () => getSelf(), self],
    ["self, of an admin", () => getSelf(admin), admin],
    ["another person, by a non-admin", () => getUser(other), self],
    ["no address, by a non-admin", () => getUser("anything"), self],
    ["another person, by an admin", () => getUser(other, admin), other],
    ["another person in capitals, by an admin", () => getUser(" B@Unit.EXAMPLE ", admin), other],
    ["themselves as self, by an admin", () => getUser("self", admin), admin],
    ["an address with a plus, by an admin", () => getUser(self, admin), self],
  ])("%s is one strongly consistent read", async (_, read, email) => {
    const Item = { ...keyOf(email), GSI1PK: "USERS#0", GSI1SK: email, email, favEvents: ["e;1"] };
    table.on(get).resolves({ Item } as never);
    const { status, body } = await read();
    expect([status, body]).toEqual([200, { id: email, email, favEvents: ["e;1"], "favedEventsID;year": ["e;1"] }]);
    expect(sent.gets()).toEqual([strongRead(email)]);
    expect(table.calls()).toHaveLength(1);
  });

  test("answers 404 when there is no record", async () => {
    expect(await getSelf()).toMatchObject({ status: 404, body: { code: "NOT_FOUND", requestId } });
    expect(await getUser(other, admin)).toMatchObject({ status: 404, body: { code: "NOT_FOUND", requestId } });
  });

  test.each(["nobody", "two@at@unit.example", "@", "SELF"])("by the path %s is a 400 for an admin", async (email) => {
    expect(await getUser(email, admin)).toMatchObject({ status: 400, body: { issues: [{ path: "/email" }] } });
    expectUntouched();
  });

  test("while the table is throttled answers 503 `CONTENDED`", async () => {
    table.on(get).rejects(throttled);
    expect(await getSelf()).toEqual(contended);
  });

  test("while reading fails answers 500 without details", async () => {
    table.on(get).rejects(broken);
    expect(await getSelf()).toEqual(internal);
  });
});
