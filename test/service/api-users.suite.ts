/** Creating and reading users (`docs/contract.md`, "Users" and "Access"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const create = (body: unknown, as: string) => stage.api("POST", "/users", { as, body });
const self = (as: string) => stage.api("GET", "/users/self", { as });
const read = (path: string, as = exec) => stage.api("GET", `/users/${path}`, { as });

const details = {
  fname: "Ada",
  lname: "Lovelace",
  faculty: "Science",
  major: "Mathematics",
  year: "4",
  studentId: "12345678",
  diet: "none",
  gender: "f",
  education: "undergrad",
  university: "U",
};

describe("creating a user", () => {
  test("for the caller answers 201 with every field as it is stored", async () => {
    const email = newEmail();
    expect(await self(email)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    const before = Date.now();
    const { status, body } = await create({ email, ...details }, email);
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(["message", "user"]);
    expect(body.user).toEqual({
      id: email,
      email,
      ...details,
      admin: false,
      isMember: false,
      favEvents: [],
      "favedEventsID;year": [],
      createdAt: expect.any(Number),
      updatedAt: body.user.createdAt,
    });
    expect(body.user.createdAt).toBeGreaterThanOrEqual(before);
    expect((await self(email)).body).toEqual(body.user);
    expect((await read(email)).body).toEqual(body.user);
  });

  test.each([
    ["no body", () => undefined],
    ["no fields", () => ({})],
    ["their email as id", (email: string) => ({ id: email })],
  ])("for the caller needs only the token: %s", async (_, bodyFor) => {
    const email = newEmail();
    expect(await create(bodyFor(email), email)).toMatchObject({ status: 201, body: { user: { id: email } } });
  });

  test.each(["email", "id"])("for another person, named by %s, is for admins", async (name) => {
    const [email, other] = [newEmail(), newEmail()];
    expect(await create({ [name]: other }, email)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await stage.storedItemsWith(other)).toEqual([]);
    expect(await create({ [name]: other }, exec)).toMatchObject({ status: 201, body: { user: { id: other } } });
    expect((await self(other)).status).toBe(200);
    expect((await self(email)).status).toBe(404);
  });

  test("twice for the same person is a duplicate, also for an admin, and the first record stays", async () => {
    const email = newEmail();
    await create({ fname: "First" }, email);
    for (const as of [email, exec]) {
      expect(await create({ email, fname: "Second" }, as)).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
    }
    expect((await self(email)).body.fname).toBe("First");
    expect(await stage.storedItemsWith(email)).toHaveLength(2);
  });

  test("twenty times at once makes one user and one message", async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ fname: `Number ${n}` }, email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    expect((await self(email)).body).toEqual(answers.find(({ status }) => status === 201)?.body.user);
    const types = (await stage.storedItemsWith(email)).map(({ SK, detailType }) => detailType ?? SK);
    expect(types.sort()).toEqual(["USER", "user.created"]);
  });

  test("stores no unknown fields, and no flags that the caller may not set", async () => {
    const email = newEmail();
    const smuggled = { PK: "USER#x", SK: "MEMBER", GSI1PK: "EVENTS#0", favEvents: ["surprise;1"], createdAt: 1 };
    await create({ ...smuggled, surprise: { deep: true }, admin: true, isMember: true, version: 9 }, email);
    const [record, ...others] = await stage.stored(`USER#${email}`);
    expect(others).toEqual([]);
    const fields = ["admin", "createdAt", "email", "favEvents", "isMember", "updatedAt"];
    expect(Object.keys(record ?? {}).sort()).toEqual(["GSI1PK", "GSI1SK", "PK", "SK", ...fields]);
    expect(record).toMatchObject({ SK: "USER", GSI1PK: "USERS#0", favEvents: [], admin: false, isMember: false });
    expect(record?.createdAt).toBeGreaterThan(1);
  });

  test.each([
    ["a prototype", '{"__proto__":{"admin":true}}', "/"],
    ["a prototype inside", '{"fname":"A","more":{"__proto__":{}}}', "/"],
    ["a constructor", '{"constructor":{"prototype":{"admin":true}}}', "/"],
    ["half a body", '{"fname":', "/"],
    ["a blank name", '{"fname":" "}', "/fname"],
    ["a number for a name", '{"fname":7}', "/fname"],
    ["null", '{"fname":null}', "/fname"],
    ["two lines", '{"lname":"two\\nlines"}', "/lname"],
    ["a control character", '{"diet":"bell\\u0007"}', "/diet"],
    ["201 characters", `{"faculty":"${"x".repeat(201)}"}`, "/faculty"],
    ["a truth in words", '{"isMember":"true"}', "/isMember"],
    ["two @", '{"email":"two@at@student.example"}', "/email"],
    ["an empty id", '{"id":""}', "/id"],
  ])("with %s is refused and stores nothing", async (_, body, path) => {
    const email = newEmail();
    const answer = await create(body, email);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION", requestId: expect.any(String) } });
    expect(answer.body.issues).toEqual([{ path, message: expect.any(String) }]);
    expect(await stage.storedItemsWith(email)).toEqual([]);
  });
});

describe("reading a user", () => {
  test("answers a non-admin their own record, and an admin the record of the path", async () => {
    const [email, other] = [newEmail(), newEmail()];
    await create({ fname: "Own" }, email);
    await create({ fname: "Other" }, other);
    for (const path of [email, other, exec, newEmail(), "not-an-address", "self"]) {
      expect(await read(path, email)).toMatchObject({ status: 200, body: { id: email, fname: "Own" } });
    }
    expect((await read(other)).body).toMatchObject({ id: other, fname: "Other" });
    expect(await read(newEmail())).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });

  test("is a 404 for a person without a record, whatever the path names", async () => {
    const [email, other] = [newEmail(), newEmail()];
    await create({}, other);
    for (const path of ["self", other]) expect((await read(path, email)).status).toBe(404);
    expect(await stage.storedItemsWith(email)).toEqual([]);
  });
});
