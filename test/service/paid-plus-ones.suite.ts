/** People who come along at an event with a price: one payment, and what goes back (`docs/contract.md`, "Plus-ones"). */
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { linkOf } from "./link-of.ts";
import { type OutageStage, sharedRefunds } from "./outage.ts";

let stage: OutageStage["stage"];
beforeAll(async () => {
  ({ stage } = await sharedRefunds());
});
beforeEach(() => stage.payments.refundsWait(false));

const plusOnes = [{ fname: "Grace" }, { fname: "Mary" }];
const pricing = { member: 5, nonMember: 10 };

const givenEvent = (fields: object = {}) => stage.givenEvent({ capac: 3, plusOnes: 2, pricing, ...fields });
const paymentsOf = async (id: string) => {
  await stage.indexed();
  return (await stage.api("GET", `/payments?eventID=${id}&year=${year}`, { as: exec })).body;
};
const change = (id: string, email: string, body: object, as = email) =>
  stage.api("PUT", `/registrations/${email}`, { as, body: { eventID: id, year, ...body } });

/** A person with two others, who has paid for all. */
async function givenPaid(fields: object = {}) {
  const id = await givenEvent(fields);
  const email = newEmail();
  await stage.register(id, email, { plusOnes });
  const session = (await stage.eventCheckout(id, email)).id;
  stage.payments.pay(session);
  await stage.settled();
  return { id, email, session };
}

const amountOf = (session: string) => stage.payments.sessions().find(({ id }) => id === session)?.amount_total;

test("one page for the sum, one seat each, one receipt; the event says what each costs", async () => {
  const { id, email, session } = await givenPaid();
  const event = await stage.api("GET", `/events/${id}/${year}`, { as: email });
  expect(event.body).toMatchObject({ plusOnes: 2, plusOnePrice: 10 });
  expect(amountOf(session)).toBe(3_000);
  expect(await stage.statusOf(id, email)).toBe("registered");
  expect(await stage.countsOf(id)).toMatchObject({ seatsTaken: 3, registeredCount: 3, remaining: 0 });
  expect(await paymentsOf(id)).toMatchObject([{ amount: 3_000, people: 3, state: "kept", settledAs: "seat" }]);
  const receipts = stage.mailsTo(email).filter(({ body }) => body.text?.includes("Paid: 30.00 CAD"));
  expect(receipts).toHaveLength(1);
});

test("fewer come before it is paid: the page of before takes nothing that stays, and the new one the rest", async () => {
  const id = await givenEvent();
  const [email, next] = [newEmail(), newEmail()];
  await stage.register(id, email, { plusOnes });
  await stage.register(id, next);
  const old = (await stage.eventCheckout(id, email)).id;
  expect((await change(id, email, { plusOnes: [{ fname: "Mary" }] })).status).toBe(200);
  await stage.settled();
  expect(await stage.statusOf(id, next)).toBe("incomplete");
  const session = (await stage.eventCheckout(id, email)).id;
  expect([amountOf(session), session === old]).toEqual([2_000, false]);
  expect(stage.payments.sessions().find((one) => one.id === old)?.status).toBe("expired");
  stage.payments.pay(session);
  await stage.settled();
  expect(await stage.statusOf(id, email)).toBe("registered");
  expect(await paymentsOf(id)).toMatchObject([{ amount: 2_000, people: 2 }]);
});

test("fewer come after it is paid: their price goes back once, their seats to the line, and the rest with the person", async () => {
  const { id, email } = await givenPaid();
  const next = newEmail();
  await stage.register(id, next);
  const link = async () => `Link ${await linkOf(stage, "registration", { email, eventID: id, year })}`;
  const authorization = await link();
  const body = { seenStatus: "registered", plusOnes: [{ fname: "Grace" }] };
  for (let times = 0; times < 2; times += 1) {
    expect(await stage.api("PUT", "/links/registration", { headers: { authorization }, body })).toMatchObject({
      status: 200,
    });
  }
  await stage.settled();
  expect(await stage.statusOf(id, next)).toBe("incomplete");
  expect(await paymentsOf(id)).toMatchObject([{ amount: 3_000, wentBack: 1_000, state: "part refunded", open: 0 }]);
  expect((await stage.moveTo(id, email, "cancelled", email)).status).toBe(200);
  await stage.settled();
  expect(await paymentsOf(id)).toMatchObject([{ wentBack: 3_000, state: "refunded", open: 0 }]);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const totals = await stage.api("GET", `/payments/totals?from=${day(-2)}&to=${day(2)}`, { as: exec });
  expect(totals.body).toContainEqual(
    expect.objectContaining({ eventID: id, payments: 1, came: 3_000, wentBack: 3_000, net: 0 }),
  );
});

test("late, the treasurer decides about the part, and can keep it", async () => {
  const { id, email, session } = await givenPaid({ refundUntil: "2020-01-01" });
  expect((await change(id, email, { plusOnes: [{ fname: "Grace" }] })).status).toBe(200);
  await stage.settled();
  const [waiting] = await paymentsOf(id);
  expect(waiting).toMatchObject({
    review: "late",
    open: 0,
    waitsFor: "Cancelled late: refund 10.00 CAD, or keep 10.00 CAD with a reason.",
  });
  const refunds = `/payments/${session}/refunds`;
  expect((await stage.api("POST", refunds, { as: exec, body: { reason: "All right." } })).body.refund).toMatchObject({
    amount: 1_000,
  });
  await stage.settled();
  expect((await change(id, email, { plusOnes: [] })).status).toBe(200);
  await stage.settled();
  const kept = await stage.api("POST", `/payments/${session}/decisions`, {
    as: exec,
    body: { decision: "keep", reason: "Too late." },
  });
  expect(kept.body.payment).toMatchObject({ amount: 3_000, wentBack: 1_000, open: 0, kept: [{ amount: 1_000 }] });
  expect(await stage.statusOf(id, email)).toBe("registered");
});

test("cash is for all of them", async () => {
  const id = await givenEvent();
  const email = newEmail();
  await stage.register(id, email, { plusOnes });
  const cash = { email, eventID: id, year, amount: 1_000, how: "cash" };
  const refused = await stage.api("POST", "/payments/by-hand", { as: exec, body: cash });
  expect(refused).toMatchObject({ status: 409, body: { code: "AMOUNT_DIFFERS", expected: 3_000 } });
  const part = { ...cash, amount: 2_500, confirm: true };
  expect(await stage.api("POST", "/payments/by-hand", { as: exec, body: part })).toMatchObject({ status: 201 });
  expect(await paymentsOf(id)).toMatchObject([{ amount: 2_500, people: 3, owes: 500 }]);
  expect((await change(id, email, { plusOnes: [{ fname: "Mary" }] }, exec)).status).toBe(200);
  await stage.settled();
  expect(await stage.registrationOf(id, email)).not.toHaveProperty("owes");
  expect(await paymentsOf(id)).toMatchObject([{ amount: 2_500, open: 500 }]);
  expect((await paymentsOf(id))[0]).not.toHaveProperty("owes");
});

test("who registers again by the link says anew who comes along", async () => {
  const id = await givenEvent();
  const email = newEmail();
  await stage.register(id, email, { plusOnes });
  await stage.moveTo(id, email, "cancelled", email);
  await stage.settled();
  const authorization = `Link ${await linkOf(stage, "registration", { email, eventID: id, year })}`;
  const shown = await stage.api("GET", "/links/registration", { headers: { authorization } });
  expect(shown.body.event).toMatchObject({ plusOnes: 2, plusOnePrice: 10 });
  const tooMany = [...plusOnes, { fname: "Joan" }];
  const again = (body: object) => stage.api("POST", "/links/registration", { headers: { authorization }, body });
  expect(await again({ plusOnes: tooMany })).toMatchObject({ status: 400 });
  const begun = await again({ plusOnes: [{ fname: "Joan" }] });
  expect(begun).toMatchObject({ status: 201, body: { registration: { plusOnes: [{ fname: "Joan" }] } } });
  const page = await stage.api("GET", "/links/registration", { headers: { authorization: `Link ${begun.body.link}` } });
  expect(page.body).toMatchObject({ price: 20 });
  expect(await stage.countsOf(id)).toMatchObject({ seatsTaken: 2 });
});
