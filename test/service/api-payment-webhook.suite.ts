/**
 * From the provider's page to a seat, a membership or a refund, with the real functions (`docs/contract.md`, "Payment
 * webhook").
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { ada, exec, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const [a, b] = ["a@payer.example", "b@payer.example"];

const priced = { pricing: { members: 5, nonMembers: 10 } };

/** @returns the id of the checkout that the session belongs to */
const referenceOf = (session: string) =>
  stage.payments.sessions().find(({ id }) => id === session)?.client_reference_id;
const statusOf = (session: string) => stage.payments.sessions().find(({ id }) => id === session)?.status;

describe("a payment for a seat", () => {
  test("registers the person once, however often the provider sends the event", async () => {
    await stage.givenEvent({ id: "paid", capac: 5, ...priced });
    expect((await stage.register("paid", a, ada)).body.registrationStatus).toBe("incomplete");
    stage.payments.duplicate(3);
    stage.payments.pay((await stage.eventCheckout("paid", a)).id);
    await stage.settled();
    stage.payments.duplicate(0);
    const registration = await stage.registrationOf("paid", a, a);
    expect(registration).toMatchObject({ registrationStatus: "registered" });
    expect(registration).not.toHaveProperty("checkoutLink");
    const confirmations = stage.subjectsTo(a).filter((subject) => subject === "You're registered: Event paid");
    expect(confirmations).toHaveLength(1);
    expect((await stage.chatTexts()).filter((text) => text.includes("Refund"))).toEqual([]);
  });

  test("is not possible after the registration was cancelled", async () => {
    await stage.givenEvent({ id: "gone", capac: 5, ...priced });
    await stage.register("gone", a, ada);
    const session = (await stage.eventCheckout("gone", a)).id;
    await stage.moveTo("gone", a, "cancelled", a);
    await stage.settled();
    expect(statusOf(session)).toBe("expired");
    expect(() => stage.payments.pay(session)).toThrow();
  });

  test.each([
    ["", 1],
    ["&refund=none", 0],
  ])(
    "of an event that is deleted with force=true%s asks for %d refund: none for a person who came",
    async (query, refunds) => {
      const id = await stage.givenEvent({ capac: 3, pricing: { member: 5, nonMember: 10 } });
      const people = { came: `came@${id}.example`, stayed: `stayed@${id}.example`, unpaid: `unpaid@${id}.example` };
      const sessions: Record<string, string> = {};
      for (const [name, email] of Object.entries(people)) {
        await stage.register(id, email);
        if (name === "unpaid") continue;
        sessions[name] = (await stage.eventCheckout(id, email)).id;
        stage.payments.pay(sessions[name]);
      }
      await stage.settled();
      expect((await stage.moveTo(id, people.came, "checkedIn")).status).toBe(200);
      await stage.indexed();
      const { status, body } = await stage.deleteEvent(id, `?force=true${query}`);
      expect([status, body]).toEqual([200, { message: "Event deleted.", refunds }]);
      await stage.settled();
      const asked = (await stage.outboxRows()).filter(({ detailType, detail }) => {
        const { data } = detail as { data: { eventID?: string } };
        return detailType === "payment.refundRequired" && data.eventID === id;
      });
      expect(asked.map(({ detail }) => (detail as { data: { paymentId: string } }).data.paymentId)).toEqual(
        refunds === 1 ? [sessions.stayed] : [],
      );
    },
  );

  test("that arrives after the person cancelled asks for a refund, and the next in line keeps the seat", async () => {
    await stage.givenEvent({ id: "late", capac: 1, ...priced });
    await stage.register("late", a, ada);
    const session = (await stage.eventCheckout("late", a)).id;
    expect((await stage.register("late", b, ada)).body.registrationStatus).toBe("waitlist");
    // The provider has the money, but sends its event only after the next in line has the seat.
    stage.payments.holdBack();
    stage.payments.pay(session);
    await stage.moveTo("late", a, "cancelled", a);
    expect(await stage.registrationOf("late", b, b)).toMatchObject({ registrationStatus: "incomplete" });
    await stage.payments.release();
    await stage.settled();
    expect(await stage.registrationOf("late", a, a)).toMatchObject({ registrationStatus: "cancelled" });
    const refunds = (await stage.chatTexts()).filter((text) => text.includes(session));
    expect(refunds).toEqual([
      expect.stringMatching(/^Refund needed: 10\.00 CAD for late 2030, there was nothing to pay/),
    ]);
    stage.payments.pay((await stage.eventCheckout("late", b)).id);
    await stage.settled();
    expect(await stage.registrationOf("late", b, b)).toMatchObject({ registrationStatus: "registered" });
    expect(stage.subjectsTo(b)).toContain("You're registered: Event late");
  });

  test("that does not come before the session expires leaves the seat to the next in line", async () => {
    await stage.givenEvent({ id: "expired", capac: 1, ...priced });
    await stage.register("expired", a, ada);
    const session = (await stage.eventCheckout("expired", a)).id;
    await stage.register("expired", b, ada);
    stage.payments.expire(session);
    await stage.settled();
    expect(await stage.registrationOf("expired", a, a)).toMatchObject({ registrationStatus: "cancelled" });
    expect(await stage.registrationOf("expired", b, b)).toMatchObject({ registrationStatus: "incomplete" });
  });
});

test("an event that does not name the checkout is matched by its session; one without a signature is refused", async () => {
  await stage.givenEvent({ id: "nameless", capac: 5, ...priced });
  await stage.register("nameless", a, ada);
  const session = (await stage.eventCheckout("nameless", a)).id;
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
  // An id that is too long for a key of the table is no session of this service.
  expect(await send({ id: "x".repeat(3_000) })).toMatchObject({ status: 200, body: { received: true } });
  expect(await stage.registrationOf("nameless", a, a)).toMatchObject({ registrationStatus: "incomplete" });
  expect(await send({})).toMatchObject({ status: 200, body: { received: true } });
  expect(await stage.registrationOf("nameless", a, a)).toMatchObject({ registrationStatus: "registered" });
  const unsigned = await stage.api("POST", "/payments/webhook", { body: event });
  expect(unsigned).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
});

test("the deletion of an account closes the open page for its membership and forgets the form", async () => {
  const email = "leaves@payer.example";
  await stage.api("POST", "/users", { as: email, body: { fname: "Grace" } });
  const session = (await stage.checkout(email, { paymentType: "Member", first_name: "Grace" })).id;
  expect((await stage.api("DELETE", "/users/self", { as: email })).status).toBe(200);
  await stage.settled();
  expect(statusOf(session)).toBe("expired");
  const stored = await stage.stored(`PAY#${referenceOf(session)}`);
  expect(stored).toEqual([expect.objectContaining({ SK: "CHECKOUT", purpose: { kind: "membership", form: {} } })]);
  // A person who comes back can pay.
  expect((await stage.checkout(email, { paymentType: "Member", fname: "Grace" })).id).not.toBe(session);
});

test("a payment for a membership makes a member with the fields of the form", async () => {
  const email = "new@payer.example";
  const form = { paymentType: "Member", first_name: "Ada", last_name: "Lovelace", pronouns: "she", discordId: "a#1" };
  const session = (await stage.checkout(email, form)).id;
  // The provider gets no field of the form.
  const known = stage.payments.sessions().find(({ id }) => id === session);
  expect(JSON.stringify(known)).not.toContain("Lovelace");
  stage.payments.duplicate(3);
  stage.payments.pay(session);
  await stage.settled();
  stage.payments.duplicate(0);
  const [welcome, ...more] = stage.mailsTo(email);
  expect(more).toEqual([]);
  expect(welcome?.subject).toBe("You're a member of Club Events");
  expect(welcome?.body.text).toContain("We have received your payment of 15.00 CAD.");
  // An admin's grant finds a member, and tells nothing.
  await stage.api("POST", "/members/grant", { as: exec, body: { email, firstName: "A.", lastName: "L." } });
  await stage.settled();
  expect(stage.mailsTo(email)).toHaveLength(1);
  expect((await stage.api("GET", "/users/self", { as: email })).body).toMatchObject({ isMember: true, admin: false });
  expect((await stage.api("GET", "/profiles/user/", { as: email })).body).toMatchObject({ fname: "Ada" });
  expect((await stage.api("GET", `/members/${email}`, { as: exec })).body).toMatchObject({
    ...{ firstName: "Ada", lastName: "Lovelace", pronouns: "she", discordId: "a#1" },
  });
});

describe("the list of payments", () => {
  const list = (query: string, as = exec) => stage.api("GET", `/payments?${query}`, { as });

  test("has each payment for the event once, oldest first, in pages", async () => {
    const people = ["one@list.example", "two@list.example", "three@list.example"];
    const id = await stage.givenEvent({ capac: 5, ...priced });
    stage.payments.duplicate(3);
    const sessions: string[] = [];
    for (const email of people) {
      await stage.register(id, email);
      const session = (await stage.eventCheckout(id, email)).id;
      sessions.push(session);
      stage.payments.pay(session);
      await stage.settled();
    }
    stage.payments.duplicate(0);
    const query = `eventID=${id}&year=${year}`;
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(body.map(({ paymentId, email }: Record<string, unknown>) => [paymentId, email])).toEqual(
      sessions.map((session, n) => [session, people[n]]),
    );
    expect(body[0]).toEqual({
      paymentId: sessions[0],
      paymentIntent: expect.stringMatching(/^pi_/),
      email: people[0],
      amount: 1_000,
      currency: "CAD",
      ...{ purpose: "event", eventID: id, year },
      settledAs: "seat",
      settledAt: expect.any(Number),
      state: "kept",
      ...{ fee: 0, wentBack: 0, open: 0, frozen: 0 },
      ...{ payouts: [], refunds: [] },
    });
    const first = await list(`${query}&limit=2`);
    const rest = await list(`${query}&limit=2&cursor=${first.headers.get("x-next-cursor")}`);
    expect([...first.body, ...rest.body]).toEqual(body);
    expect(rest.headers.get("x-next-cursor")).toBeNull();
  });

  test("of memberships has no event's payment, and no form", async () => {
    const email = "member@list.example";
    const session = await stage.checkout(email, { paymentType: "Member", firstName: "Adaline" });
    stage.payments.pay(session.id);
    await stage.settled();
    const { body } = await list("purpose=membership");
    const found = body.filter((row: { email: string }) => row.email === email);
    expect(found).toMatchObject([{ amount: 1_500, settledAs: "membership", paymentId: session.id }]);
    expect(JSON.stringify(body)).not.toContain("Adaline");
    expect(body.filter((row: { settledAs: string }) => row.settledAs === "seat")).toEqual([]);
  });

  test.each([
    ["eventID=gala", "/year"],
    ["year=2031", "/eventID"],
    ["eventID=gala&year=2031&purpose=membership", "/purpose"],
  ])("asked for with %j is refused", async (query, path) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
  });
});
