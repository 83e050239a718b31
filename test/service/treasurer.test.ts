/** What the treasurer sees and decides: all that waits, money that is kept or given back by hand, cash (`docs/contract.md`, "Refunds"). */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ada, exec, newEmail, year } from "./given.ts";
import { givenOutages, type OutageStage } from "./outage.ts";

let stage: OutageStage["stage"];
beforeAll(async () => {
  // The default: the treasurer sends each refund.
  ({ stage } = await givenOutages({ refunds: "by hand" }));
});
afterAll(() => stage.close());

const priced = { capac: 1, pricing: { members: 5, nonMembers: 10 } };

/** The only seat of an event is paid, by a person with an account. */
async function givenPaid(more: object = {}) {
  const paid = await stage.givenPaid({ capac: 1, ...more });
  expect((await stage.api("POST", "/users", { as: paid.email, body: ada })).status).toBe(201);
  return paid;
}

async function get(query: string) {
  await stage.indexed();
  return stage.api("GET", `/payments?${query}`, { as: exec });
}
const waiting = async (session: string) =>
  (await get("open=true")).body.find(({ paymentId }: { paymentId: string }) => paymentId === session);
const payment = async (id: string) => (await get(`eventID=${id}&year=${year}`)).body[0];
const post = (path: string, body: object) => stage.api("POST", path, { as: exec, body });
const decide = (session: string, body: object) => post(`/payments/${session}/decisions`, { reason: "A fee.", ...body });
const refund = (session: string, body: object = {}) =>
  post(`/payments/${session}/refunds`, { reason: "Sorry!", ...body });
const self = async (email: string) => (await stage.api("GET", "/users/self", { as: email })).body;
const aboutMoney = (email: string) =>
  stage
    .subjectsTo(email)
    .filter((subject) => /money/.test(subject))
    .map((subject) => subject.split(":")[0]);

describe("money without a seat, in a stage that sends no refund by itself", () => {
  test("is mailed at once, shown to its person and listed, until it is sent", async () => {
    const { id, email, session } = await givenPaid();
    expect((await stage.moveTo(id, email, "cancelled", email)).status).toBe(200);
    await stage.settled();
    expect(aboutMoney(email)).toEqual(["We owe you money"]);
    expect((await self(email)).refunds).toMatchObject([
      { refundId: session, amount: 1_000, state: "owed", eventID: id },
    ]);
    expect(await waiting(session)).toMatchObject({
      open: 1_000,
      waitsFor: "Refund 10.00 CAD, or keep it with a reason.",
      eventID: id,
    });
    const part = await refund(session, { amount: 400 });
    expect([part.status, part.body.message]).toEqual([202, "The refund is on its way to the provider."]);
    await stage.settled();
    expect(await waiting(session)).toMatchObject({ open: 600, wentBack: 400 });
    expect((await self(email)).refunds).toHaveLength(2);
    // The seat has ended, so nothing stays.
    expect((await refund(session)).body.message).toBe("The refund is on its way to the provider.");
    await stage.settled();
    expect(await waiting(session)).toBeUndefined();
    expect((await self(email)).refunds.map(({ state }: { state: string }) => state)).toEqual([
      "succeeded",
      "succeeded",
    ]);
    expect(aboutMoney(email)).toEqual(["We owe you money", "Your money comes back", "Your money comes back"]);
  });

  test("is owed again when its refund fails, and then given back by hand", async () => {
    const { email, session } = await givenPaid();
    expect((await refund(session, { cancel: true })).status).toBe(202);
    await stage.settled();
    const made = stage.payments.refunds().at(-1);
    stage.payments.moveRefund(made?.id ?? "", "fail");
    await stage.settled();
    expect((await waiting(session)).waitsFor).toMatch(
      /^A refund failed \(\w+\): send 10.00 CAD again, or give it back/,
    );
    expect((await self(email)).refunds).toContainEqual(expect.objectContaining({ state: "owed", amount: 1_000 }));
    const given = await decide(session, { decision: "given back", reason: "By transfer." });
    expect([given.status, given.body.payment.state]).toEqual([200, "refunded"]);
    expect(await waiting(session)).toBeUndefined();
    expect((await self(email)).refunds).not.toContainEqual(expect.objectContaining({ state: "owed" }));
    expect(aboutMoney(email)).toEqual(["Your money comes back", "Your money has not reached you"]);
    expect((await decide(session, { decision: "given back" })).body.code).toBe("NOTHING_TO_DECIDE");
  });
});

test("a late cancellation: a fee is kept with who and why, the rest is refunded", async () => {
  const { id, email, session } = await givenPaid({ refundUntil: "2026-01-01T00:00:00Z" });
  expect((await stage.moveTo(id, email, "cancelled", email)).status).toBe(200);
  await stage.settled();
  expect(aboutMoney(email)).toEqual([]);
  expect(await waiting(session)).toMatchObject({ review: "late", waitsFor: expect.stringMatching(/^Cancelled late/) });
  expect((await decide(session, { decision: "keep", amount: 1_001 })).body.code).toBe("NOTHING_TO_DECIDE");
  const key = { "idempotency-key": `keep-${session}` };
  const keep = () =>
    stage.api("POST", `/payments/${session}/decisions`, {
      ...{ as: exec, headers: key, body: { decision: "keep", amount: 300, reason: "The caterer was paid." } },
    });
  const [first, second] = [await keep(), await keep()];
  expect(second.body).toEqual(first.body);
  expect(first.body.payment).toMatchObject({
    open: 700,
    kept: [{ amount: 300, reason: "The caterer was paid.", by: exec }],
  });
  expect(first.body.payment).not.toHaveProperty("review");
  expect((await refund(session, { amount: 700 })).status).toBe(202);
  await stage.settled();
  expect(await waiting(session)).toBeUndefined();
  expect(await payment(id)).toMatchObject({ state: "part refunded", wentBack: 700, open: 0 });
});

describe("a whole refund", () => {
  test("with `cancel` ends the seat in the same request, and the line moves up", async () => {
    const { id, email, session } = await givenPaid();
    const next = newEmail();
    await stage.register(id, next, { registrationStatus: "waitlist" });
    const { status, body } = await refund(session, { cancel: true });
    expect([status, body.message]).toEqual([202, "The refund is on its way to the provider."]);
    expect((await stage.registrationOf(id, email)).registrationStatus).toBe("cancelled");
    expect((await stage.registrationOf(id, next)).registrationStatus).toBe("incomplete");
    await stage.settled();
    expect(await payment(id)).toMatchObject({ state: "refunded", refunds: [{ amount: 1_000 }] });
    expect(await waiting(session)).toBeUndefined();
    expect(aboutMoney(email)).toEqual(["Your money comes back"]);
  });

  test("with `cancel` leaves the seat that the person has paid anew", async () => {
    const { id, email, session } = await givenPaid();
    expect((await stage.moveTo(id, email, "cancelled", email)).status).toBe(200);
    await stage.settled();
    await stage.register(id, email);
    stage.payments.pay((await stage.eventCheckout(id, email)).id);
    await stage.settled();
    expect((await refund(session, { cancel: true })).status).toBe(202);
    expect((await stage.registrationOf(id, email)).registrationStatus).toBe("registered");
  });

  test("without it says that the seat stays, and marks it, until the refund fails", async () => {
    const { id, email, session } = await givenPaid();
    expect((await refund(session)).body.message).toContain("The seat stays valid: `cancel` ends it.");
    await stage.settled();
    await stage.indexed();
    const list = async () =>
      (await stage.api("GET", `/registrations?eventID=${id}&year=${year}`, { as: exec })).body.data;
    expect((await list()).find((one: { email: string }) => one.email === email)).toMatchObject({ refunded: true });
    const file = await fetch(`${stage.outputs.apiUrl}/registrations?eventID=${id}&year=${year}&format=csv`, {
      headers: { authorization: `Bearer ${await stage.tokenFor(exec)}` },
    });
    const [header = "", row = ""] = (await file.text()).split("\r\n");
    expect(row.split(",")[header.split(",").findIndex((name) => name.includes("Refunded"))]).toContain("yes");
    stage.payments.moveRefund(stage.payments.refunds().at(-1)?.id ?? "", "fail");
    await stage.settled();
    await stage.indexed();
    expect((await list()).find((one: { email: string }) => one.email === email)).not.toHaveProperty("refunded");
  });

  test("of a membership with `cancel` ends the membership", async () => {
    const email = newEmail();
    const { id: session } = await stage.checkout(email, { paymentType: "Member", firstName: "Ada" });
    stage.payments.pay(session);
    await stage.settled();
    expect((await self(email)).isMember).toBe(true);
    expect((await self(email)).payments).toMatchObject([{ paymentId: session, purpose: "membership" }]);
    expect((await refund(session, { cancel: true })).status).toBe(202);
    expect((await self(email)).isMember).toBe(false);
    expect((await stage.api("GET", `/members/${email}`, { as: exec })).status).toBe(404);
  });
});

describe("money that is taken by hand", () => {
  test("confirms the seat, is a payment with a receipt, and goes back by hand", async () => {
    const [id, email] = [await stage.givenEvent(priced), newEmail()];
    expect((await stage.api("POST", "/users", { as: email, body: { fname: "Ada" } })).status).toBe(201);
    await stage.register(id, email);
    // A mail of a payment that has meanwhile come is not sent.
    await stage.settled();
    const taken = { email, eventID: id, year, amount: 900, how: "cash" };
    const { status, body } = await post("/payments/by-hand", taken);
    expect(status).toBe(201);
    expect((await stage.registrationOf(id, email)).registrationStatus).toBe("registered");
    await stage.settled();
    const listed = { paymentId: body.paymentId, amount: 900, settledAs: "seat", byHand: { how: "cash", by: exec } };
    expect(await payment(id)).toMatchObject(listed);
    expect((await self(email)).payments).toMatchObject([{ paymentId: body.paymentId, amount: 900, currency: "CAD" }]);
    const asked = stage.mailsTo(email).find(({ subject }) => subject.startsWith("Payment needed"));
    expect(asked?.body.text).toMatch(/To pay:? +10\.00 CAD/);
    const receipt = stage.mailsTo(email).find(({ subject }) => subject.startsWith("You're registered"));
    expect(receipt?.body.text).toMatch(/Paid:? +9\.00 CAD/);
    expect((await post("/payments/by-hand", taken)).body.code).toBe("NOTHING_TO_PAY");
    expect((await post("/payments/by-hand", { ...taken, email: newEmail() })).body.code).toBe("NOT_FOUND");
    expect((await refund(body.paymentId)).body.code).toBe("NOT_REFUNDABLE");
    expect((await stage.moveTo(id, email, "cancelled")).status).toBe(200);
    await stage.settled();
    expect((await waiting(body.paymentId)).waitsFor).toBe(
      "Give 9.00 CAD back by hand and record that, or keep it with a reason.",
    );
    expect((await decide(body.paymentId, { decision: "given back" })).status).toBe(200);
    expect(await payment(id)).toMatchObject({ state: "refunded", wentBack: 900, open: 0 });
  });

  test("settles once, whoever is faster: twice at once, and against the person's own page", async () => {
    const [id, email] = [await stage.givenEvent(priced), newEmail()];
    await stage.register(id, email);
    const { id: session } = await stage.eventCheckout(id, email);
    const taken = { email, eventID: id, year, amount: 1_000, how: "transfer" };
    const both = await Promise.all([post("/payments/by-hand", taken), post("/payments/by-hand", taken)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    stage.payments.pay(session);
    await stage.settled();
    await stage.indexed();
    const { body } = await get(`eventID=${id}&year=${year}`);
    expect(body.filter(({ settledAs }: { settledAs: string }) => settledAs === "seat")).toHaveLength(1);
    expect(await Promise.all(body.map(({ paymentId }: { paymentId: string }) => waiting(paymentId)))).toHaveLength(
      body.length,
    );
  });
});

test("the list over everything has all, in the order of time, in pages; wrong parameters are a 400", async () => {
  const all = await get("limit=2");
  expect(all.body).toHaveLength(2);
  const next = all.headers.get("x-next-cursor") ?? "";
  const rest = await get(`limit=200&cursor=${encodeURIComponent(next)}`);
  const times = [...all.body, ...rest.body].map(({ settledAt }) => settledAt);
  expect(times.length).toBeGreaterThan(6);
  expect(times).toEqual(times.toSorted());
  const later = await get(`from=${new Date(times[3]).toISOString()}&limit=200`);
  expect(later.body.map(({ settledAt }: { settledAt: number }) => settledAt)).toEqual(
    times.slice(times.indexOf(times[3])),
  );
  for (const wrong of ["eventID=a", "year=2030", "open=true&from=2030-01-01", "open=true&purpose=membership"]) {
    expect([(await get(wrong)).status, wrong]).toEqual([400, wrong]);
  }
});
