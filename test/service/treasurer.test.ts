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
    const given = await refund(session, { how: "transfer" });
    expect([given.status, given.body.message]).toEqual([202, "Recorded."]);
    expect(await waiting(session)).toBeUndefined();
    expect((await self(email)).refunds).not.toContainEqual(expect.objectContaining({ state: "owed" }));
    expect(aboutMoney(email)).toEqual(["Your money comes back", "Your money has not reached you"]);
    expect((await refund(session, { how: "cash" })).body.code).toBe("NOT_REFUNDABLE");
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
    const file = await stage.list(`/registrations?eventID=${id}&year=${year}&format=csv`);
    const [header = "", row = ""]: string[] = file.body.split("\r\n");
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
  /** A person with an account and a seat that waits for 10.00. */
  async function givenUnpaid() {
    const [id, email] = [await stage.givenEvent(priced), newEmail()];
    expect((await stage.api("POST", "/users", { as: email, body: { fname: "Ada" } })).status).toBe(201);
    await stage.register(id, email);
    await stage.settled();
    const take = (body: object) => post("/payments/by-hand", { email, eventID: id, year, how: "cash", ...body });
    const seat = () => stage.registrationOf(id, email);
    return { id, email, take, seat };
  }
  const reverse = (session: string, body: object) =>
    post(`/payments/${session}/reversals`, { entryId: session, reason: "Typed wrong.", ...body });

  test("confirms the seat, is a payment with a receipt, and goes back by hand", async () => {
    const { id, email, take, seat } = await givenUnpaid();
    const { status, body } = await take({ amount: 1_000 });
    expect(status).toBe(201);
    expect((await seat()).registrationStatus).toBe("registered");
    await stage.settled();
    const listed = { paymentId: body.paymentId, amount: 1_000, settledAs: "seat", byHand: { how: "cash", by: exec } };
    expect(await payment(id)).toMatchObject(listed);
    expect((await self(email)).payments).toMatchObject([{ paymentId: body.paymentId, amount: 1_000, currency: "CAD" }]);
    const receipt = stage.mailsTo(email).find(({ subject }) => subject.startsWith("You're registered"));
    expect(receipt?.body.text).toMatch(/Paid:? +10\.00 CAD/);
    expect(receipt?.body.text).not.toContain("To pay");
    expect((await take({ amount: 1_000 })).body.code).toBe("NOTHING_TO_PAY");
    expect((await take({ amount: 1_000, email: newEmail() })).body.code).toBe("NOT_FOUND");
    expect((await refund(body.paymentId)).body.code).toBe("NOT_REFUNDABLE");
    expect((await stage.moveTo(id, email, "cancelled")).status).toBe(200);
    await stage.settled();
    expect((await waiting(body.paymentId)).waitsFor).toBe(
      "Give 10.00 CAD back by hand and record that, or keep it with a reason.",
    );
    expect((await refund(body.paymentId, { how: "cash" })).status).toBe(202);
    expect(await payment(id)).toMatchObject({ state: "refunded", wentBack: 1_000, open: 0 });
  });

  test("asks back when it is not the price; the rest stays owed, is taken later, or is waived by name", async () => {
    const { id, email, take, seat } = await givenUnpaid();
    const asked = await take({ amount: 2 });
    expect([asked.status, asked.body.code, asked.body.expected]).toEqual([409, "AMOUNT_DIFFERS", 1_000]);
    expect((await seat()).registrationStatus).toBe("incomplete");
    const { paymentId } = (await take({ amount: 400, confirm: true })).body;
    expect(await seat()).toMatchObject({ registrationStatus: "registered", owes: 600 });
    await stage.settled();
    const receipt = stage.mailsTo(email).find(({ subject }) => subject.startsWith("You're registered"));
    expect(receipt?.body.text).toMatch(/Paid: 4\.00 CAD.*\nTo pay: 6\.00 CAD/);
    expect((await waiting(paymentId)).waitsFor).toBe("6.00 CAD is left to pay: take it, or waive it.");
    expect((await take({ amount: 1_000 })).body).toMatchObject({ code: "AMOUNT_DIFFERS", expected: 600 });
    expect((await take({ amount: 100, how: "transfer", confirm: true })).body.paymentId).toBe(paymentId);
    expect(await seat()).toMatchObject({ owes: 500 });
    const waived = await decide(paymentId, { decision: "waive", reason: "She helps at the bar." });
    expect(waived.body.payment).toMatchObject({ amount: 500, state: "kept" });
    expect(waived.body.payment.entries).toMatchObject([
      { entryId: paymentId, amount: 400, how: "cash", by: exec },
      { amount: 100, how: "transfer" },
      { amount: 0, waived: 500, reason: "She helps at the bar.", by: exec },
    ]);
    expect(await seat()).not.toHaveProperty("owes");
    expect(await waiting(paymentId)).toBeUndefined();
    expect((await decide(paymentId, { decision: "waive" })).body.code).toBe("NOTHING_TO_DECIDE");
    // What goes back when the seat ends is what came.
    expect((await stage.moveTo(id, email, "cancelled")).status).toBe(200);
    await stage.settled();
    expect(await waiting(paymentId)).toMatchObject({ open: 500 });
  });

  test("is not taken as the rest of a seat that has ended", async () => {
    const { id, take } = await givenUnpaid();
    expect((await take({ amount: 400, confirm: true })).status).toBe(201);
    await stage.deleteEvent(id, "?force=true&refund=none");
    await stage.settled();
    expect((await take({ amount: 600 })).body.code).toBe("NOTHING_TO_PAY");
  });

  test("is reversed by another entry, with what is right instead, and the seat follows", async () => {
    const { id, email, take, seat } = await givenUnpaid();
    const { paymentId } = (await take({ amount: 2, confirm: true, waive: "A friend." })).body;
    expect(await seat()).not.toHaveProperty("owes");
    const both = await Promise.all([reverse(paymentId, {}), reverse(paymentId, {})]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const reversed = both.find(({ status }) => status === 200);
    expect(reversed?.body.payment).toMatchObject({ amount: 0, state: "reversed", owes: 1_000 });
    expect(await seat()).toMatchObject({ registrationStatus: "registered", owes: 1_000 });
    expect((await reverse(paymentId, {})).body.code).toBe("NOT_REVERSIBLE");
    expect((await take({ amount: 2_000, confirm: true })).body.paymentId).toBe(paymentId);
    const { entries } = await payment(id);
    const wrong = { entryId: entries[1].entryId, instead: { amount: 1_000, how: "transfer" } };
    expect((await reverse(paymentId, wrong)).body.payment).toMatchObject({ amount: 1_000, state: "kept" });
    expect(await seat()).not.toHaveProperty("owes");
    expect((await payment(id)).entries).toMatchObject([
      { amount: 2, waived: 998, reversed: { reason: "Typed wrong.", by: exec } },
      { amount: 2_000, how: "cash", reversed: { by: exec } },
      { amount: 1_000, how: "transfer" },
    ]);
    expect((await self(email)).payments).toMatchObject([{ paymentId, amount: 1_000 }]);
    // Cash that is handed back while the seat stays marks it; its reversal takes the mark away.
    const { refundId } = (await refund(paymentId, { how: "cash" })).body.refund;
    expect(await seat()).toMatchObject({ registrationStatus: "registered", refunded: true });
    const last = (await payment(id)).entries[2].entryId;
    expect((await reverse(paymentId, { entryId: last })).body.message).toBe(
      "10.00 CAD of this payment went back: reverse that first.",
    );
    expect((await reverse(paymentId, { entryId: refundId })).body.payment).toMatchObject({
      state: "kept",
      wentBack: 0,
    });
    expect(await seat()).not.toHaveProperty("refunded");
    expect((await reverse(paymentId, { entryId: "re_1" })).body.code).toBe("NOT_FOUND");
    expect(await self(email)).not.toHaveProperty("refunds");
  });

  test("grants a membership, which owes the rest, and follows its reversal", async () => {
    const email = newEmail();
    const take = (body: object) => post("/payments/by-hand", { email, membership: {}, how: "cash", ...body });
    expect((await take({ amount: 1_500 })).body.issues[0].path).toBe("/firstName");
    const membership = { firstName: "Ada" };
    const { expected } = (await take({ amount: 2, membership })).body;
    const { paymentId } = (await take({ amount: expected - 500, membership, confirm: true })).body;
    const member = async () => (await stage.api("GET", `/members/${email}`, { as: exec })).body;
    expect(await member()).toMatchObject({ firstName: "Ada", owes: 500 });
    expect((await take({ amount: 500 })).body.paymentId).toBe(paymentId);
    expect(await member()).not.toHaveProperty("owes");
    expect((await take({ amount: expected })).body.code).toBe("NOTHING_TO_PAY");
    expect((await reverse(paymentId, {})).body.payment).toMatchObject({ amount: 500, owes: expected - 500 });
    expect(await member()).toMatchObject({ owes: expected - 500 });
    expect((await take({ amount: 1, email: exec, membership })).body.code).toBe("NOTHING_TO_PAY");
    for (const wrong of [{ eventID: "a" }, { at: "2031-01-01" }, { at: "1999-01-01" }, { membership: undefined }]) {
      expect([wrong, (await take({ amount: 500, ...wrong })).status]).toEqual([wrong, 400]);
    }
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
