/** Creating and reading events (`docs/contract.md`, "Events"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, member, newEventId, user, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
});

const create = (fields: Record<string, unknown> = {}) => stage.createEvent({ ename: "An event", ...fields });

/** Creates an event. @returns the event of the answer */
async function given(fields: Record<string, unknown> = {}) {
  const { status, body } = await create(fields);
  expect(status).toBe(201);
  return body.item;
}

const get = (id: string, query = "", as = user) => stage.api("GET", `/events/${id}/${year}${query}`, { as });

/** The answer about prices and questions of an event that has none. */
const unsaid = {
  ...{ isPublished: true, nonBizTechAllowed: true },
  pricing: { member: 0, members: 0, nonMember: 0, nonMembers: 0 },
  ...{ registrationQuestions: [], partnerRegistrationQuestions: [] },
  ...{ attendeeFeedbackQuestions: [], partnerFeedbackQuestions: [] },
};

describe("creating an event", () => {
  const everything = {
    ename: "Gala",
    description: "Two\nlines",
    partnerDescription: "For partners",
    capac: 120,
    startDate: "2030-05-01T18:00:00Z",
    endDate: "2030-05-01T21:00:00Z",
    deadline: "2030-04-30T00:00:00Z",
    elocation: "Hall",
    latitude: 49.26,
    longitude: -123.25,
    facebookUrl: "https://facebook.example/gala",
    imageUrl: "https://images.example/gala.jpg",
    isPublished: true,
    isCompleted: false,
    isApplicationBased: false,
    nonBizTechAllowed: true,
    attendeeFeedbackEnabled: true,
    partnerFeedbackEnabled: false,
  };

  test("answers 201 with every field as it is stored", async () => {
    const id = newEventId();
    const before = Date.now();
    const { status, body } = await create({ id, ...everything });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(["item", "message"]);
    expect(body.item).toEqual({
      ...unsaid,
      id,
      year,
      ...everything,
      startDate: "2030-05-01T18:00:00.000Z",
      endDate: "2030-05-01T21:00:00.000Z",
      deadline: "2030-04-30T00:00:00.000Z",
      createdAt: expect.any(Number),
      updatedAt: body.item.createdAt,
    });
    expect(body.item.createdAt).toBeGreaterThanOrEqual(before);
    expect((await get(id)).body).toEqual(body.item);
  });

  test("needs an id, a year and a name; other fields may be absent", async () => {
    const id = newEventId();
    expect((await create({ id })).body.item).toEqual({
      ...unsaid,
      id,
      year,
      ename: "An event",
      isCompleted: false,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    for (const name of ["id", "year", "ename"]) {
      expect(await create({ [name]: undefined })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION", issues: [{ path: `/${name}`, message: "is required" }] },
      });
    }
  });

  test("with an id and a year that exist is a duplicate, and the first event stays", async () => {
    const { id } = await given({ ename: "First" });
    expect(await create({ id, ename: "Second" })).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
    expect((await get(id)).body.ename).toBe("First");
    expect((await create({ id, year: year + 1 })).status).toBe(201);
  });
});

describe("reading an event", () => {
  test("with count=true adds the counts, three of them twice", async () => {
    const { id } = await given({ capac: 1, partnerCapac: 3 });
    await stage.registerByAdmin(id, "a@count.example");
    await stage.registerByAdmin(id, "b@count.example", { isPartner: true });
    await stage.registerByAdmin(id, "c@count.example");
    const { body } = await get(id, "?count=true");
    const twice = { registeredCount: 1, checkedInCount: 0, waitlistCount: 1 };
    expect(body).toMatchObject({ ...twice, counts: { ...twice, partnerCount: 1, partnerRemaining: 2, remaining: 0 } });
    expect(body).not.toHaveProperty("registrations");
    expect((await get(id, "?count=false")).body).not.toHaveProperty("counts");
  });

  test("with users=true adds the registrations with their users, for admins", async () => {
    const { id } = await given({ capac: 1 });
    const details = { fname: "Ada", faculty: "Science" };
    await stage.api("POST", "/users", { as: exec, body: { email: "known@count.example", ...details } });
    await stage.registerByAdmin(id, "known@count.example");
    await stage.registerByAdmin(id, "unknown@count.example");
    await stage.indexed();
    const { status, body } = await get(id, "?users=true", exec);
    expect(status).toBe(200);
    expect(body.registrations).toEqual([
      expect.objectContaining({
        id: "known@count.example",
        registrationStatus: "registered",
        user: expect.objectContaining({ id: "known@count.example", email: "known@count.example", ...details }),
      }),
      expect.objectContaining({ id: "unknown@count.example", registrationStatus: "waitlist", user: null }),
    ]);
    expect(JSON.stringify(body)).not.toMatch(/"(PK|SK|GSI1PK|GSI1SK|generation|queueKey|version)":/);
    const both = (await get(id, "?users=true&count=true", exec)).body;
    expect(both.registrations).toHaveLength(2);
    expect(both.counts).toMatchObject({ registeredCount: 1, waitlistCount: 1 });

    const first = await get(id, "?users=true&limit=1", exec);
    const cursor = first.headers.get("x-next-cursor");
    const second = await get(id, `?users=true&limit=1&cursor=${cursor}`, exec);
    expect([...first.body.registrations, ...second.body.registrations]).toEqual(body.registrations);
    expect(second.headers.get("x-next-cursor")).toBeNull();

    expect(await get(id, "?users=true", member)).toMatchObject({
      status: 403,
      body: { message: "Only an admin can ask for users=true.", code: "FORBIDDEN" },
    });
    expect(await get(id, "?users=true&count=true", member)).toMatchObject({ status: 403 });
    expect((await get(id, "?users=false", member)).status).toBe(200);
  });
});

describe("what the web application keeps with an event", () => {
  const page = { theme: "dark", blocks: [{ kind: "text", "": "", list: [1, null, true] }], 0: "first", " spaced ": {} };

  test("comes back as it was sent, in the event alone and not in a list", async () => {
    const id = newEventId();
    const kept = { eventPage: page, registrationFormKey: "form-7" };
    const { body } = await stage.api("POST", "/events", { as: exec, body: { id, year, ename: "Kept", ...kept } });
    expect(body.item).toMatchObject(kept);
    const read = async () => (await stage.api("GET", `/events/${id}/${year}`, { as: exec })).body;
    expect(JSON.stringify((await read()).eventPage)).toBe(JSON.stringify(page));
    await stage.changeEvent(id, { description: "Changed" });
    expect(await read()).toMatchObject({ description: "Changed", ...kept });
    const list = await stage.api("GET", `/events?id=${id}`, { as: exec });
    expect(list.body).toHaveLength(1);
    for (const field of Object.keys(kept)) expect(list.body[0]).not.toHaveProperty(field);
    await stage.changeEvent(id, { eventPage: null, registrationFormKey: null });
    for (const field of Object.keys(kept)) expect(await read()).not.toHaveProperty(field);
  });

  test("is an object of at most 16 KB, nested at most 32 deep", async () => {
    const id = newEventId();
    const send = (page: string) =>
      stage.api("POST", "/events", {
        as: exec,
        body: `{"id":"${id}","year":${year},"ename":"Kept","eventPage":${page}}`,
      });
    const create = (eventPage: unknown) => send(JSON.stringify(eventPage));
    const refused = { status: 400, body: { code: "VALIDATION", issues: [{ path: "/eventPage" }] } };
    for (const wrong of [["a"], "a", 1, { text: "x".repeat(16 * 1024) }]) {
      expect(await create(wrong)).toMatchObject(refused);
    }
    // JSON of this depth can be read, but not written again.
    const deep = await send(`{"a":${"[".repeat(8_000)}${"]".repeat(8_000)}}`);
    expect(deep).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expect((await create({ text: "x".repeat(16 * 1024 - 11) })).status).toBe(201);
  });
});

test("a copy is a draft of its own, in a year of its own", async () => {
  const { id } = await given({ capac: 3, startDate: "2030-05-01T18:00:00Z", deadline: "2030-04-30T18:00:00Z" });
  const guest = await stage.givenUser();
  await stage.register(id, guest);
  const copy = (from: string, body: object) => stage.api("POST", `/events/${from}/${year}/copy`, { as: exec, body });
  const terms = { id, year: year + 1, startDate: "2031-05-02T18:00:00Z" };
  expect(await copy(id, terms)).toMatchObject({
    status: 201,
    body: { item: { ename: "An event", capac: 3, isPublished: false, deadline: "2031-05-01T18:00:00.000Z" } },
  });
  const path = `/events/${id}/${year + 1}?count=true`;
  expect((await stage.api("GET", path, { as: exec })).body.counts).toMatchObject({ seatsTaken: 0, remaining: 3 });
  expect(await stage.api("GET", path, { as: guest })).toMatchObject({ status: 404 });
  expect(await copy(id, terms)).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
  expect(await copy("never-was", { ...terms, id: newEventId() })).toMatchObject({ status: 404 });
});
