/**
 * Opening checkouts: from an unpaid seat, or the membership form, to the provider's page (`docs/contract.md`,
 * "Payments").
 */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Answer, exec, newEmail, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

const pricing = { member: 5, nonMember: 12.34 };

/** Makes a priced event with one registration. @returns the event's id and the person's email */
async function givenUnpaid(event: object = {}): Promise<{ id: string; email: string }> {
  const email = newEmail();
  const id = await stage.givenEvent({ capac: 5, pricing, ...event });
  const answer = await stage.register(id, email);
  expect(answer).toMatchObject({ status: 201 });
  return { id, email };
}
const pay = (email: string, body: object): Promise<Answer> => stage.api("POST", "/payments", { as: email, body });
const payFor = (id: string, email: string, more: object = {}) =>
  pay(email, { paymentType: "Event", eventID: id, year, ...more });
const sessionsOf = (email: string) => stage.payments.sessions().filter((one) => one.customer_email === email);

describe("a checkout for an event", () => {
  test("leads to the provider's page, and the seat is held as long as the session lasts", async () => {
    const { id, email } = await givenUnpaid();
    const success_url = "http://localhost:3000/paid?session={CHECKOUT_SESSION_ID}";
    const { status, body: url, headers } = await payFor(id, email, { success_url, email: exec });
    expect({ status, type: headers.get("content-type") }).toEqual({ status: 200, type: "application/json" });
    const page = await fetch(url);
    expect(await page.text()).toContain("12.34");
    const [session, ...others] = sessionsOf(email);
    expect(others).toEqual([]);
    expect(session).toMatchObject({
      ...{ amount_total: 1_234, currency: "cad", mode: "payment", metadata: {}, url },
      ...{ success_url, cancel_url: "http://localhost:3000" },
    });
    const registration = await stage.registrationOf(id, email, email);
    expect(registration).toMatchObject({ registrationStatus: "incomplete", checkoutLink: url });
    expect(registration.holdExpiresAt).toBe((Number(session?.expires_at) + 120) * 1_000);
    expect((await stage.registrationOf(id, email)).checkoutLink).toBe(url);
  });

  test("that is requested many times, also at once, has one page", async () => {
    const { id, email } = await givenUnpaid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => payFor(id, email)));
    answers.push(await payFor(id, email));
    const [session, ...others] = sessionsOf(email);
    expect(others).toEqual([]);
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, session?.url]));
    const again = await stage.register(id, email);
    expect(again).toMatchObject({ status: 200, body: { registration: { checkoutLink: session?.url } } });
  });

  test("after a change of the price has one page that can be paid", async () => {
    const { id, email } = await givenUnpaid();
    await payFor(id, email);
    await stage.changeEvent(id, { pricing: { member: 5, nonMember: 20 } });
    const { body: url } = await payFor(id, email);
    expect(sessionsOf(email).map(({ status, amount_total }) => [status, amount_total])).toEqual([
      ["expired", 1_234],
      ["open", 2_000],
    ]);
    expect((await stage.registrationOf(id, email, email)).checkoutLink).toBe(url);
  });

  test("has no link any more when the person cancels", async () => {
    const { id, email } = await givenUnpaid();
    await payFor(id, email);
    const cancelled = await stage.moveTo(id, email, "cancelled", email);
    expect(cancelled.body.registration).not.toHaveProperty("checkoutLink");
    expect(await payFor(id, email)).toMatchObject({ status: 409, body: { code: "NOTHING_TO_PAY" } });
  });

  test("has no link any more when an admin confirms the registration", async () => {
    const { id, email } = await givenUnpaid();
    await payFor(id, email);
    const { body } = await stage.moveTo(id, email, "registered");
    expect(body.registration).toMatchObject({ registrationStatus: "registered" });
    expect(body.registration).not.toHaveProperty("checkoutLink");
  });

  test("keeps its link when the person changes answers", async () => {
    const { id, email } = await givenUnpaid();
    const { body: url } = await payFor(id, email);
    const { body } = await stage.changeRegistration(id, email, { basicInformation: { fname: "Ada" } }, email);
    expect(body.registration).toMatchObject({ fname: "Ada", checkoutLink: url });
    expect((await payFor(id, email)).body).toBe(url);
  });

  test("whose price was below the provider's minimum already is refused with a reason", async () => {
    const { id, email } = await givenUnpaid({ pricing: { member: 5, nonMember: 5 } });
    const [event] = (await stage.stored(`EVENT#${id}#${year}`)).filter(({ SK }) => SK === "META");
    const Item = { ...event, pricing: { member: 0.1, nonMember: 0.2 } };
    await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
    const { status, body } = await payFor(id, email);
    expect({ status, message: body.message }).toEqual({ status: 409, message: expect.stringContaining("too small") });
  });
});

describe("a checkout is refused for", () => {
  test.each<[string, object, string]>([
    ["no type", { eventID: "e", year }, "/paymentType"],
    ["an unknown type", { paymentType: "Donation" }, "/paymentType"],
    ["an event without id", { paymentType: "Event", year }, "/eventID"],
    ["an event without year", { paymentType: "Event", eventID: "e" }, "/year"],
    ["an event of a year in words", { paymentType: "Event", eventID: "e", year: "in 2033" }, "/year"],
    ["a way out of the application", { paymentType: "Member", success_url: "https://evil.example" }, "/success_url"],
    ["a look-alike", { paymentType: "Member", cancel_url: "http://localhost:3000@evil.example/" }, "/cancel_url"],
    ["a script", { paymentType: "Member", cancel_url: "javascript:alert(1)" }, "/cancel_url"],
  ])("%s", async (_, body, path) => {
    const email = newEmail();
    const answer = await pay(email, body);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION", issues: [{ path }] } });
    expect(sessionsOf(email)).toEqual([]);
  });

  test("an unknown event, a missing registration and a free event", async () => {
    const { id, email } = await givenUnpaid({ pricing: undefined });
    // As for an event that the person may not see.
    expect(await payFor("nothing", email)).toMatchObject({ status: 404, body: { message: "Registration not found." } });
    expect(await payFor(id, newEmail())).toMatchObject({ status: 404, body: { message: "Registration not found." } });
    expect(await payFor(id, email)).toMatchObject({ status: 409, body: { code: "NOTHING_TO_PAY" } });
  });
});

describe("a checkout for a membership", () => {
  const form = { first_name: "Grace", last_name: "Hopper", year: "4", topics: "ships, code", prev_member: true };

  test("leads to the provider's page, and the provider gets no field of the form", async () => {
    const email = newEmail();
    const { status, body: url } = await pay(email, { paymentType: "Member", ...form });
    expect({ status, url }).toEqual({ status: 200, url: sessionsOf(email)[0]?.url });
    expect(sessionsOf(email)[0]).toMatchObject({ amount_total: 1_500, currency: "cad" });
    expect(JSON.stringify(sessionsOf(email))).not.toMatch(/Grace|Hopper|ships/);
    const checkout = (await stage.stored(`PAY#${sessionsOf(email)[0]?.client_reference_id}`))[0];
    expect(checkout).toMatchObject({
      purpose: {
        kind: "membership",
        form: { firstName: "Grace", year: "4", topics: ["ships", "code"], prevMember: true },
      },
    });
  });

  test("keeps its page when the form is corrected, and reads a year that is a number", async () => {
    const email = newEmail();
    const { body: url } = await pay(email, { paymentType: "OAuthMember", ...form });
    expect((await pay(email, { paymentType: "Member", firstName: "Ada", year: 2 })).body).toBe(url);
    const checkout = (await stage.stored(`PAY#${sessionsOf(email)[0]?.client_reference_id}`))[0];
    expect(checkout).toMatchObject({ purpose: { form: { firstName: "Ada", year: "2" } } });
  });

  const formFor = async (email: string) => {
    const checkout = (await stage.stored(`PAY#${sessionsOf(email)[0]?.client_reference_id}`))[0];
    return (checkout as { purpose: { form: object } }).purpose.form;
  };
  const withToken = async (email: string, claims: object, body: object) => {
    const token = await stage.identity.idToken(email, { ...claims });
    return stage.api("POST", "/payments", { token, body: { paymentType: "Member", ...body } });
  };

  test("takes the names of the form as the web application spells them", async () => {
    const email = newEmail();
    await stage.api("POST", "/users", { as: email, body: { fname: "Other", lname: "Name" } });
    expect((await pay(email, { paymentType: "Member", fname: "Grace", lname: "Hopper" })).status).toBe(200);
    expect(await formFor(email)).toEqual({ firstName: "Grace", lastName: "Hopper" });
  });

  test("takes the account's names, else those of the token", async () => {
    const [known, unknown] = [newEmail(), newEmail()];
    await stage.api("POST", "/users", { as: known, body: { fname: "Grace" } });
    const claims = { given_name: "Gigi", family_name: "Hopper" };
    for (const email of [known, unknown]) expect((await withToken(email, claims, { fname: " " })).status).toBe(200);
    expect(await formFor(known)).toEqual({ firstName: "Grace", lastName: "Hopper" });
    expect(await formFor(unknown)).toEqual({ firstName: "Gigi", lastName: "Hopper" });
    // A corrected form without names keeps them.
    expect((await withToken(known, claims, { major: "Logic" })).status).toBe(200);
    expect(await formFor(known)).toEqual({ firstName: "Grace", lastName: "Hopper", major: "Logic" });
  });

  test.each([{}, { lname: "Hopper" }, { fname: " ", first_name: null }])(
    "without a name is a 400: %j",
    async (form) => {
      const email = newEmail();
      expect(await withToken(email, { given_name: "Ada\n", family_name: "" }, form)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION", issues: expect.arrayContaining([{ path: "/firstName", message: "is required" }]) },
      });
      expect(sessionsOf(email)).toEqual([]);
      expect(await stage.stored(`USER#${email}`)).toEqual([]);
    },
  );

  test("is refused with NOTHING_TO_PAY for members and admins", async () => {
    const email = newEmail();
    await stage.api("POST", "/users", { as: exec, body: { email, fname: "Ada", isMember: true } });
    for (const as of [email, exec]) {
      expect(await pay(as, { paymentType: "Member", ...form })).toMatchObject({
        status: 409,
        body: { code: "NOTHING_TO_PAY" },
      });
    }
  });
});

describe("an unpaid seat that costs nothing any more", () => {
  const free = { pricing: { member: 0, nonMember: 0 } };

  test("is confirmed when the person registers again", async () => {
    const { id, email } = await givenUnpaid();
    await payFor(id, email);
    await stage.changeEvent(id, free);
    expect(await payFor(id, email)).toMatchObject({ status: 409, body: { code: "NOTHING_TO_PAY" } });
    const again = await stage.register(id, email);
    expect(again).toMatchObject({
      status: 200,
      body: { registrationStatus: "registered", message: "You are registered." },
    });
    expect(again.body.registration).not.toHaveProperty("checkoutLink");
    expect(again.body.registration).not.toHaveProperty("holdExpiresAt");
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 1, incompleteCount: 0, seatsTaken: 1 });
  });

  test("is confirmed when a person who became a member registers again", async () => {
    const { id, email } = await givenUnpaid({ pricing: { member: 0, nonMember: 5 } });
    await stage.api("POST", "/users", { as: exec, body: { email, fname: "Ada", isMember: true } });
    const again = await stage.register(id, email);
    expect(again).toMatchObject({ status: 200, body: { registrationStatus: "registered" } });
  });

  test("is confirmed by an accepted applicant with a PUT", async () => {
    const { id, email } = await givenUnpaid({ isApplicationBased: true });
    const accepted = await stage.changeRegistration(id, email, { applicationStatus: "accepted" });
    expect(accepted.body.registrationStatus).toBe("acceptedPending");
    expect(await stage.moveTo(id, email, "acceptedComplete", email)).toMatchObject({
      status: 409,
      body: { code: "ILLEGAL_TRANSITION", message: expect.stringContaining("pay first") },
    });
    await payFor(id, email);
    await stage.changeEvent(id, free);
    const confirmed = await stage.moveTo(id, email, "acceptedComplete", email);
    expect(confirmed).toMatchObject({ status: 200, body: { registrationStatus: "acceptedComplete" } });
    expect(confirmed.body.registration).not.toHaveProperty("checkoutLink");
  });

  test.each([free.pricing, undefined])(
    "is confirmed by the request to pay of an accepted applicant: %j",
    async (pricing) => {
      const { id, email } = await givenUnpaid({ isApplicationBased: true, pricing });
      await stage.changeRegistration(id, email, { applicationStatus: "accepted" });
      const success_url = "http://localhost:3000/welcome";
      const headers = { "idempotency-key": `free-${id}` };
      const body = { paymentType: "Event", eventID: id, year, success_url };
      const answers = [];
      for (const _ of [1, 2]) answers.push(await stage.api("POST", "/payments", { as: email, body, headers }));
      answers.push(await payFor(id, email, { success_url }));
      expect(answers.map(({ status, body: url }) => [status, url])).toEqual(answers.map(() => [200, success_url]));
      expect(await stage.registrationOf(id, email)).toMatchObject({ registrationStatus: "acceptedComplete" });
      expect(await stage.countsOf(id)).toMatchObject({ acceptedCount: 1, seatsTaken: 1 });
      expect(sessionsOf(email)).toEqual([]);
      // Another person has no registration there, and confirms nothing.
      expect((await payFor(id, newEmail())).status).toBe(404);
    },
  );

  test("differs from one with a price: that stays unpaid, whichever request the person or an admin sends", async () => {
    const { id, email } = await givenUnpaid();
    const again = await stage.register(id, email);
    expect(again).toMatchObject({ status: 200, body: { registrationStatus: "incomplete" } });
    const byAdmin = await stage.registerByAdmin(id, email);
    expect(byAdmin).toMatchObject({ status: 200, body: { registrationStatus: "incomplete" } });
    expect((await stage.moveTo(id, email, "registered", email)).status).toBe(403);
  });
});
