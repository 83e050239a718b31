/** What a mail's link can do, and what it cannot (`docs/contract.md`, "Links"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { newEmail, times, year } from "./given.ts";
import { linkOf } from "./link-of.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const asked = (method: string, secret: string, body?: object, path = "/links/registration") =>
  stage.api(method, path, { headers: { authorization: `Link ${secret}` }, ...(body && { body }) });

async function givenLink(
  fields: Readonly<Record<string, unknown>> = {},
  purpose: "registration" | "feedback" = "registration",
  form = {},
) {
  const [eventID, email] = [await stage.givenEvent(fields), newEmail()];
  expect((await stage.register(eventID, email, form)).status).toBe(201);
  return { eventID, email, secret: await linkOf(stage, purpose, { eventID, email, year }) };
}

describe("a link of a mail", () => {
  test("leads to the registration, which can be confirmed and cancelled; the seat goes to the next in line", async () => {
    const [eventID, email, next] = [await stage.givenEvent({ capac: 1 }), newEmail(), newEmail()];
    await stage.register(eventID, email);
    await stage.register(eventID, next);
    await stage.settled();
    const secret = stage.secretTo(email);
    const seen = await asked("GET", secret);
    expect(seen).toMatchObject({
      status: 200,
      body: {
        event: { id: eventID },
        registration: { email, registrationStatus: "registered" },
        may: ["cancel", "come"],
      },
    });
    const coming = await asked("PUT", secret, { coming: true, seenStatus: "registered" });
    expect(coming).toMatchObject({
      status: 200,
      body: { registration: { coming: expect.any(Number) }, may: ["cancel"] },
    });
    expect((await asked("PUT", secret, { coming: true, seenStatus: "registered" })).body.registration).toEqual(
      coming.body.registration,
    );
    const cancelled = await asked("PUT", secret, { registrationStatus: "cancelled", seenStatus: "registered" });
    expect(cancelled).toMatchObject({
      status: 200,
      body: { registration: { registrationStatus: "cancelled" }, may: ["again"] },
    });
    expect((await asked("PUT", secret, { registrationStatus: "cancelled", seenStatus: "registered" })).status).toBe(
      200,
    );
    expect(await stage.statusOf(eventID, next)).toBe("registered");
  });

  test("accepts a seat, and shows the place in line", async () => {
    const accepted = await givenLink({ isApplicationBased: true });
    await stage.changeRegistration(accepted.eventID, accepted.email, { applicationStatus: "accepted" });
    expect((await asked("GET", accepted.secret)).body.may).toEqual(["cancel", "accept", "come"]);
    const confirmed = await asked("PUT", accepted.secret, {
      registrationStatus: "acceptedComplete",
      seenStatus: "accepted",
    });
    expect(confirmed.body.registration.registrationStatus).toBe("acceptedComplete");
    const eventID = await stage.givenEventWith([newEmail()], { capac: 1 });
    const email = newEmail();
    await stage.register(eventID, email);
    const waiting = await asked("GET", await linkOf(stage, "registration", { eventID, email, year }));
    expect(waiting.body).toMatchObject({ registration: { waitlistPosition: 1 }, may: ["cancel"] });
    const early = await asked("PUT", await linkOf(stage, "registration", { eventID, email, year }), {
      coming: true,
      seenStatus: "waitlist",
    });
    expect(early).toMatchObject({ status: 409, body: { code: "ILLEGAL_TRANSITION" } });
  });

  test("edits the answers, under the rules of the form", async () => {
    const question = { questionId: "diet", label: "Diet", type: "SELECT", required: true, choices: ["all", "vegan"] };
    const dynamicResponses = { diet: "all" };
    const { secret } = await givenLink({ registrationQuestions: [question] }, "registration", { dynamicResponses });
    const changed = await asked("PUT", secret, { dynamicResponses: { diet: "vegan" }, seenStatus: "registered" });
    expect(changed.body).toMatchObject({
      registration: { dynamicResponses: { diet: "vegan" } },
      questions: [question],
    });
    expect((await asked("PUT", secret, { dynamicResponses: { diet: "stone" }, seenStatus: "registered" })).status).toBe(
      400,
    );
  });

  test("shows nothing about money", async () => {
    const { secret } = await givenLink({ pricing: { member: 10, nonMember: 10 } });
    const { body } = await asked("GET", secret);
    expect(body.registration).toMatchObject({ registrationStatus: "incomplete" });
    expect(Object.keys(body.registration)).not.toContain("checkoutLink");
  });

  test("gives the person's feedback, once for link and account", async () => {
    const form = { attendeeFeedbackEnabled: true };
    const { eventID, email, secret } = await givenLink(form, "feedback");
    await stage.changeEvent(eventID, { startDate: new Date().toISOString() });
    const body = { responses: { "overall-rating": 9 } };
    expect((await asked("GET", secret, undefined, "/links/feedback")).body).toMatchObject({ enabled: true });
    const given = await asked("POST", secret, body, "/links/feedback");
    const again = await stage.api("POST", `/events/${eventID}/${year}/feedback/attendee`, { as: email, body });
    expect([given.status, again.status, given.body.id]).toEqual([201, 201, again.body.id]);
    expect((await asked("GET", secret, undefined, "/links/feedback")).body.mine).toMatchObject(body);
    const link = await linkOf(stage, "registration", { eventID, email, year });
    expect((await asked("GET", link)).body).toMatchObject({
      isOver: false,
      event: { when: expect.stringMatching(/M [A-Z]/) },
    });
    await stage.changeEvent(eventID, { startDate: "2026-01-15" });
    expect((await asked("GET", link)).body).toMatchObject({
      isOver: true,
      event: { when: "Thursday, January 15, 2026" },
    });
  });
});

describe("a link is refused", () => {
  const refused = { status: 401, body: { code: "UNAUTHENTICATED", message: "This link is not valid (any more)." } };

  test.each([
    ["for another purpose", async () => (await givenLink({}, "feedback")).secret],
    [
      "to a deleted registration",
      async () => {
        const { eventID, email, secret } = await givenLink();
        await stage.leave(eventID, email);
        return secret;
      },
    ],
    [
      "to the registration of before",
      async () => {
        const { eventID, email, secret } = await givenLink();
        await stage.moveTo(eventID, email, "cancelled", email);
        expect((await stage.register(eventID, email)).status).toBe(201);
        return secret;
      },
    ],
    [
      "to an event that was created again",
      async () => {
        const { eventID, email, secret } = await givenLink();
        await stage.deleteEvent(eventID, "?force=true");
        await stage.settled();
        await stage.givenEvent({ id: eventID });
        await stage.register(eventID, email);
        return secret;
      },
    ],
  ])("%s", async (_name, secretOf) => {
    const secret = await secretOf();
    expect(await asked("GET", secret)).toMatchObject(refused);
    expect(await asked("PUT", secret, { registrationStatus: "cancelled", seenStatus: "registered" })).toMatchObject(
      refused,
    );
  });
});

test("scanners that open every link of a mail change nothing", async () => {
  const links = await Promise.all([givenLink(), givenLink()]);
  const records = () => Promise.all(links.map(({ eventID, email }) => stage.registrationOf(eventID, email)));
  const before = await records();
  await Promise.all(links.flatMap(({ secret }) => times(3, () => asked("GET", secret))));
  expect(await records()).toEqual(before);
});
