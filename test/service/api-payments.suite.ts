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
      ...{ success_url, cancel_url: expect.stringMatching(/^http:\/\/localhost:\d+$/) },
    });
    const registration = await stage.registrationOf(id, email, email);
    expect(registration).toMatchObject({ registrationStatus: "incomplete", checkoutLink: url });
    expect(registration.holdExpiresAt).toBe((Number(session?.expires_at) + 120) * 1_000);
    expect((await stage.registrationOf(id, email)).checkoutLink).toBe(url);
  });
});

describe("a checkout is refused for", () => {
  test.each<[string, object, string]>([
    ["an event without year", { paymentType: "Event", eventID: "e" }, "/year"],
    ["a way out of the application", { paymentType: "Member", success_url: "https://evil.example" }, "/success_url"],
    ["a look-alike", { paymentType: "Member", cancel_url: "http://localhost:3000@evil.example/" }, "/cancel_url"],
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

  test("takes a missing name from the token", async () => {
    const email = newEmail();
    const token = await stage.identity.idToken(email, { given_name: "Gigi", family_name: "Hopper" });
    expect((await stage.api("POST", "/payments", { token, body: { paymentType: "Member" } })).status).toBe(200);
    const [checkout] = await stage.stored(`PAY#${sessionsOf(email)[0]?.client_reference_id}`);
    expect(checkout).toMatchObject({ purpose: { form: { firstName: "Gigi", lastName: "Hopper" } } });
  });

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

test("an accepted applicant's request to pay confirms a seat that costs nothing", async () => {
  const { id, email } = await givenUnpaid({ isApplicationBased: true, pricing: undefined });
  await stage.changeRegistration(id, email, { applicationStatus: "accepted" });
  const success_url = "http://localhost:3000/welcome";
  for (const _ of [1, 2])
    expect(await payFor(id, email, { success_url })).toMatchObject({ status: 200, body: success_url });
  expect(await stage.registrationOf(id, email)).toMatchObject({ registrationStatus: "acceptedComplete" });
  expect(await stage.countsOf(id)).toMatchObject({ acceptedCount: 1, seatsTaken: 1 });
  expect(sessionsOf(email)).toEqual([]);
});
