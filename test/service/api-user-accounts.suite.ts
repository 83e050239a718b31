/** User records: questions, lists, changes and favourites (`docs/contract.md`, "Users"). */
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
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
    const paged: unknown[] = [];
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null) {
      const query: string = cursor && `&cursor=${cursor}`;
      const page = await stage.api("GET", `/users?limit=2${query}`, { as: exec });
      expect(page.body.length).toBeLessThanOrEqual(2);
      paged.push(...page.body);
      pages += 1;
      cursor = page.headers.get("x-next-cursor");
    }
    expect(paged).toEqual(all);
    expect(pages).toBe(Math.ceil(all.length / 2));
    for (const query of ["cursor=%%", "cursor=!", "limit=0", "limit=x"]) {
      expect((await stage.api("GET", `/users?${query}`, { as: exec })).status).toBe(400);
    }
    expect((await stage.api("GET", "/users?limit=100000", { as: exec })).body).toEqual(all);
    expect(await stage.api("GET", "/users", { as: "anybody@student.example" })).toMatchObject(refused("Unauthorized"));
  });
});

describe("searching users", () => {
  const search = async (q: string, more = "") =>
    (await stage.list(`/users?q=${encodeURIComponent(q)}${more}`)).body.map(({ email }: { email: string }) => email);

  test("finds the beginning of names and emails, in any case and without accents, in pages", async () => {
    stage.usedByOthers("a search in all users");
    const people = [
      { email: "zz1+club@search.example", fname: "Ángela", lname: "Quill" },
      { email: "zz2@search.example", fname: "Bo", lname: "Quillon-Ång" },
      { email: "zz3@search.example", fname: "Quilla" },
    ];
    for (const body of people) await stage.api("POST", "/users", { as: exec, body });
    const [one, two, three] = people.map(({ email }) => email);
    expect(await search("quill")).toEqual([one, two, three]);
    expect(await search("ANGELA q")).toEqual([one]);
    expect(await search("bo quillon-ang")).toEqual([two]);
    expect(await search("zz")).toEqual([one, two, three]);
    expect(await search("zz1+club@search")).toEqual([one]);
    expect(await search("zz1 club@search")).toEqual([one]);
    expect(await search("uill")).toEqual([]);
    const first = await stage.api("GET", "/users?q=quill&limit=2", { as: exec });
    const cursor = first.headers.get("x-next-cursor");
    expect(first.body.map(({ email }: { email: string }) => email)).toEqual([one, two]);
    expect(await search("quill", `&limit=2&cursor=${cursor}`)).toEqual([three]);
    const other = await stage.api("GET", `/users?q=other&cursor=${cursor}`, { as: exec });
    expect(other).toMatchObject({ status: 400, body: { issues: [{ path: "/cursor" }] } });
    expect((await stage.api("GET", "/users?q=", { as: exec })).status).toBe(400);
    expect(await stage.api("GET", "/users?q=zz", { as: "zz2@search.example" })).toMatchObject(refused("Unauthorized"));
  });

  test("takes the longest text and any character, and the table refuses none", async () => {
    for (const letter of ["x", "\uFDFA", "\u{1F600}", "~", "%", "\u0301"]) {
      for (const at of ["", "@"]) {
        const text = letter.repeat(Math.floor(253 / letter.length)) + at;
        expect(await search(text)).toEqual([]);
      }
    }
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

  test.each(["id", "email", "admin"])(
    "%s in the body is a 400 that names it, also with the present value",
    async (name) => {
      const email = await stage.givenUser({ fname: "Ada" });
      const before = await stage.storedUser(email);
      for (const value of [before?.[name] ?? email, null, true, "x", {}, [1]]) {
        const answer = await patch(email, { fname: "X", [name]: value });
        expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION", issues: [{ path: `/${name}` }] } });
        expect(answer.body.message).toContain(name);
        expect((await patch(email, { fname: "X", [name]: value }, exec)).status).toBe(400);
      }
      expect(await stage.storedUser(email)).toEqual(before);
    },
  );

  test("isMember is for admins; a malformed value is a 400; an unknown person is a 404", async () => {
    const email = await stage.givenUser({ fname: "Ada" });
    const before = await stage.storedUser(email);
    for (const isMember of [true, false])
      expect(await patch(email, { isMember })).toMatchObject(refused("Only an admin can change isMember."));
    for (const body of [
      { fname: "" },
      { fname: 1 },
      { lname: "a\nb" },
      { diet: "x".repeat(201) },
      { isMember: null },
    ]) {
      expect(await patch(email, body)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    }
    expect(await stage.storedUser(email)).toEqual(before);
    expect(await patch("nobody@student.example", { fname: "A" })).toMatchObject(notFound);
    expect(await patch("nobody@student.example", { fname: "A" }, exec)).toMatchObject(notFound);
    expect(await stage.stored("USER#nobody@student.example")).toEqual([]);
    expect((await patch(email, {})).status).toBe(400);
    expect(await stage.storedUser(email)).toEqual(before);
  });

  const details = ["fname", "lname", "faculty", "major", "year", "studentId", "diet", "gender", "education"];
  /** Many requests change one field each at once. @returns how many of the changes are stored */
  async function changesKept(change: (email: string, name: string) => Promise<unknown>): Promise<number> {
    const email = await stage.givenUser();
    await Promise.all(details.map((name) => change(email, name)));
    const record = await read(email);
    return details.filter((name) => record[name] === name).length;
  }

  test("many requests at once with one field each: all fields are kept", async () => {
    expect(await changesKept((email, name) => patch(email, { [name]: name }))).toBe(details.length);
  });

  test("the same with a plain read and write of the whole record would lose changes", async () => {
    const TableName = stage.outputs.tableName;
    const kept = await changesKept(async (email, name) => {
      const { Item } = await stage.table.send(
        new GetCommand({ TableName, Key: { PK: `USER#${email}`, SK: "USER" }, ConsistentRead: true }),
      );
      await stage.table.send(new PutCommand({ TableName, Item: { ...Item, [name]: name } }));
    });
    expect(kept).toBeLessThan(details.length);
  });

  test("no body changes more than the person's details", async () => {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    await favour(email, id);
    const mine = [
      "fname",
      "lname",
      "faculty",
      "major",
      "year",
      "studentId",
      "diet",
      "gender",
      "education",
      "university",
    ];
    const others = [
      "isMember",
      "favEvents",
      "favedEventsID;year",
      "points",
      "PK",
      "SK",
      "GSI1PK",
      "GSI1SK",
      "createdAt",
    ];
    const text = fc.oneof(fc.constantFrom("Ada", "x", null), fc.jsonValue());
    const body = fc.oneof(
      // Most of these fields are valid.
      fc.dictionary(fc.constantFrom(...mine, "favEvents", "createdAt", "generation", "#field0", ":now"), text, {
        maxKeys: 4,
      }),
      fc.dictionary(fc.constantFrom(...mine, ...others, "id", "email", "admin", "version", "ttl"), text),
      fc.dictionary(fc.string(), text),
      fc.jsonValue(),
    );
    const guarded = async () => {
      const [record, ...more] = await stage.stored(`USER#${email}`);
      const rest = Object.entries(record ?? {}).filter(([name]) => !mine.includes(name) && name !== "updatedAt");
      return [Object.fromEntries(rest), ...more];
    };
    const before = await guarded();
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(body, async (any) => {
        const { status } = await patch(email, JSON.stringify(any));
        expect([200, 400, 403]).toContain(status);
        taken += status === 200 ? 1 : 0;
        expect(await guarded()).toEqual(before);
      }),
      { numRuns: 80 },
    );
    expect(taken).toBeGreaterThan(5);
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

  test("take a hidden event from admins only; for others it is a 404", async () => {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent({ isPublished: false })];
    expect(await favour(email, id)).toMatchObject(notFound);
    expect((await favour(email, id, true, exec)).status).toBe(200);
    expect((await favour(email, id)).body.favEvents).toEqual([]);
  });

  test("lose a deleted event when the person removes it, and do not take it again", async () => {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    await favour(email, id);
    await stage.deleteEvent(id);
    expect(await favour(email, id, true)).toMatchObject(notFound);
    expect((await favour(email, id)).body.favEvents).toEqual([]);
    expect(await favour(email, id)).toMatchObject(notFound);
  });

  test("of different events are all kept when they are added at once, and all removed at once", async () => {
    const email = await stage.givenUser();
    const ids = await Promise.all(Array.from({ length: 12 }, () => stage.givenEvent()));
    const all = await Promise.all(ids.map((id) => favour(email, id)));
    expect(all.map(({ status }) => status)).toEqual(ids.map(() => 200));
    expect((await read(email)).favEvents.sort()).toEqual(ids.map((id) => `${id};${year}`).sort());
    await Promise.all(ids.slice(1).map((id) => favour(email, id, false)));
    expect((await read(email)).favEvents).toEqual([`${ids[0]};${year}`]);
  });

  test("of the same event that are toggled at once all count, and it is there once or not at all", async () => {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    for (const [times, left] of [
      [7, 1],
      [6, 1],
      [5, 0],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: times }, () => favour(email, id)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect((await read(email)).favEvents).toHaveLength(left);
    }
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
