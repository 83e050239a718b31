/** POST /users, GET /users/self and GET /users/{email}: what they ask of the table, and what they make of the answers. */
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

describe("creating sends", () => {
  test("one strongly consistent look for a membership, then one transaction", async () => {
    expect((await create()).status).toBe(201);
    expect(sent.gets()).toEqual([strongRead(self, "MEMBER")]);
    expect(sent.transactions()).toHaveLength(1);
    expect(table.calls()).toHaveLength(2);
  });

  test("the person, unless there is one already", async () => {
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
      Item: { ...keyOf(self), GSI1PK: "USERS#0", GSI1SK: self, ...user, createdBy: requestId },
      ConditionExpression: "attribute_not_exists(PK)",
    });
    expect(body.user).toEqual({ id: self, ...user, "favedEventsID;year": [] });
  });

  test("the message, with who did it and by which request", async () => {
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
    ["nobody's word", self, {}, false, false],
    ["their own word", self, { isMember: true }, false, false],
    ["their membership", self, {}, true, true],
    ["their membership, whatever they say", self, { isMember: false }, true, true],
    ["an admin's word", admin, { email: self, isMember: true }, false, true],
    ["no admin's word", admin, { email: self }, false, false],
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
  ])("an admin flag by the domain of whom it is about, not of who asks: %s", async (email, isAdmin) => {
    expect((await create({ email, admin: !isAdmin }, admin)).body.user.admin).toBe(isAdmin);
    expect(storedUser()).toMatchObject({ admin: isAdmin, email: email.trim().toLowerCase() });
  });

  test.each([
    ["email", { email: "b@unit.example" }],
    ["id", { id: "b@unit.example" }],
  ])("nothing for somebody else, named by %s", async (_, body) => {
    expect(await create(body)).toMatchObject({ status: 403, body: { code: "FORBIDDEN", message: "Unauthorized" } });
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

describe("creating demands of the membership", () => {
  const memberCheck = () => sent.transactions()[0]?.TransactItems?.[2]?.ConditionCheck;
  test.each([
    [true, "attribute_exists(PK)"],
    [false, "attribute_not_exists(PK)"],
  ])("what was read: %s", async (hasMembership, ConditionExpression) => {
    table.on(get, { Key: keyOf(self, "MEMBER") } as never).resolves({ Item: hasMembership ? {} : undefined } as never);
    await create();
    expect(memberCheck()).toEqual({ TableName: "Unit", Key: keyOf(self, "MEMBER"), ConditionExpression });
  });

  test("nothing where an admin has decided, and it is not read either", async () => {
    await create({ email: self, isMember: true }, admin);
    expect(sent.gets()).toEqual([]);
    expect(sent.transactions()[0]?.TransactItems).toHaveLength(2);
  });

  test("that it is read again when it has changed since", async () => {
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

describe("creating answers", () => {
  test("a duplicate when there is one already, without trying again", async () => {
    table.on(transactWrite).rejects(cancelled("ConditionalCheckFailed", "None"));
    expect(await create()).toMatchObject({ status: 409, body: { code: "DUPLICATE", requestId } });
    expect(sent.transactions()).toHaveLength(1);
  });

  test("a duplicate when there is one already, whoever made it, also after a call without an answer", async () => {
    table
      .on(transactWrite)
      .rejectsOnce(unanswered)
      .rejectsOnce(refusedBy({ email: self, favEvents: [], createdBy: requestId }));
    expect((await create()).status).toBe(409);
  });

  test("that it is done after a call without an answer, which is sent again under the same token", async () => {
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
  ])("what the second try says after %s", async (_, error) => {
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
  ])("that one may try again later when %s is throttled for long", async (_, command) => {
    withoutPatience();
    table.on(command).rejects(throttled);
    expect(await create()).toEqual(contended);
  });

  test.each([
    ["reading fails unexpectedly", get, broken],
    ["writing fails unexpectedly", transactWrite, broken],
    ["a transaction is cancelled for another reason", transactWrite, cancelled("ValidationError", "None")],
  ])("nothing of the inside when %s", async (_, command, error) => {
    withoutPatience();
    table.on(command).rejects(error);
    const answer = await create();
    expect(answer).toEqual(internal);
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  test("that nobody knows when a write stays without an answer for long", async () => {
    withoutPatience();
    table.on(transactWrite).rejects(unanswered);
    expect(await create()).toEqual(outcomeUnknown);
  });

  test("after a membership that could not be read: nobody is stored as no member", async () => {
    table.on(get).rejects(broken);
    await create();
    expect(sent.transactions()).toEqual([]);
  });
});

describe("reading", () => {
  const other = "b@unit.example";
  test.each<[string, () => ReturnType<typeof call>, string]>([
    ["self", () => getSelf(), self],
    ["self, of an admin", () => getSelf(admin), admin],
    ["somebody else, by somebody", () => getUser(other), self],
    ["no address, by somebody", () => getUser("anything"), self],
    ["somebody else, by an admin", () => getUser(other, admin), other],
    ["somebody else in capitals, by an admin", () => getUser(" B@Unit.EXAMPLE ", admin), other],
    ["themselves as self, by an admin", () => getUser("self", admin), admin],
    ["an address with a plus, by an admin", () => getUser(self, admin), self],
  ])("%s: one strongly consistent read", async (_, read, email) => {
    const Item = { ...keyOf(email), GSI1PK: "USERS#0", GSI1SK: email, email, favEvents: ["e;1"] };
    table.on(get).resolves({ Item } as never);
    const { status, body } = await read();
    expect([status, body]).toEqual([200, { id: email, email, favEvents: ["e;1"], "favedEventsID;year": ["e;1"] }]);
    expect(sent.gets()).toEqual([strongRead(email)]);
    expect(table.calls()).toHaveLength(1);
  });

  test("nobody there: not found", async () => {
    expect(await getSelf()).toMatchObject({ status: 404, body: { code: "NOT_FOUND", requestId } });
    expect(await getUser(other, admin)).toMatchObject({ status: 404, body: { code: "NOT_FOUND", requestId } });
  });

  test.each(["nobody", "two@at@unit.example", "@", "SELF"])("%s is nobody whom an admin could mean", async (email) => {
    expect(await getUser(email, admin)).toMatchObject({ status: 400, body: { issues: [{ path: "/email" }] } });
    expectUntouched();
  });

  test("throttled: try again later", async () => {
    table.on(get).rejects(throttled);
    expect(await getSelf()).toEqual(contended);
  });

  test("failing: nothing of the inside", async () => {
    table.on(get).rejects(broken);
    expect(await getSelf()).toEqual(internal);
  });
});
