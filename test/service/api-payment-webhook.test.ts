/**
 * From the provider's page to a seat, a membership or a refund, with the real functions (`docs/contract.md`, "Payment
 * webhook").
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { exec } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage();
}, 60_000);
afterAll(() => stage.close());

const year = 2033;
const priced = { pricing: { members: 5, nonMembers: 10 }, startDate: "2033-05-01T18:00:00Z" };
const [a, b] = ["a@payer.example", "b@payer.example"];

const givenEvent = (id: string, capac: number) =>
  stage.api("POST", "/events", { as: exec, body: { id, year, ename: `Event ${id}`, capac, ...priced } });
const register = async (eventID: string, email: string) => {
  const { body } = await stage.api("POST", "/registrations", {
    as: email,
    body: { eventID, year, email, fname: "Ada" },
  });
  return body.registrationStatus;
};
const registrationOf = async (eventID: string, email: string) => {
  const { body } = await stage.api("GET", `/registrations?eventID=${eventID}&year=${year}&email=${email}`, {
    as: email,
  });
  return body.data[0];
};

/** Opens a checkout. @returns the id of its session */
async function checkout(email: string, body: object): Promise<string> {
  const answer = await stage.api("POST", "/payments", { as: email, body });
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining(stage.outputs.paymentsUrl)]);
  const session = stage.payments.sessions().find(({ url }) => url === answer.body);
  return (session as { id: string }).id;
}
const eventCheckout = (eventID: string, email: string) => checkout(email, { paymentType: "Event", eventID, year });

async function chat(): Promise<string[]> {
  const response = await fetch(`${stage.outputs.chatUrl}/messages`);
  return ((await response.json()) as { text: string }[]).map(({ text }) => text);
}
const subjectsTo = (email: string): string[] =>
  stage.mailbox
    .list()
    .filter(({ destination }) => destination.to.some((to) => to.includes(email)))
    .map(({ subject }) => subject);
/** @returns the id of the checkout that the session belongs to */
const referenceOf = (session: string) =>
  stage.payments.sessions().find(({ id }) => id === session)?.client_reference_id;
const statusOf = (session: string) => stage.payments.sessions().find(({ id }) => id === session)?.status;

describe("a payment for a seat", () => {
  test("registers the person once, however often the provider sends the event", async () => {
    await givenEvent("paid", 5);
    expect(await register("paid", a)).toBe("incomplete");
    stage.payments.duplicate(3);
    stage.payments.pay(await eventCheckout("paid", a));
    await stage.settled();
    stage.payments.duplicate(0);
    const registration = await registrationOf("paid", a);
    expect(registration).toMatchObject({ registrationStatus: "registered" });
    expect(registration).not.toHaveProperty("checkoutLink");
    const confirmations = subjectsTo(a).filter((subject) => subject === "You're registered: Event paid");
    expect(confirmations).toHaveLength(1);
    expect((await chat()).filter((text) => text.includes("Refund"))).toEqual([]);
  });

  test("is not possible after the registration was cancelled", async () => {
    await givenEvent("gone", 5);
    await register("gone", a);
    const session = await eventCheckout("gone", a);
    await stage.api("PUT", `/registrations/${a}/Ada`, {
      as: a,
      body: { eventID: "gone", year, registrationStatus: "cancelled" },
    });
    await stage.settled();
    expect(statusOf(session)).toBe("expired");
    expect(() => stage.payments.pay(session)).toThrow();
  });

  test("that arrives after the person cancelled asks for a refund, and the next in line keeps the seat", async () => {
    await givenEvent("late", 1);
    await register("late", a);
    const session = await eventCheckout("late", a);
    expect(await register("late", b)).toBe("waitlist");
    // The provider has the money, but sends its event only after the next in line has the seat.
    stage.payments.holdBack();
    stage.payments.pay(session);
    const cancelled = { eventID: "late", year, registrationStatus: "cancelled" };
    await stage.api("PUT", `/registrations/${a}/Ada`, { as: a, body: cancelled });
    expect(await registrationOf("late", b)).toMatchObject({ registrationStatus: "incomplete" });
    await stage.payments.release();
    await stage.settled();
    expect(await registrationOf("late", a)).toMatchObject({ registrationStatus: "cancelled" });
    const refunds = (await chat()).filter((text) => text.includes(session));
    expect(refunds).toEqual([
      expect.stringMatching(/^Refund needed: 10\.00 CAD for late 2033, there was nothing to pay/),
    ]);
    stage.payments.pay(await eventCheckout("late", b));
    await stage.settled();
    expect(await registrationOf("late", b)).toMatchObject({ registrationStatus: "registered" });
    expect(subjectsTo(b)).toContain("You're registered: Event late");
  });

  test("that does not come before the session expires leaves the seat to the next in line", async () => {
    await givenEvent("expired", 1);
    await register("expired", a);
    const session = await eventCheckout("expired", a);
    await register("expired", b);
    stage.payments.expire(session);
    await stage.settled();
    expect(await registrationOf("expired", a)).toMatchObject({ registrationStatus: "cancelled" });
    expect(await registrationOf("expired", b)).toMatchObject({ registrationStatus: "incomplete" });
  });
});

test("an event that does not name the checkout is matched by its session", async () => {
  await givenEvent("nameless", 5);
  await register("nameless", a);
  const session = await eventCheckout("nameless", a);
  const object = {
    id: session,
    object: "checkout.session",
    payment_status: "paid",
    amount_total: 1_000,
    currency: "cad",
  };
  const event = { id: "evt_nameless", object: "event", type: "checkout.session.completed" };
  const send = async (data: object) => {
    const body = JSON.stringify({ ...event, data: { object: { ...object, ...data } } });
    const secret = stage.outputs.webhookSecret;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
    return stage.api("POST", "/payments/webhook", { body, headers: { "stripe-signature": signature } });
  };
  // The session of another system changes nothing.
  expect(await send({ id: "cs_other" })).toMatchObject({ status: 200, body: { received: true } });
  expect(await registrationOf("nameless", a)).toMatchObject({ registrationStatus: "incomplete" });
  expect(await send({})).toMatchObject({ status: 200, body: { received: true } });
  expect(await registrationOf("nameless", a)).toMatchObject({ registrationStatus: "registered" });
});

test("the deletion of an account closes the open page for its membership and forgets the form", async () => {
  const email = "leaves@payer.example";
  await stage.api("POST", "/users", { as: email, body: { fname: "Grace" } });
  const session = await checkout(email, { paymentType: "Member", first_name: "Grace" });
  expect((await stage.api("DELETE", "/users/self", { as: email })).status).toBe(200);
  await stage.settled();
  expect(statusOf(session)).toBe("expired");
  const stored = await stage.stored(`PAY#${referenceOf(session)}`);
  expect(stored).toEqual([expect.objectContaining({ SK: "CHECKOUT", purpose: { kind: "membership", form: {} } })]);
  // A person who comes back can pay.
  expect(await checkout(email, { paymentType: "Member" })).not.toBe(session);
});

test("a payment for a membership makes a member with the fields of the form", async () => {
  const email = "new@payer.example";
  const form = { paymentType: "Member", first_name: "Ada", last_name: "Lovelace", pronouns: "she" };
  const session = await checkout(email, form);
  // The provider gets no field of the form.
  const known = stage.payments.sessions().find(({ id }) => id === session);
  expect(JSON.stringify(known)).not.toContain("Lovelace");
  stage.payments.pay(session);
  await stage.settled();
  expect((await stage.api("GET", "/users/self", { as: email })).body).toMatchObject({ isMember: true, admin: false });
  expect((await stage.api("GET", "/profiles/user/", { as: email })).body).toMatchObject({ fname: "Ada" });
  expect((await stage.api("GET", `/members/${email}`, { as: exec })).body).toMatchObject({ firstName: "Ada" });
});
