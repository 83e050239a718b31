/** Errors that say what to do instead, and requests that ask for nothing (`docs/contract.md`, "Errors"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail, user, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
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

describe("a change that names nothing to change is refused with the fields that it may name", () => {
  let id = "";
  let email = "";
  beforeAll(async () => {
    id = await stage.givenEvent();
    email = newEmail();
    await stage.register(id, email);
  });

  test("with an event, or with a registration, which always has its event", async () => {
    const event = await send("PATCH", `/events/${id}/${year}`, { id, year, counts: 1 });
    expect(event).toMatchObject(refused(/^The body must name something to change: ename, /, "/"));
    const registration = await send("PUT", `/registrations/${email}/Ada`, { eventID: id, year, status: "x" });
    expect(registration).toMatchObject(refused(/^The body must name something to change: registrationStatus, /, "/"));
  });
});

describe("a second registration", () => {
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
