/** User records: questions, lists, changes and favourites (`docs/contract.md`, "Users"). */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

const patch = (email: string, body: unknown, as = email) => stage.api("PATCH", `/users/${email}`, { as, body });
const read = async (email: string) => (await stage.api("GET", "/users/self", { as: email })).body;
const favour = (email: string, eventID: string, isFavourite?: boolean, as = email) =>
  stage.api("PATCH", `/users/favEvent/${email}`, { as, body: { eventID, year, isFavourite } });
const refused = (message: string) => ({ status: 403, body: { message, code: "FORBIDDEN" } });
const notFound = { status: 404, body: { code: "NOT_FOUND" } };

describe("reading users", () => {
  test("check and isMember answer a bare true or false to any caller", async () => {
    const [plain, member] = [await stage.givenUser(), await stage.givenUser({ isMember: true })];
    const ask = async (path: string) => {
      const { status, body } = await stage.api("GET", `/users/${path}`, { as: "anybody@student.example" });
      return status === 200 ? body : status;
    };
    for (const [email, exists, isMember] of [
      [plain, true, false],
      [member, true, true],
      [member.toUpperCase(), true, true],
      ["unknown@student.example", false, false],
    ] as const) {
      expect([await ask(`check/${email}`), await ask(`isMember/${email}`)]).toEqual([exists, isMember]);
      expect(await ask(`checkMembership/${email}`)).toBe(isMember);
    }
    for (const path of ["check/nobody", "isMember/a@b@c.example"]) expect(await ask(path)).toBe(400);
  });

  test("the list has all users by email, whole or in pages, each as GET answers it", async () => {
    stage.usedByOthers("the list of all users");
    for (let n = 0; n < 5; n += 1) await stage.givenUser();
    const { status, body: all, headers } = await stage.list("/users");
    expect([status, headers.get("x-next-cursor")]).toEqual([200, null]);
    const emails = all.map(({ email }: { email: string }) => email);
    expect(emails.length).toBeGreaterThanOrEqual(5);
    expect(emails).toEqual([...emails].sort());
    expect(all[1]).toEqual((await stage.api("GET", `/users/${emails[1]}`, { as: exec })).body);
    expect((await stage.api("GET", "/users?limit=100000", { as: exec })).body).toEqual(all);
    expect(await stage.api("GET", "/users", { as: "anybody@student.example" })).toMatchObject(refused("Unauthorized"));
  });
});

describe("changing a user", () => {
  test("a non-admin changes their own record, whatever the path says; null removes a field", async () => {
    const [email, other] = [
      await stage.givenUser({ fname: "Ada", diet: "none", year: "1" }),
      await stage.givenUser({ fname: "B" }),
    ];
    const before = await read(email);
    for (const path of [email, other, "self", "nonsense"]) {
      const answer = await patch(path, { fname: " Grace ", diet: null, year: path, surprise: 1, PK: "x" }, email);
      expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String), user: { id: email } } });
      const { diet: _, ...kept } = before;
      expect(answer.body.user).toEqual({ ...kept, fname: "Grace", year: path, updatedAt: expect.any(Number) });
      expect(await read(email)).toEqual(answer.body.user);
    }
    expect((await read(other)).fname).toBe("B");
    expect(Object.keys((await stage.storedUser(email)) ?? {})).not.toContain("surprise");
    // The list is read from an index, which must show the change too.
    const { body } = await stage.list("/users");
    expect(body).toContainEqual(await read(email));
  });

  test("an admin changes the record that the path names; `self` is the admin's own", async () => {
    const email = await stage.givenUser();
    expect((await patch(email, { isMember: true, lname: "L" }, exec)).body.user).toMatchObject({
      id: email,
      isMember: true,
      lname: "L",
    });
    await stage.api("POST", "/users", { as: exec, body: {} });
    expect((await patch("self", { lname: "Exec" }, exec)).body.user).toMatchObject({ id: exec, lname: "Exec" });
    expect(await patch("nonsense", { lname: "X" }, exec)).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/email" }] },
    });
  });

  test("isMember is for admins; a malformed value is a 400; an unknown person is a 404", async () => {
    const email = await stage.givenUser({ fname: "Ada" });
    const before = await stage.storedUser(email);
    for (const isMember of [true, false])
      expect(await patch(email, { isMember })).toMatchObject(refused("Only an admin can change isMember."));
    expect(await patch(email, { fname: 1 })).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expect(await stage.storedUser(email)).toEqual(before);
    expect(await patch("nobody@student.example", { fname: "A" })).toMatchObject(notFound);
    expect(await patch("nobody@student.example", { fname: "A" }, exec)).toMatchObject(notFound);
    expect(await stage.stored("USER#nobody@student.example")).toEqual([]);
    expect((await patch(email, {})).status).toBe(400);
    expect(await stage.storedUser(email)).toEqual(before);
  });
});

describe("favourites", () => {
  test("toggle without isFavourite, else become its value; the user shows them under both names", async () => {
    const [email, a, b] = [await stage.givenUser(), await stage.givenEvent(), await stage.givenEvent()];
    expect(await favour(email, a)).toMatchObject({ status: 200, body: { favEvents: [`${a};${year}`] } });
    expect((await favour(email, b, true)).body.favEvents).toEqual([`${a};${year}`, `${b};${year}`]);
    expect((await favour(email, b, true)).body.favEvents).toHaveLength(2);
    expect(await read(email)).toMatchObject({
      favEvents: [`${a};${year}`, `${b};${year}`],
      "favedEventsID;year": [`${a};${year}`, `${b};${year}`],
    });
    expect((await favour(email, a)).body.favEvents).toEqual([`${b};${year}`]);
    expect((await favour(email, a, false)).body.favEvents).toEqual([`${b};${year}`]);
    expect((await favour("self", b, undefined, email)).body.favEvents).toEqual([]);
  });

  test("are set by the person or an admin; an unknown person or event is a 404", async () => {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    expect(await favour(email, id, true, await stage.givenUser())).toMatchObject(
      refused("You can change only your own favourites."),
    );
    expect((await favour(email, id, true, exec)).body.favEvents).toEqual([`${id};${year}`]);
    expect(await favour("nobody@student.example", id)).toMatchObject(notFound);
    expect((await favour("nonsense", id, true, email)).status).toBe(400);
    for (const isFavourite of [undefined, true, false]) {
      expect(await favour(email, "nowhere", isFavourite)).toMatchObject(notFound);
    }
    expect((await read(email)).favEvents).toEqual([`${id};${year}`]);
  });

  test("lose a deleted event when the person removes it, and do not take it again", async () => {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    await favour(email, id);
    await stage.deleteEvent(id);
    expect(await favour(email, id, true)).toMatchObject(notFound);
    expect((await favour(email, id)).body.favEvents).toEqual([]);
    expect(await favour(email, id)).toMatchObject(notFound);
  });

  test("are at most 500, also with requests at once", async () => {
    const email = await stage.givenUser();
    const favEvents = Array.from({ length: 497 }, (_, n) => `old-${n};2020`);
    await stage.table.send(
      new UpdateCommand({
        TableName: stage.outputs.tableName,
        Key: { PK: `USER#${email}`, SK: "USER" },
        UpdateExpression: "SET favEvents = :many",
        ExpressionAttributeValues: { ":many": favEvents },
      }),
    );
    const ids = await Promise.all(Array.from({ length: 6 }, () => stage.givenEvent()));
    const answers = await Promise.all(ids.map((id) => favour(email, id, true)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(3);
    for (const { status, body } of refused) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: "VALIDATION", message: expect.stringContaining("500") });
    }
    expect((await read(email)).favEvents).toHaveLength(500);
    expect((await favour(email, "old-0")).status).toBe(404);
    const old = { eventID: "old-0", year: 2020 };
    const { body } = await stage.api("PATCH", "/users/favEvent/self", { as: email, body: old });
    expect(body.favEvents).toHaveLength(499);
  });
});

test("a person with an account creates a profile, which a membership keeps and completes", async () => {
  const email = "before@profile.example";
  const profile = (body: object) => stage.api("POST", "/profiles", { as: email, body });
  expect(await profile({})).toMatchObject({ status: 404, body: { message: "User not found." } });
  await stage.api("POST", "/users", { as: email, body: { fname: "Ada", gender: "She/Her" } });
  const { status, body } = await profile({ hobby1: "Engines" });
  expect({ status, ...body.profile }).toMatchObject({
    status: 201,
    fname: "Ada",
    pronouns: "She/Her",
    hobby1: "Engines",
  });
  const { profileID } = body.profile;
  expect(await profile({})).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
  await stage.api("POST", "/members/grant", {
    as: exec,
    body: { email, firstName: "Ada", lastName: "Lovelace", major: "Mathematics" },
  });
  const own = await stage.api("GET", "/profiles/user/", { as: email });
  expect(own.body).toMatchObject({ profileID, lname: "Lovelace", major: "Mathematics", hobby1: "Engines" });
});
