/**
 * From the provider's page to a seat, a membership or a refund, with the real functions (`docs/contract.md`, "Payment
 * webhook").
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { ada, exec, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const a = "a@payer.example";

const priced = { pricing: { members: 5, nonMembers: 10 } };

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
      ...{ fee: 0, wentBack: 0, open: 0, frozen: 0, lost: 0 },
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
});
