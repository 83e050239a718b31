/** Creating and reading events (`docs/contract.md`, "Events"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, member, newEventId, user, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const create = (fields: Record<string, unknown> = {}) => stage.createEvent({ ename: "An event", ...fields });

/** Creates an event. @returns the event of the answer */
async function given(fields: Record<string, unknown> = {}) {
  const { status, body } = await create(fields);
  expect(status).toBe(201);
  return body.item;
}

const get = (id: string, query = "", as = user) => stage.api("GET", `/events/${id}/${year}${query}`, { as });

const expectNothingStored = async (id: string) => expect(await stage.stored(`EVENT#${id}#${year}`)).toEqual([]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

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

  test("twenty times at once creates one", async () => {
    const id = newEventId();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ id })));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  test("stores no unknown fields, counters or internal fields, at any depth", async () => {
    const { id } = await given({
      registeredCount: 99,
      counts: { registeredCount: 99 },
      generation: "mine",
      version: 9,
      termsVersion: 9,
      createdAt: 1,
      updatedAt: 1,
      PK: "EVENT#other#2030",
      GSI1PK: "USERS#0",
      surprise: { deep: true },
      pricing: { member: 1, nonMember: 2, surprise: 3 },
      registrationQuestions: [{ questionId: "q", label: "Q", type: "TEXT", required: false, surprise: 1 }],
    });
    const { body } = await get(id, "?count=true");
    expect(body).not.toHaveProperty("surprise");
    expect(body.createdAt).toBeGreaterThan(1);
    expect(body.counts.registeredCount).toBe(0);
    expect(body.registrationQuestions).toEqual([{ questionId: "q", label: "Q", type: "TEXT", required: false }]);
    const stored = await stage.stored(`EVENT#${id}#${year}`);
    expect(JSON.stringify(stored)).not.toMatch(/surprise|mine|USERS#0|"version":9/);
    expect(stored.length).toBeGreaterThan(0);
  });

  describe("questions", () => {
    const question = { label: "Which?", type: "SELECT", required: true };

    test("get an id where they have none, and choices become an array", async () => {
      const { id, registrationQuestions } = await given({
        registrationQuestions: [
          { ...question, choices: "a, b ,,b,c" },
          { ...question, questionId: "", choices: ["x", " y ", "x"] },
          { ...question, questionId: "own", type: "TEXT", charLimit: 20, choices: null, questionImageUrl: null },
        ],
      });
      expect(registrationQuestions).toEqual([
        { ...question, questionId: expect.stringMatching(uuid), choices: ["a", "b", "c"] },
        { ...question, questionId: expect.stringMatching(uuid), choices: ["x", "y"] },
        { ...question, questionId: "own", type: "TEXT", charLimit: 20 },
      ]);
      expect(registrationQuestions[0].questionId).not.toBe(registrationQuestions[1].questionId);
      expect((await get(id)).body.registrationQuestions).toEqual(registrationQuestions);
    });

    test("are kept for partners and for feedback as well", async () => {
      const scale = { questionId: "s", label: "How?", type: "LINEAR_SCALE", required: true, scaleMin: 1, scaleMax: 5 };
      const text = { questionId: "t", label: "Why?", type: "LONG_TEXT", required: false };
      const partner = { questionId: "p", label: "Who?", type: "TEXT", required: true };
      const fields = {
        attendeeFeedbackQuestions: [scale, text],
        partnerFeedbackQuestions: [text],
        partnerRegistrationQuestions: [partner],
      };
      expect(await given(fields)).toMatchObject(fields);
    });

    test.each([
      ["of an unknown type", { type: "ESSAY" }, "type"],
      ["without a label", { label: undefined }, "label"],
      ["without saying whether it is required", { required: undefined }, "required"],
      ["with nothing to choose", { choices: [] }, "choices"],
      ["with nothing but commas to choose", { choices: " , ," }, "choices"],
      ["with a limit of no characters", { charLimit: 0 }, "charLimit"],
      ["with room for half a person", { participantCap: 0.5 }, "participantCap"],
      ["with a script as image", { questionImageUrl: "javascript:alert(1)" }, "questionImageUrl"],
    ])("%s are refused", async (_, change, field) => {
      const id = newEventId();
      const registrationQuestions = [{ ...question, choices: ["a"], ...change }];
      const { status, body } = await create({ id, registrationQuestions });
      expect(status).toBe(400);
      expect(body.issues.map(({ path }: { path: string }) => path)).toContain(`/registrationQuestions/0/${field}`);
      await expectNothingStored(id);
    });

    test.each([
      ["questionId", { questionId: "toString" }],
      ["questionId", { questionId: "__proto__x", choices: ["__proto__"] }],
      ["choices", { choices: "a,constructor" }],
    ])("must not have the name of a property of every object: %s", async (field, change) => {
      const path = "choices" in change ? "choices" : field;
      expect(await create({ registrationQuestions: [{ ...question, choices: ["a"], ...change }] })).toMatchObject({
        status: 400,
        body: { issues: [{ path: `/registrationQuestions/0/${path}`, message: expect.stringContaining("reserved") }] },
      });
    });

    test("that are sent with their fields in another order are no change", async () => {
      const { id } = await given({
        registrationQuestions: [{ questionId: "q", label: "Q", type: "TEXT", required: true }],
      });
      const [before] = await stage.stored(`EVENT#${id}#${year}`);
      const body = { registrationQuestions: [{ required: true, type: "TEXT", label: "Q", questionId: "q" }] };
      expect((await stage.api("PATCH", `/events/${id}/${year}`, { as: exec, body })).status).toBe(200);
      expect((await stage.stored(`EVENT#${id}#${year}`))[0]).toEqual(before);
    });

    test("must not share an id", async () => {
      const twice = { ...question, questionId: "same", choices: ["a"] };
      expect(await create({ registrationQuestions: [twice, twice] })).toMatchObject({
        status: 400,
        body: { issues: [{ path: "/registrationQuestions/1/questionId" }] },
      });
    });
  });

  test.each([
    ["no seats", { capac: 0 }, "/capac"],
    ["fewer seats than none", { capac: -5 }, "/capac"],
    ["half a seat", { capac: 1.5 }, "/capac"],
    ["seats in words", { capac: "7" }, "/capac"],
    ["an end before its start", { startDate: "2030-05-02", endDate: "2030-05-01" }, "/endDate"],
    [
      "an end before its start in another offset",
      { startDate: "2030-05-01T18:00Z", endDate: "2030-05-01T18:30+01:00" },
      "/endDate",
    ],
    ["a day that does not exist", { startDate: "2030-02-30" }, "/startDate"],
    ["a date in words", { deadline: "tomorrow" }, "/deadline"],
    ["a third decimal", { pricing: { member: 1.005, nonMember: 2 } }, "/pricing/member"],
    ["a ninth decimal", { pricing: { member: 5.000000001 } }, "/pricing/member"],
    ["a price that cannot be paid", { pricing: { member: 0.49 } }, "/pricing/member"],
    ["a date that is of 2201 in UTC", { startDate: "2200-12-31T23:00" }, "/startDate"],
    ["a negative price", { pricing: { member: 0, nonMembers: -1 } }, "/pricing/nonMembers"],
    ["a price in words", { pricing: { member: "5" } }, "/pricing/member"],
    ["an id with a path in it", { id: "../gala" }, "/id"],
    ["an id with a separator", { id: "gala;2030" }, "/id"],
    ["a year before all events", { year: 20 }, "/year"],
    ["a name of nothing", { ename: "  " }, "/ename"],
    ["a name of 201 characters", { ename: "x".repeat(201) }, "/ename"],
    ["a name of two lines", { ename: "a\nb" }, "/ename"],
    ["a description of 10,001 characters", { description: "x".repeat(10_001) }, "/description"],
    ["an image that is a script", { imageUrl: "javascript:alert(1)" }, "/imageUrl"],
    ["a truth in words", { isPublished: "false" }, "/isPublished"],
  ])("an event with %s is refused", async (_, fields, path) => {
    const id = newEventId();
    const { status, body } = await create({ id, ...fields });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "VALIDATION", message: expect.any(String), requestId: expect.any(String) });
    expect(body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    await expectNothingStored(id);
  });

  test("accepts values at the limits", async () => {
    const fields = { ename: "x".repeat(200), description: "x".repeat(10_000), capac: 1, endDate: "2030-05-01" };
    expect((await create({ ...fields, startDate: "2030-05-01" })).status).toBe(201);
  });

  test.each([
    ["summer, without offset", "2030-07-01T18:00", "2030-07-02T01:00:00.000Z"],
    ["winter, without offset", "2025-01-15T18:00:30", "2025-01-16T02:00:30.000Z"],
    ["a date alone", "2030-07-01", "2030-07-01T07:00:00.000Z"],
    ["the last hour of winter", "2025-03-09T01:59", "2025-03-09T09:59:00.000Z"],
    ["the first hour of summer", "2025-03-09T03:00", "2025-03-09T10:00:00.000Z"],
    ["with an offset", "2030-07-01T18:00:00+02:00", "2030-07-01T16:00:00.000Z"],
    ["as JavaScript writes it", "2030-07-01T18:00:00.123Z", "2030-07-01T18:00:00.123Z"],
    ["with a space", "2030-07-01 18:00Z", "2030-07-01T18:00:00.000Z"],
    ["with a small t", "2030-07-01t18:00", "2030-07-02T01:00:00.000Z"],
  ])("reads a date without an offset in the stage's time zone: %s", async (_, startDate, utc) => {
    expect((await given({ startDate })).startDate).toBe(utc);
  });

  test.each<[string, object, object]>([
    ["one spelling", { member: 5, nonMember: 7.5 }, { member: 5, members: 5, nonMember: 7.5, nonMembers: 7.5 }],
    ["the other", { members: 5, nonMembers: 7.99 }, { member: 5, members: 5, nonMember: 7.99, nonMembers: 7.99 }],
    ["both mixed", { member: 0, nonMembers: 0.5 }, { member: 0, members: 0, nonMember: 0.5, nonMembers: 0.5 }],
    ["for members", { member: 19.99 }, { member: 19.99, members: 19.99, nonMember: 0, nonMembers: 0 }],
    ["for others", { nonMembers: 3 }, { member: 0, members: 0, nonMember: 3, nonMembers: 3 }],
    ["none", {}, { member: 0, members: 0, nonMember: 0, nonMembers: 0 }],
  ])("answers prices under both spellings: %s", async (_, pricing, answered) => {
    const event = await given({ pricing });
    expect(event.pricing).toEqual(answered);
    expect((await get(event.id)).body.pricing).toEqual(answered);
    const [listed] = (await stage.list(`/events?id=${event.id}`, user)).body;
    expect(listed.pricing).toEqual(answered);
  });

  test("is for members only exactly if it is not open to others, whatever it costs", async () => {
    const asUser = async ({ id }: { id: string }) =>
      (await stage.api("POST", "/registrations", { as: user, body: { eventID: id, year, email: user } })).status;
    expect(await asUser(await given({ pricing: { member: 6 }, nonBizTechAllowed: false }))).toBe(403);
    expect(await asUser(await given({ nonBizTechAllowed: false }))).toBe(403);
    expect(await asUser(await given({ pricing: { member: 6 } }))).toBe(201);
    expect(await asUser(await given())).toBe(201);
  });

  test("stays open to others when only the members' price changes, and keeps their price", async () => {
    const { id } = await given({ pricing: { member: 5, nonMember: 10 } });
    for (const pricing of [{ member: 6 }, { members: 6 }]) {
      const { body } = await stage.api("PATCH", `/events/${id}/${year}`, { as: exec, body: { pricing } });
      expect(body.item).toMatchObject({ pricing: { member: 6, nonMember: 10 }, nonBizTechAllowed: true });
    }
    const body = { eventID: id, year, email: user };
    expect(await stage.api("POST", "/registrations", { as: user, body })).toMatchObject({
      status: 201,
      body: { registrationStatus: "incomplete" },
    });
  });
});

describe("reading an event", () => {
  test("shows no internal fields", async () => {
    const { id } = await given({ ename: "Open" });
    const { status, body } = await get(id);
    expect(status).toBe(200);
    const stored = ["createdAt", "ename", "id", "isCompleted", "updatedAt", "year"];
    expect(Object.keys(body).sort()).toEqual([...stored, ...Object.keys(unsaid)].sort());
  });

  test("with another year, another case or an unknown id is a 404", async () => {
    const { id } = await given();
    for (const path of [`/events/${id}/${year + 1}`, `/events/${id.toUpperCase()}/${year}`, "/events/no-such/2030"]) {
      expect(await stage.api("GET", path, { as: exec })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
  });

  test("with count=true adds the counts, three of them twice", async () => {
    const { id } = await given({
      capac: 2,
      registrationQuestions: [
        { questionId: "w", label: "W", type: "WORKSHOP_SELECTION", required: false, choices: "a,b", participantCap: 5 },
        { questionId: "n", label: "N", type: "WORKSHOP_SELECTION", required: false, choices: ["c"] },
        { questionId: "s", label: "S", type: "SELECT", required: false, choices: ["d"] },
      ],
    });
    await stage.registerByAdmin(id, "a@count.example", { dynamicResponses: { w: "a" } });
    await stage.registerByAdmin(id, "b@count.example", { isPartner: true });
    await stage.registerByAdmin(id, "c@count.example", { dynamicResponses: { w: "a" } });
    const { body } = await get(id, "?count=true");
    expect(body.counts).toEqual({
      registeredCount: 2,
      checkedInCount: 0,
      waitlistCount: 1,
      applicantCount: 0,
      incompleteCount: 0,
      acceptedCount: 0,
      partnerCount: 1,
      seatsTaken: 2,
      remaining: 0,
      dynamicCounts: [
        {
          questionId: "w",
          counts: [
            { label: "a", count: 1, cap: 5 },
            { label: "b", count: 0, cap: 5 },
          ],
        },
        { questionId: "n", counts: [{ label: "c", count: 0, cap: null }] },
      ],
    });
    expect(body).toMatchObject({ registeredCount: 2, checkedInCount: 0, waitlistCount: 1 });
    expect(body).not.toHaveProperty("registrations");
    expect((await get(id, "?count=false")).body).not.toHaveProperty("counts");
  });

  test("without a capacity has no number of remaining seats", async () => {
    const { id } = await given();
    expect((await get(id, "?count=true")).body.counts).toMatchObject({ remaining: null, dynamicCounts: [] });
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

  test("that is hidden is a 404 for all but admins", async () => {
    const { id } = await given({ isPublished: false });
    expect((await get(id, "", exec)).status).toBe(200);
    for (const query of ["", "?count=true"]) {
      expect(await get(id, query)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    expect((await stage.changeEvent(id, { isPublished: true })).status).toBe(200);
    expect((await get(id)).status).toBe(200);
  });

  test("without isPublished hides it", async () => {
    const { id } = await given({ isPublished: undefined });
    expect((await get(id)).status).toBe(404);
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
