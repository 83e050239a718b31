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

  test("twice for the same person is a duplicate, also for an admin, and the first record stays", async () => {
    const email = newEmail();
    await create({ fname: "First" }, email);
    for (const as of [email, exec]) {
      expect(await create({ email, fname: "Second" }, as)).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
    }
    expect((await self(email)).body.fname).toBe("First");
    expect(await stage.storedItemsWith(email)).toHaveLength(2);
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
});
