/** Members and profiles over HTTP (`docs/contract.md`, "Members" and "Profiles"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail } from "./given.ts";
import { tally } from "./rush.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const asAdmin = (method: string, path: string, body?: unknown) => stage.api(method, path, { as: exec, body });
const grant = (email: string, more: object = {}) =>
  asAdmin("POST", "/members/grant", { email, firstName: "Ada", lastName: "Lovelace", ...more });
const userOf = async (email: string) => (await asAdmin("GET", `/users/${email}`)).body;
const memberOf = async (email: string) => (await asAdmin("GET", `/members/${email}`)).body;

/** @returns the number of messages about this person, by type */
async function messageOf(email: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { detailType, detail } of await stage.outboxRows()) {
    if (detail.data.email !== email) continue;
    counts[detailType] = (counts[detailType] ?? 0) + 1;
  }
  return counts;
}

const full = {
  firstName: "Ada",
  lastName: "Lovelace",
  pronouns: "she/her",
  faculty: "Science",
  major: "Mathematics",
  year: "4",
  education: "undergrad",
  studentNumber: "12345678",
  international: true,
  prevMember: false,
  diet: "none",
  heardFrom: "a friend",
  heardFromSpecify: "Charles",
  university: "U",
  highSchool: "H",
  topics: ["engines", "poetry"],
  discordId: "ada#1",
};
const snakeCase = {
  first_name: "Ada",
  last_name: "Lovelace",
  pronouns: "she/her",
  faculty: "Science",
  major: "Mathematics",
  year: "4",
  education: "undergrad",
  student_number: "12345678",
  international: true,
  prev_member: false,
  diet: "none",
  heard_from: "a friend",
  heard_from_specify: "Charles",
  university: "U",
  high_school: "H",
  topics: "engines,poetry",
  discord_id: "ada#1",
  profile_id: "MineIsBest",
  admin: true,
};
const stamps = { createdAt: expect.any(Number), updatedAt: expect.any(Number) };

describe("creating a member", () => {
  test.each([
    ["camelCase", full],
    ["snake_case", snakeCase],
  ])("with field names in %s answers the record with the names of the contract", async (_, body) => {
    const email = newEmail("members.example");
    const answer = await asAdmin("POST", "/members", { email, ...body });
    const member = { id: email, email, ...full, admin: false, ...stamps };
    expect(answer).toMatchObject({ status: 201, body: { message: "Member created.", member } });
    expect(Object.keys(answer.body.member).sort()).toEqual(Object.keys(member).sort());
    expect(await memberOf(email)).toEqual(answer.body.member);
    expect(await messageOf(email)).toEqual({ "member.granted": 1 });
  });

  test("marks a user who exists, and a user who is created later", async () => {
    const [before, later] = [newEmail("members.example"), newEmail("members.example")];
    await stage.api("POST", "/users", { as: before, body: { fname: "Ada" } });
    await asAdmin("POST", "/members", { email: before });
    expect(await userOf(before)).toMatchObject({ isMember: true, fname: "Ada" });
    await asAdmin("POST", "/members", { email: later });
    await stage.api("POST", "/users", { as: later, body: {} });
    expect(await userOf(later)).toMatchObject({ isMember: true });
  });

  test("20 times at once makes one member and one message", async () => {
    const email = newEmail("members.example");
    await stage.api("POST", "/users", { as: email, body: {} });
    const answers = await Promise.all(Array.from({ length: 20 }, () => asAdmin("POST", "/members", { email })));
    expect(tally(answers.map((answer) => ({ ...answer, body: { code: answer.body.code } })))).toEqual({
      "201": 1,
      "409 DUPLICATE": 19,
    });
    expect(await messageOf(email)).toEqual({ "user.created": 1, "member.granted": 1 });
  });

  test.each([
    ["no email", {}, "/email"],
    ["two emails", { email: "a@members.example", id: "b@members.example" }, "/id"],
    ["a number for a name", { email: "a@members.example", first_name: 7 }, "/first_name"],
    ["a word for yes", { email: "a@members.example", prev_member: "perhaps" }, "/prev_member"],
    ["a card count below 0", { email: "a@members.example", cardCount: -1 }, "/cardCount"],
  ])("refuses %s", async (_, body, path) => {
    expect(await asAdmin("POST", "/members", body)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
    expect((await asAdmin("GET", "/members/a@members.example")).status).toBe(404);
  });
});

describe("changing a member", () => {
  test("sets, keeps and removes fields, and changes the profile's fields with them", async () => {
    const email = newEmail("members.example");
    const { body: granted } = await grant(email, { major: "Logic", year: "4", topics: ["engines"] });
    const changes = {
      first_name: "Augusta",
      major: null,
      discordId: "ada#1",
      cardCount: 3,
      createdAt: 1,
      profileID: "X",
    };
    const { status, body } = await asAdmin("PATCH", `/members/${email}`, changes);
    expect(status).toBe(200);
    const { major: _, ...kept } = granted.member;
    expect(body).toEqual({
      message: "Member updated.",
      member: { ...kept, firstName: "Augusta", discordId: "ada#1", cardCount: 3, updatedAt: expect.any(Number) },
    });
    expect(await memberOf(email)).toEqual(body.member);
    const profile = (await stage.api("GET", "/profiles/user/", { as: email })).body;
    expect(profile).toEqual({ ...granted.profile, fname: "Augusta", major: "", updatedAt: body.member.updatedAt });
  });

  test.each([
    ["id", "other@members.example"],
    ["email", "other@members.example"],
    ["admin", true],
  ])("refuses another %s, and takes a whole record", async (name, other) => {
    const email = newEmail("members.example");
    await grant(email);
    const before = await memberOf(email);
    const answer = await asAdmin("PATCH", `/members/${email}`, { ...before, [name]: other, year: "5" });
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION", issues: [{ path: `/${name}` }] } });
    expect(await memberOf(email)).toEqual(before);
    const whole = await asAdmin("PATCH", `/members/${email}`, { ...before, year: "5" });
    expect(whole).toMatchObject({
      status: 200,
      body: { member: { ...before, year: "5", updatedAt: expect.any(Number) } },
    });
  });

  test("loses no field when many requests change one field each at once", async () => {
    const email = newEmail("members.example");
    await grant(email);
    const fields = [
      "pronouns",
      "faculty",
      "major",
      "year",
      "education",
      "diet",
      "heardFrom",
      "university",
      "discordId",
    ];
    const answers = await Promise.all(fields.map((name) => asAdmin("PATCH", `/members/${email}`, { [name]: name })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await memberOf(email)).toMatchObject(Object.fromEntries(fields.map((name) => [name, name])));
  });

  test("of an unknown person is a 404", async () => {
    expect((await asAdmin("PATCH", `/members/${newEmail("members.example")}`, { year: "1" })).status).toBe(404);
  });
});

describe("ending a membership", () => {
  test("unmarks the user; the profile stays, and is the same when the person is a member again", async () => {
    const email = newEmail("members.example");
    const { profile } = (await grant(email)).body;
    expect(await asAdmin("DELETE", `/members/${email}`)).toMatchObject({
      status: 200,
      body: { message: "Member deleted." },
    });
    expect(await userOf(email)).toMatchObject({ isMember: false });
    expect((await asAdmin("GET", `/members/${email}`)).status).toBe(404);
    expect((await asAdmin("GET", `/members/profileID/${profile.profileID}`)).status).toBe(404);
    expect((await stage.api("GET", "/profiles/user", { as: email })).body).toEqual(profile);
    expect((await asAdmin("DELETE", `/members/${email}`)).status).toBe(404);

    await asAdmin("POST", "/members", { email });
    expect(await memberOf(email)).toMatchObject({ profileID: profile.profileID });
    expect(await userOf(email)).toMatchObject({ isMember: true });
  });
});

describe("finding members", () => {
  test("lists all members by email, whole and in pages", async () => {
    stage.usedByOthers("the list of all members");
    const emails = [newEmail("list.example"), newEmail("list.example"), newEmail("list.example")].sort();
    for (const email of emails) await asAdmin("POST", "/members", { email });
    const all = (await stage.list("/members")).body as { email: string }[];
    const found = all.map(({ email }) => email);
    expect(found).toEqual([...found].sort());
    expect(found).toEqual(expect.arrayContaining(emails));
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await asAdmin("GET", `/members?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.body.length).toBeLessThanOrEqual(2);
      paged.push(...page.body.map(({ email }: { email: string }) => email));
      cursor = page.headers.get("x-next-cursor");
    }
    expect(paged).toEqual(found);
  });

  test("finds members by the beginning of a name or an email", async () => {
    stage.usedByOthers("a search in all members");
    const email = newEmail("found.example");
    await asAdmin("POST", "/members", { email, firstName: "Zoë", lastName: "Van der Berg" });
    for (const q of ["zoe", "van+der", "zoe%20van", email.slice(0, -3)]) {
      expect((await stage.list(`/members?q=${q}`)).body).toMatchObject([{ email }]);
    }
    expect((await stage.list("/members?q=der")).body).toEqual([]);
  });

  test.each(["profileID", "email"])("answers the email for a profile id under /members/%s/", async (name) => {
    const email = newEmail("members.example");
    const { member } = (await grant(email)).body;
    expect(await asAdmin("GET", `/members/${name}/${member.profileID}`)).toMatchObject({
      status: 200,
      body: { email },
    });
    expect((await asAdmin("GET", `/members/${name}/NoCatSings`)).status).toBe(404);
  });
});

describe("granting a membership", () => {
  test("makes user, member and profile, and writes their messages", async () => {
    const email = newEmail("members.example");
    const { levelOfStudy, ...form } = { ...full, levelOfStudy: "4", year: undefined };
    const { status, body } = await grant(email, { ...form, levelOfStudy, cardCount: 3 });
    expect(status).toBe(200);
    expect(body.message).toBe("Membership granted");
    expect(body.user).toMatchObject({ id: email, fname: "Ada", studentId: "12345678", year: "4", isMember: true });
    const { profileID } = body.profile;
    expect(profileID).toMatch(/^([A-Z][a-z]+){3}$/);
    expect(body.member).toEqual({ id: email, email, ...full, cardCount: 3, profileID, admin: false, ...stamps });
    expect(body.profile).toMatchObject({
      compositeID: `PROFILE#${profileID}`,
      type: "PROFILE",
      profileType: "ATTENDEE",
    });
    expect(await userOf(email)).toEqual(body.user);
    expect(await memberOf(email)).toEqual(body.member);
    expect(await messageOf(email)).toEqual({ "user.created": 1, "member.granted": 1 });
  });

  test("overwrites no field of an existing user, and writes nothing the second time", async () => {
    const email = newEmail("members.example");
    await stage.api("POST", "/users", { as: email, body: { fname: "Augusta", faculty: "" } });
    const first = await grant(email, { faculty: "Science" });
    expect(first.body.user).toMatchObject({ fname: "Augusta", lname: "Lovelace", faculty: "Science", isMember: true });
    const before = await stage.stored(`USER#${email}`);
    const second = await grant(email, { firstName: "Other", faculty: "Arts" });
    expect(second.body).toEqual(first.body);
    expect(await stage.stored(`USER#${email}`)).toEqual(before);
    expect(await messageOf(email)).toEqual({ "user.created": 1, "member.granted": 1 });
  });

  test("20 times at once makes one member, one profile, one profile id and one message", async () => {
    const email = newEmail("members.example");
    const answers = await Promise.all(Array.from({ length: 20 }, () => grant(email)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = new Set(answers.map(({ body }) => body.profile.profileID));
    expect(ids.size).toBe(1);
    const stored = await stage.stored(`USER#${email}`);
    expect(stored.map(({ SK }) => SK)).toEqual(["MEMBER", "PROFILE", "USER"]);
    expect(await stage.stored(`PID#${[...ids][0]}`)).toEqual([expect.objectContaining({ email })]);
    expect(await messageOf(email)).toEqual({ "user.created": 1, "member.granted": 1 });
  });

  test("refuses a form without a name", async () => {
    const email = newEmail("members.example");
    expect(await asAdmin("POST", "/members/grant", { email, firstName: " " })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/firstName" }, { path: "/lastName" }] },
    });
    expect(await stage.stored(`USER#${email}`)).toEqual([]);
  });
});

describe("the welcome mail", () => {
  const welcomes = async (email: string) => {
    await stage.settled();
    return stage.mailsTo(email).filter(({ subject }) => subject === "You're a member of Club Events");
  };

  test("comes once, when a membership is granted 20 times at once and again later", async () => {
    const email = newEmail("members.example");
    await Promise.all(Array.from({ length: 20 }, () => grant(email)));
    expect(await welcomes(email)).toHaveLength(1);
    await grant(email, { major: "Logic" });
    await asAdmin("POST", "/members", { email });
    await asAdmin("PATCH", `/members/${email}`, { year: "5" });
    const [mail, ...more] = await welcomes(email);
    expect(more).toEqual([]);
    // Each stage has a sender of its own.
    if (!stage.isShared) expect(mail?.from).toBe('"Club Events" <events@club.example>');
    expect(mail?.body.text).toContain("Hi Ada,");
    expect(mail?.body.text).not.toContain("CAD");
  });

  test("comes for a created membership, and again for a new one after the end of the first", async () => {
    const email = newEmail("members.example");
    await asAdmin("POST", "/members", { email, ...full });
    expect(await welcomes(email)).toHaveLength(1);
    await asAdmin("DELETE", `/members/${email}`);
    expect(await welcomes(email)).toHaveLength(1);
    await grant(email);
    expect(await welcomes(email)).toHaveLength(2);
  });
});

describe("profiles", () => {
  const own = (method: string, as: string, body?: unknown, path = "/profiles/user/") =>
    stage.api(method, path, { as, body });

  test("are for members: 20 requests at once make one, with the names of the member record", async () => {
    const email = newEmail("members.example");
    const create = () => own("POST", email, { hobby1: "Engines", fname: "Other" }, "/profiles");
    expect(await create()).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    await asAdmin("POST", "/members", { email, ...full });
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const profile = answers.find(({ status }) => status === 201)?.body.profile;
    expect(profile).toMatchObject({ fname: "Ada", lname: "Lovelace", year: "4", hobby1: "Engines" });
    expect((await own("GET", email)).body).toEqual(profile);
    expect((await own("GET", email, undefined, "/profiles/user")).body).toEqual(profile);
    expect(await memberOf(email)).toMatchObject({ profileID: profile.profileID });
  });

  test("of admins have the type EXEC", async () => {
    const email = newEmail("club.example");
    expect((await grant(email)).body.profile.profileType).toBe("EXEC");
  });

  test("change only in the fields that the person may change, also when the whole object is sent back", async () => {
    const email = newEmail("members.example");
    const { profile } = (await grant(email)).body;
    const changes = {
      hobby1: "Engines",
      linkedIn: "https://linkedin.example/in/ada",
      viewableMap: { hobby1: true, x: true },
    };
    const sent = { ...profile, ...changes, fname: "Other", profileType: "EXEC", email };
    for (const other of [{ profileID: "Other" }, { compositeID: { toString: 1 } }, { email: exec }, { id: exec }]) {
      const [path] = Object.keys(other).map((name) => `/${name}`);
      expect(await own("PATCH", email, { ...sent, ...other })).toMatchObject({
        status: 400,
        body: { issues: [{ path }] },
      });
    }
    const { status, body } = await own("PATCH", email, sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      message: "Profile updated.",
      profile: {
        ...profile,
        ...changes,
        viewableMap: { ...profile.viewableMap, hobby1: true },
        updatedAt: expect.any(Number),
      },
    });
    expect((await own("GET", email)).body).toEqual(body.profile);
    const emptied = await own("PATCH", email, { hobby1: null, linkedIn: "" }, "/profiles/user");
    expect(emptied.body.profile).toMatchObject({ hobby1: "", linkedIn: "" });
  });

  test("show others the fields of viewableMap, from the moment of a change", async () => {
    const email = newEmail("members.example");
    const { profile } = (await grant(email, { major: "Logic" })).body;
    const others = async () =>
      (await own("GET", newEmail("members.example"), undefined, `/profiles/profile/${profile.profileID}`)).body;
    expect(Object.keys(await others())).not.toEqual(expect.arrayContaining(["hobby1"]));
    await own("PATCH", email, { hobby1: "Engines", viewableMap: { hobby1: true, major: false, lname: false } });
    const { compositeID, profileID, type, profileType, ...shown } = await others();
    expect({ compositeID, profileID, type, profileType }).toEqual({
      compositeID: `PROFILE#${profileID}`,
      profileID: profile.profileID,
      type: "PROFILE",
      profileType: "ATTENDEE",
    });
    expect(shown).toEqual({
      ...{ fname: "Ada", pronouns: "", year: "", hobby1: "Engines" },
      ...{ linkedIn: "", profilePictureURL: "", additionalLink: "", description: "" },
    });
    expect(JSON.stringify(await others())).not.toContain(email);
    expect((await own("GET", email, undefined, "/profiles/profile/NoCatSings")).status).toBe(404);
  });

  test.each(["linkedIn", "additionalLink", "profilePictureURL"])("link with %s to the web only", async (name) => {
    const email = newEmail("members.example");
    await grant(email);
    for (const link of ["javascript:alert(1)", "data:text/html,x", "//evil.example", "linkedin.example /in"]) {
      expect(await own("PATCH", email, { [name]: link })).toMatchObject({
        status: 400,
        body: { issues: [{ path: `/${name}` }] },
      });
    }
    expect((await own("GET", email)).body[name]).toBe("");
  });

  test("of a person without one are a 404", async () => {
    expect((await own("GET", newEmail("members.example"))).status).toBe(404);
    expect((await own("PATCH", newEmail("members.example"), { hobby1: "x" })).status).toBe(404);
  });
});
