/** A price that is a deposit goes back at check-in, once, whichever way the person comes in (`docs/contract.md`, "Deposits"). */
import { beforeAll, expect, test } from "@jest/globals";
import { ada, exec, newEmail, year } from "./given.ts";
import { type OutageStage, sharedRefunds } from "./outage.ts";

let stage: OutageStage["stage"];
beforeAll(async () => {
  stage = (await sharedRefunds()).stage;
});

const hour = 3_600_000;
const pricing = { members: 10, nonMembers: 10 };
const deposit = { pricing, refundAtCheckIn: true };

const pay = async (id: string, email: string) => {
  const { id: session } = await stage.eventCheckout(id, email);
  stage.payments.pay(session);
  await stage.settled();
  return session;
};
const settledAfter = async (answer: Promise<{ readonly status: number }>) => {
  expect((await answer).status).toBe(200);
  await stage.settled();
};
const checkIn = (eventID: string, body: object) =>
  settledAfter(stage.api("POST", "/registrations/check-in", { as: exec, body: { eventID, year, ...body } }));
const undo = (id: string, email: string) => settledAfter(stage.moveTo(id, email, "registered"));
const atProvider = (session: string) => {
  const intent = stage.payments.sessions().find(({ id }) => id === session)?.payment_intent;
  return stage.payments.refunds().filter(({ payment_intent }) => payment_intent === intent);
};
const paymentsOf = async (id: string) => (await stage.list(`/payments?eventID=${id}&year=${year}`)).body;
const reportOf = async (id: string) => (await stage.list(`/events/${id}/${year}/report`)).body;
const depositOf = async (id: string, email: string, as?: string) =>
  (await stage.registrationOf(id, email, as))?.deposit;

test("who comes gets the deposit back once, also when the check-in is undone and made again, and who stays away loses it", async () => {
  const { id, email, session } = await stage.givenPaid(deposit);
  const absent = newEmail();
  await stage.register(id, absent, ada);
  const other = await pay(id, absent);
  expect([await depositOf(id, email), await paymentsOf(id)]).toMatchObject([
    "held",
    [{ deposit: "held" }, { deposit: "held" }],
  ]);
  const note = "Deposit: You get it back when you come and are checked in";
  expect(stage.mailsTo(email).filter(({ body }) => body.text?.includes(note))).toHaveLength(2);
  const { ticketCode: code } = await stage.registrationOf(id, email, email);
  await checkIn(id, { code });
  expect(atProvider(session)).toMatchObject([{ amount: 1_000, status: "succeeded" }]);
  expect(await depositOf(id, email)).toBe("returned");
  expect(await stage.registrationOf(id, email)).not.toHaveProperty("refunded");
  const undone = await stage.moveTo(id, email, "registered");
  expect(undone.body.message).toContain("Its deposit has gone back");
  expect(await stage.registrationOf(id, email)).toMatchObject({
    registrationStatus: "registered",
    deposit: "returned",
  });
  await checkIn(id, { code });
  await checkIn(id, { email });
  expect([atProvider(session).length, atProvider(other).length]).toEqual([1, 0]);

  const [told, ...more] = stage.mailsTo(email).filter(({ subject }) => subject.startsWith("Your deposit comes back"));
  expect([more, told?.body.text]).toEqual([[], expect.stringContaining("Thank you for coming")]);
  expect(told?.body.text).not.toContain("registered again");
  expect((await reportOf(id)).money).toMatchObject({
    ...{ came: 2_000, wentBack: 1_000, deposits: 2_000, depositsReturned: 1_000, depositsKept: 1_000 },
  });
  const csv = (await stage.list(`/registrations?eventID=${id}&year=${year}&format=csv`)).body as string;
  expect(csv).toMatch(/returned[\s\S]*held|held[\s\S]*returned/);
});

test("by scans that come late, twice and out of order, it goes back once", async () => {
  const { id, email, session } = await stage.givenPaid({
    ...deposit,
    startDate: new Date(Date.now() + hour).toISOString(),
    endDate: new Date(Date.now() + 3 * hour).toISOString(),
  });
  const { body: link } = await stage.api("POST", `/events/${id}/${year}/door-links`, { as: exec });
  const joined = { secret: link.secret, name: "door" };
  const { body: device } = await stage.api("POST", `/events/${id}/${year}/door/devices`, { body: joined });
  const headers = { authorization: `Door ${device.token}` };
  const { ticketCode: code } = await stage.registrationOf(id, email, email);
  const scan = (nonce: string, minutes: number, more: object = {}) => {
    const scannedAt = Date.now() - minutes * 60_000;
    return { nonce: nonce.padEnd(16, "0"), code, scannedAt, ...more };
  };
  const upload = (...scans: object[]) =>
    settledAfter(stage.api("POST", "/registrations/check-in/scans", { headers, body: { sentAt: Date.now(), scans } }));
  const late = scan("late", 5);
  await Promise.all([upload(late), upload(late), upload(scan("early", 10))]);
  await upload(
    scan("undo", 4, { undoes: "late".padEnd(16, "0") }),
    scan("undo2", 3, { undoes: "early".padEnd(16, "0") }),
  );
  expect(await stage.statusOf(id, email)).toBe("registered");
  // A deposit that went back makes no refunded ticket: the person may come in again.
  await upload(scan("again", 1));
  expect(await stage.statusOf(id, email)).toBe("checkedIn");
  expect(atProvider(session)).toMatchObject([{ amount: 1_000 }]);
});

test("a list, or two executives at once, and what was agreed stays when the event changes", async () => {
  const { id, email, session } = await stage.givenPaid(deposit);
  await settledAfter(stage.changeEvent(id, { refundAtCheckIn: false }));
  const later = newEmail();
  await stage.register(id, later, ada);
  const other = await pay(id, later);
  const updates = [email, later].map((one) => ({ email: one, registrationStatus: "checkedIn" }));
  const list = () => stage.api("PUT", "/registrations/massUpdate", { as: exec, body: { eventID: id, year, updates } });
  await Promise.all([list(), list(), checkIn(id, { email }).catch(() => undefined)]);
  await stage.settled();
  expect([atProvider(session).length, atProvider(other).length]).toEqual([1, 0]);
  expect([await depositOf(id, email), await depositOf(id, later)]).toEqual(["returned", undefined]);
});

test("calling off, cancelling after an undone check-in, and the third refund leave it alone", async () => {
  const { id, email, session } = await stage.givenPaid(deposit);
  await checkIn(id, { email });
  await undo(id, email);
  const stays = newEmail();
  await stage.register(id, stays, ada);
  const other = await pay(id, stays);
  await settledAfter(stage.moveTo(id, email, "cancelled", email));
  // Three times more: two are refunds for leaving, and the deposit is none.
  const sessions: string[] = [];
  for (const _ of [1, 2]) {
    await stage.register(id, email, ada);
    sessions.push(await pay(id, email));
    await settledAfter(stage.moveTo(id, email, "cancelled", email));
  }
  expect(sessions.map((one) => atProvider(one).length)).toEqual([1, 1]);
  await settledAfter(stage.changeEvent(id, { calledOff: "The hall is closed." }));
  expect([atProvider(session).length, atProvider(other).length]).toEqual([1, 1]);
  expect((await paymentsOf(id)).filter(({ review }: { review?: string }) => review)).toEqual([]);
});

test("cash is owed to who comes, given back by hand, and nothing of it is left to pay", async () => {
  const id = await stage.givenEvent({ capac: 5, ...deposit });
  const email = newEmail();
  await stage.register(id, email, ada);
  const cash = { email, eventID: id, year, how: "cash", amount: 600, confirm: true };
  const { body } = await stage.api("POST", "/payments/by-hand", { as: exec, body: cash });
  expect(await stage.registrationOf(id, email)).toMatchObject({ owes: 400, deposit: "held" });
  await checkIn(id, { email });
  expect(await depositOf(id, email)).toBe("dueByHand");
  expect(await stage.registrationOf(id, email)).not.toHaveProperty("owes");
  expect(await paymentsOf(id)).toMatchObject([
    { deposit: "due", open: 600, waitsFor: expect.stringContaining("6.00 CAD (the deposit of who came) back by hand") },
  ]);
  expect(stage.subjectsTo(email).some((subject) => subject.startsWith("Your deposit"))).toBe(true);
  const given = { reason: "At the door.", how: "cash" };
  const path = `/payments/${body.paymentId}/refunds`;
  expect((await stage.api("POST", path, { as: exec, body: given })).status).toBe(202);
  await stage.settled();
  expect(await depositOf(id, email)).toBe("returned");
  expect((await reportOf(id)).money).toMatchObject({ deposits: 600, depositsReturned: 600, depositsKept: 0, open: 0 });
});

test("nothing goes back for a seat that was free or waived, or whose money is back already", async () => {
  const { id, email, session } = await stage.givenPaid(deposit);
  const body = { reason: "Sorry!" };
  expect((await stage.api("POST", `/payments/${session}/refunds`, { as: exec, body })).status).toBe(202);
  await stage.settled();
  expect(await stage.registrationOf(id, email)).toMatchObject({ refunded: true });
  const waived = newEmail();
  await stage.register(id, waived, ada);
  expect(await depositOf(id, waived)).toBe("agreed");
  await settledAfter(stage.moveTo(id, waived, "registered"));
  expect(await depositOf(id, waived)).toBeUndefined();
  await checkIn(id, { email: waived });
  await checkIn(id, { email });
  expect(atProvider(session)).toHaveLength(1);
  expect(await depositOf(id, email)).toBe("held");
  const required = (await stage.outboxRows()).filter((row) => row.detailType === "payment.refundRequired");
  expect(required.filter((row) => JSON.stringify(row).includes(waived))).toEqual([]);
});

test("the deposit of a seat that was handed on goes back to the payer, once the other person comes", async () => {
  const { id, email: payer, session } = await stage.givenPaid({ ...deposit, transfers: 1, guests: "everyone" });
  const taker = newEmail();
  const named = { eventID: id, year, offer: { email: taker, fname: "Grace" } };
  expect((await stage.api("POST", `/registrations/${payer}/transfer`, { as: payer, body: named })).status).toBe(200);
  await stage.settled();
  const headers = { authorization: `Link ${stage.secretTo(taker, "/guest")}` };
  const taken = await stage.api("POST", "/links/guest", { headers, body: {} });
  expect(taken.status).toBe(201);
  expect(taken.body.registration).not.toHaveProperty("deposit");
  await checkIn(id, { email: taker });
  expect(atProvider(session)).toMatchObject([{ amount: 1_000 }]);
  const told = (one: string) => stage.subjectsTo(one).filter((subject) => subject.startsWith("Your deposit")).length;
  expect([told(payer), told(taker)]).toEqual([1, 0]);
});

test("an event has it only with a price, without applications and company, and a copy has it, too", async () => {
  const refused = async (fields: object) => (await stage.createEvent({ refundAtCheckIn: true, ...fields })).body.issues;
  expect(await refused({})).toMatchObject([{ path: "/refundAtCheckIn" }]);
  expect(await refused({ pricing, isApplicationBased: true })).toMatchObject([{ path: "/refundAtCheckIn" }]);
  expect(await refused({ pricing, plusOnes: 1 })).toEqual(
    expect.arrayContaining([expect.objectContaining({ path: "/refundAtCheckIn" })]),
  );
  const id = await stage.givenEvent(deposit);
  expect(await stage.changeEvent(id, { pricing: null })).toMatchObject({ status: 400 });
  const body = { id: `${id}-2`, year };
  const copy = await stage.api("POST", `/events/${id}/${year}/copy`, { as: exec, body });
  expect(copy).toMatchObject({ status: 201, body: { item: { refundAtCheckIn: true } } });
});
