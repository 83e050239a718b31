/** POST /users, GET /users/self and GET /users/{email}: whose record it is, and what it says. `route-outcomes` has the failures. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { admin, caller, get, putsOf, query, sent, table, transactWrite } from "./mocked-table.ts";

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

const keyOf = (email: string, SK = "USER") => ({ PK: `USER#${email}`, SK });
const storedUser = () => putsOf(sent.transactions()[0])[0]?.Item;

describe("creating a user makes", () => {
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
});

describe("reading a user", () => {
  const other = "b@unit.example";
  test.each<[string, () => ReturnType<typeof call>, string]>([
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
    expect(sent.gets()).toEqual([{ TableName: "Unit", Key: keyOf(email), ConsistentRead: true }]);
    expect(table.calls()).toHaveLength(1);
  });

  test.each([self, admin])("self is a strongly consistent read, and one of payments and refunds: %s", async (email) => {
    const refund = { refundId: "re_1", amount: 500, currency: "CAD", state: "pending", updatedAt: 1 };
    const Items = [
      {
        PK: "a",
        SK: "REFUND#b",
        ttl: 1,
        ...refund,
        purpose: { kind: "event", event: { id: "e", year: 2030 }, queueKey: "1#A" },
      },
      { PK: "a", SK: "REFUND#c", ttl: 1, ...refund, purpose: { kind: "membership" } },
    ];
    table.on(get).resolves({ Item: { ...keyOf(email), email, favEvents: [] } } as never);
    const paid = { paymentId: "cs_1", amount: 500, currency: "CAD", paidAt: 1 };
    const payment = { PK: "a", SK: "RECEIPT#d", ttl: 1, ...paid, purpose: { kind: "membership" } };
    table.on(query).resolves({ Items: [payment, ...Items] } as never);
    const { status, body } = await getSelf(email);
    expect(body.payments).toEqual([{ ...paid, purpose: "membership" }]);
    expect([status, body.refunds]).toEqual([
      200,
      [
        { ...refund, purpose: "event", eventID: "e", year: 2030 },
        { ...refund, purpose: "membership" },
      ],
    ]);
    expect(sent.gets()).toEqual([{ TableName: "Unit", Key: keyOf(email), ConsistentRead: true }]);
    expect(table.calls()).toHaveLength(2);
  });

  test.each(["nobody", "two@at@unit.example", "@", "SELF"])("by the path %s is a 400 for an admin", async (email) => {
    expect(await getUser(email, admin)).toMatchObject({ status: 400, body: { issues: [{ path: "/email" }] } });
    expect(table.calls()).toHaveLength(0);
  });
});
