/** Errors that say what to do instead, and requests that ask for nothing (`docs/contract.md`, "Errors"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, member, newEmail, newEventId, user, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const send = (method: string, path: string, body: unknown, as = exec) => stage.api(method, path, { as, body });
const refused = (message: string | RegExp, ...paths: string[]) => ({
  status: 400,
  body: {
    code: "VALIDATION",
    message: typeof message === "string" ? message : expect.stringMatching(message),
    issues: paths.map((path) => ({ path, message: expect.any(String) })),
  },
});

test("without an event to come, the active event is a sentence", async () => {
  stage.usedByOthers("the next of all events");
  await stage.givenEvent({ startDate: "2020-01-01" });
  await stage.givenEvent({ isPublished: false });
  await stage.givenEvent({ startDate: undefined });
  expect(await stage.api("GET", "/events/getActiveEvent")).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", message: "No upcoming event." },
  });
});

describe("a change that names nothing to change is refused with the fields that it may name", () => {
  let id = "";
  let email = "";
  beforeAll(async () => {
    id = await stage.givenEvent();
    email = newEmail();
    await send("POST", "/members/grant", { email, firstName: "Ada", lastName: "L" });
    await stage.register(id, email);
    await send("POST", "/prizes", { id: "errors", name: "Mug", price: 1 });
    await send("POST", "/emails/templates", { templateName: "errors", subject: "Hi", html: "<p>Hi</p>" });
  });

  test.each<[string, () => string, () => object, string]>([
    ["PATCH", () => `/events/${id}/${year}`, () => ({ id, year, counts: 1, capacity: 3 }), "ename, "],
    ["PATCH", () => `/users/${email}`, () => ({ favEvents: [] }), "fname, "],
    ["PATCH", () => `/members/${email}`, () => ({ profileID: "x", createdAt: 1 }), "firstName, "],
    ["PATCH", () => "/profiles/user/", () => ({ fname: "X", lname: "Y" }), "hobby1, "],
    ["PATCH", () => "/prizes/errors", () => ({ id: "errors", cost: 3 }), "name, price, imageHash, links."],
    ["PATCH", () => "/emails/templates", () => ({ templateName: "errors" }), "subject, html, text"],
    ["PATCH", () => "/emails/templates/errors", () => ({ Body: "x" }), "subject, html, text."],
    ["PUT", () => `/registrations/${email}/Ada`, () => ({ eventID: id, year, status: "x" }), "registrationStatus, "],
  ])("%s %s", async (method, path, body, names) => {
    for (const more of [body(), method === "PUT" ? { eventID: id, year } : {}]) {
      const { status, body: problem } = await send(method, path(), more, path().startsWith("/profiles") ? email : exec);
      expect([status, problem.code, problem.issues[0].path]).toEqual([400, "VALIDATION", "/"]);
      expect(problem.message).toContain(`The body must name something to change: ${names}`);
    }
  });

  test("a row of a mass update that names nothing fails, and the other rows do not", async () => {
    const updates = [{ email }, { email, points: 3 }];
    const { body } = await send("PUT", "/registrations/massUpdate", { eventID: id, year, updates });
    expect(body.results).toEqual([
      { email, success: false, message: expect.stringContaining("The row must name something to change: ") },
      { email, success: true, registrationStatus: "registered" },
    ]);
  });

  test("a whole record that is sent back is fine", async () => {
    const event = (await stage.api("GET", `/events/${id}/${year}`, { as: exec })).body;
    expect((await send("PATCH", `/events/${id}/${year}`, event)).status).toBe(200);
    const profile = (await stage.api("GET", "/profiles/user/", { as: email })).body;
    expect((await send("PATCH", "/profiles/user/", { ...profile, hobby1: "Chess" }, email)).status).toBe(200);
    const registration = await stage.registrationOf(id, email);
    expect(await send("PUT", `/registrations/${email}/Ada`, registration)).toMatchObject({ status: 200 });
    const prize = (await stage.api("GET", "/prizes/errors", { as: exec })).body;
    expect((await send("PATCH", "/prizes/errors", prize)).status).toBe(200);
  });

  test("a body that names another thing than the path changes neither", async () => {
    const other = await stage.givenEvent({ ename: "Other" });
    const event = `/events/${id}/${year}`;
    expect(await send("PATCH", event, { id: other, ename: "X" })).toMatchObject(refused(/^id must be event-/, "/id"));
    expect(await send("PATCH", event, { year: 2031, ename: "X" })).toMatchObject(
      refused(/^year must be 2030/, "/year"),
    );
    const names = await Promise.all([id, other].map((key) => stage.api("GET", `/events/${key}/${year}`, { as: exec })));
    expect(names.map(({ body }) => body.ename)).toEqual([`Event ${id}`, "Other"]);
    const profile = { profileID: "quiet-red-fox", compositeID: "PROFILE#quiet-red-fox", hobby1: "Go" };
    const answer = await send("PATCH", "/profiles/user/", profile, email);
    expect(answer).toMatchObject(refused(/^profileID must be /, "/profileID", "/compositeID"));
    const put = { eventID: id, year, email: member, points: 1 };
    expect(await send("PUT", `/registrations/${email}/Ada`, put)).toMatchObject(refused(/^email must be /, "/email"));
    const ended = { eventID: id, year, id: member };
    expect(await send("DELETE", `/registrations/${email}`, ended)).toMatchObject(refused(/^id must be /, "/id"));
    expect(await stage.statusOf(id, email)).toBe("registered");
    const prize = await send("PATCH", "/prizes/errors", { id: "cup", price: 2 });
    expect(prize).toMatchObject(refused("id must be errors, as in the path, or absent: it cannot be changed.", "/id"));
    const template = await send("PATCH", "/emails/templates/errors", { templateName: "x", subject: "Y" });
    expect(template).toMatchObject(refused(/^templateName must be errors, /, "/templateName"));
  });
});

describe("a second registration", () => {
  test("shows the ticket to its owner and to an admin", async () => {
    const id = await stage.givenEvent();
    const email = newEmail();
    const { ticketCode } = (await stage.register(id, email)).body.registration;
    expect(ticketCode).toEqual(expect.any(String));
    for (const as of [email, exec]) {
      const { status, body } = await stage.register(id, email, {}, as);
      expect([status, body.code, body.registration.ticketCode]).toEqual([409, "DUPLICATE", ticketCode]);
    }
  });

  test("says to others nothing but that they can register only themselves, whether there is one or not", async () => {
    const id = await stage.givenEvent();
    const [there, absent] = [newEmail(), newEmail()];
    await stage.register(id, there);
    for (const [method, path, more, message] of [
      ["POST", () => "/registrations", {}, "You can register only yourself."],
      [
        "PUT",
        (email: string) => `/registrations/${email}/x`,
        { points: 1 },
        "You can change only your own registration.",
      ],
      ["DELETE", (email: string) => `/registrations/${email}`, {}, "You can delete only your own registration."],
    ] as const) {
      for (const email of [there, absent]) {
        const { status, body } = await send(method, path(email), { eventID: id, year, email, ...more }, user);
        expect([status, body]).toEqual([403, { code: "FORBIDDEN", message, requestId: expect.any(String) }]);
      }
    }
  });

  test("of a person who was rejected shows no ticket", async () => {
    const id = await stage.givenEvent({ isApplicationBased: true, capac: 5 });
    const email = newEmail();
    await stage.register(id, email);
    await stage.moveTo(id, email, "rejected");
    const { status, body } = await stage.register(id, email);
    expect(status).toBe(409);
    expect(body.registration).toMatchObject({ registrationStatus: "rejected" });
    expect(body.registration).not.toHaveProperty("ticketCode");
  });
});

describe("a link that a person types", () => {
  test("gets https in an event, a question, a profile, a prize and an answer", async () => {
    const question = { questionId: "cv", label: "Your CV", type: "UPLOAD", required: true };
    const questions = [{ ...question, questionImageUrl: "images.example/cv.png" }];
    const urls = { imageUrl: "images.example/a.png", facebookUrl: "HTTP://f.example/club" };
    const { body } = await stage.createEvent({ ...urls, registrationQuestions: questions });
    expect(body.item).toMatchObject({
      imageUrl: "https://images.example/a.png",
      facebookUrl: "HTTP://f.example/club",
      registrationQuestions: [{ questionImageUrl: "https://images.example/cv.png" }],
    });
    const email = newEmail();
    const mine = { dynamicResponses: { cv: "drive.example/file/1" } };
    const registered = await stage.register(body.item.id, email, mine);
    expect(registered.body.registration.dynamicResponses).toEqual({ cv: "https://drive.example/file/1" });

    await send("POST", "/members/grant", { email, firstName: "Ada", lastName: "L" });
    const profile = await send(
      "PATCH",
      "/profiles/user/",
      { linkedIn: "linkedin.com/in/ada", additionalLink: "" },
      email,
    );
    expect(profile.body.profile).toMatchObject({ linkedIn: "https://linkedin.com/in/ada", additionalLink: "" });

    const links = { shop: "shop.example/mug" };
    expect((await send("POST", "/prizes", { name: "Mug", price: 1, links })).body.item.links).toEqual({
      shop: "https://shop.example/mug",
    });
    const listed = { name: "Mug", price: 1, links: ["shop.example", "http://b.example"] };
    expect((await send("POST", "/prizes", listed)).body.item.links).toEqual([
      "https://shop.example",
      "http://b.example",
    ]);
  });

  test.each(["javascript:alert(1)", "//evil.example", "ada@x.example", "in/ada lovelace", "data:text/html,x", "@ada"])(
    "is refused with an example when it is none: %s",
    async (linkedIn) => {
      const message = "linkedIn must be a web address such as https://example.com/page.";
      expect(await send("PATCH", "/profiles/user/", { linkedIn }, member)).toMatchObject(refused(message, "/linkedIn"));
    },
  );

  test("is no address to send a payer to: a program sends that, with its scheme", async () => {
    const id = await stage.givenEvent({ pricing: { member: 5, nonMember: 5 } });
    await stage.register(id, user);
    const payment = { paymentType: "Event", eventID: id, year, success_url: "localhost.example:3000/paid" };
    expect(await send("POST", "/payments", payment, user)).toMatchObject(refused(/^success_url must /, "/success_url"));
  });
});

describe("a value that says nothing where one is needed is refused", () => {
  const image = { fileType: "image/png", fileName: "a.png", prefix: "original", eventId: "gala" };
  test.each<[string, string, object, string]>([
    ["POST", "/events/event-image-upload-url", { ...image, prefix: "" }, "/prefix"],
    ["POST", "/events/event-image-upload-url", { ...image, prefix: " " }, "/prefix"],
    ["POST", "/events/event-image-upload-url", { ...image, fileName: "" }, "/fileName"],
    ["POST", "/events/event-image-upload-url", { ...image, fileName: "\t" }, "/fileName"],
    ["POST", "/events/event-image-upload-url", { ...image, fileType: "" }, "/fileType"],
    ["PUT", "/registrations/massUpdate", { eventID: "gala", year, updates: [] }, "/updates"],
    ["DELETE", "/registrations", { eventID: "gala", year, ids: [] }, "/ids"],
    [
      "POST",
      "/events",
      { id: "e", year, ename: "E", registrationQuestions: [{ label: " ", type: "TEXT", required: true }] },
      "/registrationQuestions/0/label",
    ],
    [
      "POST",
      "/emails/send",
      { templateName: "t", audience: { eventID: "gala", year, status: [] } },
      "/audience/status",
    ],
  ])("%s %s %j", async (method, path, body, at) => {
    expect(await send(method, path, body)).toMatchObject({ status: 400, body: { issues: [{ path: at }] } });
  });
});

describe("a request that says two things at once is refused, and does neither", () => {
  test("two events, in body and query", async () => {
    const [id, other] = [await stage.givenEvent(), await stage.givenEvent()];
    for (const event of [id, other]) await stage.register(event, user);
    const both = await send(
      "DELETE",
      `/registrations/${user}?eventID=${other}&year=${year}`,
      { eventID: id, year },
      user,
    );
    expect(both).toMatchObject(refused("eventID must be the same in body and query.", "/eventID"));
    expect([await stage.statusOf(id, user), await stage.statusOf(other, user)]).toEqual(["registered", "registered"]);
    const same = `/registrations/${user}?eventID=${id}&year=${year}`;
    expect((await send("DELETE", same, { eventID: id, year }, user)).status).toBe(200);
  });

  test("two years, and two addresses", async () => {
    const updates = [{ email: user, points: 1 }];
    const years = { eventID: "gala", year, eventYear: 2031, updates };
    expect(await send("PUT", "/registrations/massUpdate", years)).toMatchObject(
      refused("eventYear must be the same as year.", "/eventYear"),
    );
    const address = await send("DELETE", `/emails/suppressions?email=${member}`, { email: user });
    expect(address).toMatchObject(refused("email must be the same in body and query.", "/email"));
    const [email, id] = [newEmail(), newEmail()];
    expect(await send("POST", "/users", { email, id })).toMatchObject(refused("id must be the same as email.", "/id"));
    expect(await stage.storedItemsWith(email)).toEqual([]);
  });

  test("the ticket of one person and the address of another", async () => {
    const id = await stage.givenEvent();
    const [ada, bob] = [newEmail(), newEmail()];
    const { ticketCode: code } = (await stage.register(id, ada)).body.registration;
    await stage.register(id, bob);
    const event = { eventID: id, year };
    expect(await send("POST", "/registrations/check-in", { ...event, code, email: bob })).toMatchObject(
      refused(/^email must be that of the ticket/, "/email"),
    );
    expect([await stage.statusOf(id, ada), await stage.statusOf(id, bob)]).toEqual(["registered", "registered"]);
    expect((await send("POST", "/registrations/check-in", { ...event, code, email: ada })).status).toBe(200);
  });
});

test("a field that never changes is named, also when it is alone", async () => {
  const { body } = await send("PATCH", "/users/self", { admin: true }, user);
  expect(body).toMatchObject({ code: "VALIDATION", message: "admin cannot be changed." });
});

test("a name that is wrong is told once, with the place where it stands", async () => {
  const favourite = await send("PATCH", "/users/favEvent/self", { eventId: "gala", year }, user);
  expect(favourite).toMatchObject(refused("eventId must be spelled eventID.", "/eventId"));
  const links = await send("POST", "/prizes", { name: "Mug", price: 1, links: { " ": "shop.example" } });
  expect(links).toMatchObject(
    refused("links has a name that must be a single line that is not blank or only dots.", "/links"),
  );
});

test("a sentence names questions as people know them, and lists in the way people count", async () => {
  const id = newEventId();
  const asked = [
    { questionId: "1", label: "What do\nyou eat?", type: "TEXT", required: true },
    { questionId: "q2", label: "x".repeat(300), type: "TEXT", required: true },
  ];
  const questions = [...asked, { type: "TEXT", required: "yes" }];
  expect(await stage.createEvent({ id, registrationQuestions: questions })).toMatchObject(
    refused(
      "label of entry 3 of registrationQuestions is required; required of entry 3 of registrationQuestions must be true or false.",
      "/registrationQuestions/2/label",
      "/registrationQuestions/2/required",
    ),
  );
  await stage.createEvent({ id, startDate: "2030-05-01", registrationQuestions: asked });
  expect(await stage.register(id, newEmail())).toMatchObject(
    refused(
      `"What do you eat?" is required; "${"x".repeat(79)}…" is required.`,
      "/dynamicResponses/1",
      "/dynamicResponses/q2",
    ),
  );
  expect(await stage.register(id, newEmail(), { dynamicResponses: { 1: 7 } })).toMatchObject(
    refused("1 of dynamicResponses must be text or a list, or null.", "/dynamicResponses/1"),
  );
});
