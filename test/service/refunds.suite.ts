/** Money that goes back: by itself, by hand, against a provider that fails (`docs/contract.md`, "Refunds"). */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { type OutageStage, sharedRefunds } from "./outage.ts";

let outage: OutageStage;
let stage: OutageStage["stage"];
beforeAll(async () => {
  outage = await sharedRefunds();
  stage = outage.stage;
});
beforeEach(() => {
  stage.payments.silence(false);
  stage.payments.loseAnswers(false);
  stage.payments.refundsWait(false);
});

const payments = async (id: string) => {
  await stage.indexed();
  return (await stage.api("GET", `/payments?eventID=${id}&year=${year}`, { as: exec })).body;
};
const payment = async (id: string) => (await payments(id))[0];
const cancel = async (id: string, email: string) => {
  expect((await stage.moveTo(id, email, "cancelled", email)).status).toBe(200);
  await stage.settled();
};
const refund = (session: string, body: object, headers = {}) =>
  stage.api("POST", `/payments/${session}/refunds`, { as: exec, body: { reason: "Sorry!", ...body }, headers });
const atProvider = (session: string) => {
  const intent = stage.payments.sessions().find(({ id }) => id === session)?.payment_intent;
  return stage.payments.refunds().filter(({ payment_intent }) => payment_intent === intent);
};
const aboutMoney = async (session: string) => (await stage.chatTexts()).filter((text) => text.includes(session));

test("a person's own cancellation is refunded by itself, once, and the person is told", async () => {
  const { id, email, session } = await stage.givenPaid();
  expect(await payment(id)).toMatchObject({ state: "kept", amount: 1_000, wentBack: 0, open: 0, refunds: [] });
  await cancel(id, email);
  expect(await payment(id)).toMatchObject({
    state: "refunded",
    wentBack: 1_000,
    open: 0,
    refunds: [{ amount: 1_000 }],
  });
  expect(atProvider(session)).toMatchObject([{ amount: 1_000, status: "succeeded" }]);
  expect(stage.subjectsTo(email).filter((subject) => subject.startsWith("Your money comes back"))).toHaveLength(1);
  expect((await stage.api("GET", "/users/self", { as: email })).body.refunds).toEqual(undefined);
  expect((await stage.api("POST", "/users", { as: email, body: {} })).status).toBe(201);
  expect((await stage.api("GET", "/users/self", { as: email })).body.refunds).toMatchObject([
    { amount: 1_000, currency: "CAD", state: "succeeded", purpose: "event", eventID: id, year },
  ]);
  expect(await aboutMoney(session)).toEqual([]);
});

test("a seat that was handed on: the payment stays the payer's, and what the new person cancels goes back to the payer", async () => {
  const { id, email: payer, session } = await stage.givenPaid({ transfers: 1, guests: "everyone" });
  const taker = newEmail();
  const named = { eventID: id, year, offer: { email: taker, fname: "Grace" } };
  expect((await stage.api("POST", `/registrations/${payer}/transfer`, { as: payer, body: named })).status).toBe(200);
  await stage.settled();
  const headers = { authorization: `Link ${stage.secretTo(taker, "/guest")}` };
  expect((await stage.api("POST", "/links/guest", { headers, body: {} })).status).toBe(201);
  await stage.settled();
  expect([atProvider(session), await payment(id)]).toMatchObject([[], { state: "kept", email: payer }]);
  expect(stage.mailsTo(taker).at(-1)?.body.text).not.toContain("Paid:");
  await cancel(id, taker);
  expect(atProvider(session)).toMatchObject([{ amount: 1_000, status: "succeeded" }]);
  const told = (email: string) => stage.subjectsTo(email).filter((subject) => subject.startsWith("Your money"));
  expect([told(payer).length, told(taker).length]).toEqual([1, 0]);
});

test("an executive refunds a seat that was handed on, and ends it", async () => {
  const { id, email: payer, session } = await stage.givenPaid({ transfers: 1, guests: "everyone" });
  const taker = newEmail();
  const named = { eventID: id, year, offer: { email: taker, fname: "Grace" } };
  await stage.api("POST", `/registrations/${payer}/transfer`, { as: payer, body: named });
  await stage.settled();
  const headers = { authorization: `Link ${stage.secretTo(taker, "/guest")}` };
  await stage.api("POST", "/links/guest", { headers, body: {} });
  expect((await refund(session, { cancel: true })).status).toBe(202);
  await stage.settled();
  expect(await stage.statusOf(id, taker)).toBe("cancelled");
  expect(atProvider(session)).toMatchObject([{ amount: 1_000 }]);
});

describe("a refund that is asked for", () => {
  test("takes a part, once for a key, and never more than is left", async () => {
    const { id, email, session } = await stage.givenPaid();
    const key = { "idempotency-key": "one" };
    const first = await refund(session, { amount: 400, reason: "No dessert." }, key);
    expect([first.status, first.body.refund]).toEqual([
      202,
      expect.objectContaining({ amount: 400, state: "reserved" }),
    ]);
    expect((await refund(session, { amount: 400, reason: "No dessert." }, key)).body).toEqual(first.body);
    const all = await Promise.all([600, 600, 601].map((amount) => refund(session, { amount })));
    expect(all.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    await stage.settled();
    expect(await payment(id)).toMatchObject({ state: "refunded", wentBack: 1_000, open: 0 });
    expect(
      atProvider(session)
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([400, 600]);
    expect(stage.mailsTo(email).some(({ body }) => body.text?.includes("Reason: No dessert."))).toBe(true);
    expect((await refund(session, {})).body).toMatchObject({ code: "NOT_REFUNDABLE" });
  });
});

test("a payout brings fees, and the lines of the table add up to the bank's amount", async () => {
  const { id, email } = await stage.givenPaid();
  await cancel(id, email);
  const other = await stage.givenPaid();
  await stage.payments.payOut();
  await stage.settled();
  expect(await payment(id)).toMatchObject({ fee: 59, payouts: [expect.stringMatching(/^po_/)] });
  expect(await payment(other.id)).toMatchObject({ fee: 59, state: "kept" });
  const csv = await stage.list(`/payments?eventID=${id}&year=${year}&format=csv`);
  const lines = csv.body.trim().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/"charge","20[^"]+","10","0\.59","9\.41","po_\w+","20[^"]+"$/);
  expect(lines[3]).toMatch(/"refund","20[^"]+","-10","0","-10","po_\w+","20[^"]+"$/);
});

describe("a dispute", () => {
  // Disputes cost fees: the balance stays above zero for others.
  beforeAll(async () => {
    await stage.givenPaid({ pricing: { members: 200, nonMembers: 200 } });
  });
  /** The bank goes on with the dispute, and everything that follows is done. */
  const goesOn = async (session: string, status: Parameters<typeof stage.payments.moveDispute>[1]) => {
    stage.payments.moveDispute(session, status);
    await stage.settled();
  };

  test("that was won and is taken back is frozen again, and nothing is sent on top; lost, the seat is marked, until it is won after all", async () => {
    const { id, email, session } = await stage.givenPaid();
    stage.payments.dispute(session);
    await stage.settled();
    expect(await payment(id)).toMatchObject({ state: "frozen", frozen: 1_000, lost: 0 });
    await goesOn(session, "under_review");
    expect((await payment(id)).waitsFor).toBeUndefined();
    await goesOn(session, "won");
    expect(await payment(id)).toMatchObject({ state: "kept", frozen: 0, lost: 0 });
    await goesOn(session, "appeal_needs_response");
    const appealed = await payment(id);
    expect(appealed).toMatchObject({ state: "frozen", frozen: 1_000 });
    expect(appealed.waitsFor).toMatch(/^Disputed again after it was won: answer at the provider, until 20/);
    expect(await refund(session, {})).toMatchObject({ status: 409, body: { code: "NOT_REFUNDABLE" } });
    expect((await stage.registrationOf(id, email)).refunded).toBeUndefined();
    await goesOn(session, "lost");
    expect(await payment(id)).toMatchObject({ state: "lost", frozen: 0, lost: 1_000, open: 0 });
    expect(await stage.registrationOf(id, email)).toMatchObject({ registrationStatus: "registered", refunded: true });
    const news = (await aboutMoney(session)).map((text) => text.split(":")[0]);
    expect(news).toEqual([
      "A payment is disputed, answer at the provider",
      "A bank decides about a disputed payment",
      "A dispute is won, the money stays",
      "A bank appeals against a dispute that was won, answer at the provider",
      "A dispute is lost",
    ]);
    // The night finds nothing that is new.
    await stage.invoke("Reconciler", {});
    await stage.settled();
    expect(await payment(id)).toMatchObject({ state: "lost", lost: 1_000 });
    expect(await aboutMoney(session)).toHaveLength(5);
    await goesOn(session, "won");
    expect(await payment(id)).toMatchObject({ state: "kept", lost: 0 });
    expect((await stage.registrationOf(id, email)).refunded).toBeUndefined();
  });
});

test("a membership whose money has left is marked as a seat is, and the mark goes when the refund fails", async () => {
  const email = await stage.givenUser({ fname: "Grace" });
  const form = { first_name: "Grace", last_name: "Hopper", year: "4" };
  const { id: session } = await stage.checkout(email, { paymentType: "Member", ...form });
  stage.payments.pay(session);
  await stage.settled();
  const member = async () => (await stage.api("GET", `/members/${email}`, { as: exec })).body;
  expect((await member()).refunded).toBeUndefined();
  expect((await refund(session, {})).status).toBe(202);
  await stage.settled();
  expect(await member()).toMatchObject({ email, refunded: true });
  const rows = (await stage.api("GET", `/audit?email=${email}`, { as: exec })).body.data;
  expect(rows).toContainEqual(expect.objectContaining({ action: "member.updated", actor: "system" }));
  stage.payments.moveRefund(atProvider(session)[0]?.id ?? "", "fail");
  await stage.settled();
  expect((await member()).refunded).toBeUndefined();
});
