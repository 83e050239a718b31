/** POST /users, GET /users/self and GET /users/{email}: whose record it is, and what it says. `route-outcomes` has the failures. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { admin, caller, get, putsOf, sent, table, transactWrite } from "./mocked-table.ts";

const { handler } = await import("#api/users/index.ts");
const call = caller(handler);
const self = "ada+club@unit.example";
const create = (body: object = {}, as = self) => call("POST /users", { as, body });

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
