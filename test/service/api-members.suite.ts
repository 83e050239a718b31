/** Members and profiles over HTTP (`docs/contract.md`, "Members" and "Profiles"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail } from "./given.ts";
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
const stamps = { createdAt: expect.any(Number), updatedAt: expect.any(Number) };

describe("creating a member", () => {
  test("answers the record with the names of the contract", async () => {
    const email = newEmail("members.example");
    const answer = await asAdmin("POST", "/members", { email, ...full });
    const member = { id: email, email, ...full, admin: false, ...stamps };
    expect(answer).toMatchObject({ status: 201, body: { message: "Member created.", member } });
    expect(Object.keys(answer.body.member).sort()).toEqual(Object.keys(member).sort());
    expect(await memberOf(email)).toEqual(answer.body.member);
    expect(await messageOf(email)).toEqual({ "member.granted": 1 });
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

describe("a membership with an end", () => {
  const day = 86_400_000;
  const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString();
  const end = (email: string, until: string | null) => asAdmin("PATCH", `/members/${email}`, { until });
  const night = () => stage.invoke("Reconciler", {});

  test("is reminded of once, ends by the clock, is noted by the night, and is renewed by hand", async () => {
    const email = newEmail("members.example");
    const { member, profile } = (await grant(email)).body;
    const until = dateIn(10);
    expect(await end(email, until)).toMatchObject({ status: 200, body: { member: { until } } });
    const self = () => stage.api("GET", "/users/self", { as: email });
    expect((await self()).body).toMatchObject({ isMember: true, memberUntil: until, mayRenew: true });
    await night();
    await night();
    expect(await messageOf(email)).toMatchObject({ "member.ending": 1 });

    const over = dateIn(-1);
    await end(email, over);
    // Before any night.
    expect(await userOf(email)).toMatchObject({ isMember: false, memberUntil: over });
    expect((await asAdmin("GET", `/users/isMember/${email}`)).body).toBe(false);
    await night();
    await night();
    expect(await messageOf(email)).toMatchObject({ "member.ended": 1 });
    expect(await memberOf(email)).toMatchObject({ until: over, profileID: profile.profileID });
    const listed = async (state: string) => (await stage.list(`/members?state=${state}&q=${email}`)).body.length;
    expect([await listed("former"), await listed("current")]).toEqual([1, 0]);

    // This stage's memberships have no end.
    const again = (await grant(email)).body;
    expect(again).toMatchObject({ user: { isMember: true }, member: { createdAt: member.createdAt }, profile });
    expect([again.user.memberUntil, again.member.until, (await self()).body.mayRenew]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([await listed("former"), await listed("current")]).toEqual([0, 1]);
    expect(await messageOf(email)).toMatchObject({ "member.granted": 2 });
  });

  test("has none again, and no other one than a date of our time", async () => {
    const email = newEmail("members.example");
    await grant(email);
    await end(email, dateIn(-1));
    expect((await end(email, null)).body.member).not.toHaveProperty("until");
    expect(await userOf(email)).toMatchObject({ isMember: true });
    expect((await end(email, "3030-08-31")).body.issues).toMatchObject([{ path: "/until" }]);
  });
});

describe("finding members", () => {
  test("lists all members by email", async () => {
    stage.usedByOthers("the list of all members");
    const emails = [newEmail("list.example"), newEmail("list.example"), newEmail("list.example")].sort();
    for (const email of emails) await asAdmin("POST", "/members", { email });
    const all = (await stage.list("/members")).body as { email: string }[];
    const found = all.map(({ email }) => email);
    expect(found).toEqual([...found].sort());
    expect(found).toEqual(expect.arrayContaining(emails));
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
});
