/** A user's email: spellings, the `admin` and `isMember` flags (`docs/contract.md`, "Conventions" and "Users"). */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

const create = (body: unknown, as: string) => stage.api("POST", "/users", { as, body });
const self = (as: string) => stage.api("GET", "/users/self", { as });
const read = (path: string, as = exec) => stage.api("GET", `/users/${path}`, { as });

describe("the flags of a user", () => {
  test.each<[string, boolean]>([
    ["club.example", true],
    ["CLUB.Example", true],
    ["club.example.evil.test", false],
  ])("say for an address at %s: admin %s, whatever the body says", async (domain, admin) => {
    const [own, others] = [newEmail(domain), newEmail(domain)];
    expect((await create({ admin: !admin }, own)).body.user.admin).toBe(admin);
    expect((await create({ admin: !admin, email: others }, exec)).body.user.admin).toBe(admin);
    // Access follows from the token, never from the record.
    expect((await create({ email: newEmail() }, own)).status).toBe(admin ? 201 : 403);
  });

  test("say admin for an unverified address of the club, but the caller has no admin rights", async () => {
    const [email, other] = [newEmail("club.example"), newEmail()];
    const token = await stage.identity.idToken(email, { email_verified: false });
    const create = (body: object) => stage.api("POST", "/users", { token, body });
    expect(await create({})).toMatchObject({ status: 201, body: { user: { admin: true, isMember: false } } });
    expect((await create({ email: other })).status).toBe(403);
    expect(await stage.storedItemsWith(other)).toEqual([]);
  });

  test("say member only if an admin said so or a member record exists", async () => {
    const [claimed, granted, recorded] = [newEmail(), newEmail(), newEmail()];
    expect((await create({ isMember: true }, claimed)).body.user.isMember).toBe(false);
    expect((await create({ isMember: true, email: granted }, exec)).body.user.isMember).toBe(true);
    const Item = { PK: `USER#${recorded}`, SK: "MEMBER", email: recorded };
    await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
    expect((await create({}, recorded)).body.user.isMember).toBe(true);
    expect([(await self(granted)).body.isMember, (await self(recorded)).body.isMember]).toEqual([true, true]);
  });
});

describe("an email", () => {
  test("keeps its + in a path, escaped or not, and in a query, where it may arrive as a space", async () => {
    const email = `plus+${newEmail()}`;
    await create({ email }, exec);
    await stage.registerByAdmin(await stage.givenEvent(), email);
    for (const typed of [email, email.replace("+", "%2B"), email.toUpperCase()]) {
      expect((await read(typed)).body.id).toBe(email);
      const list = await stage.api("GET", `/registrations?email=${typed}`, { as: exec });
      expect(list).toMatchObject({ status: 200, body: { size: 1, data: [{ email }] } });
    }
    const blank = await stage.api("GET", `/registrations?email=${email.replace("+", "%20")}`, { as: exec });
    expect(blank.body.size).toBe(1);
    expect((await read(email.replace("+", "%20"))).status).toBe(400);
  });
});
