/** Codes of events, by every way in which a person registers (`docs/contract.md`, "Codes"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail, times, year } from "./given.ts";
import { linkOf } from "./link-of.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const pathOf = (id: string, more = "") => `/events/${id}/${year}/codes${more}`;
/** An executive gives an event a code. */
async function givenCode(id: string, fields: object = {}) {
  const body = { code: "SPONSOR-2030", kind: "discount", uses: 2, price: 0, note: "From the treasurer", ...fields };
  const created = await stage.api("POST", pathOf(id), { as: exec, body });
  expect(created).toMatchObject({ status: 201, body: { item: { used: 0 } } });
  return created.body.item as { readonly id: string };
}
const priced = { pricing: { member: 5, nonMember: 20 } };
const code = "sponsor 2030";
const notValid = { status: 409, body: { code: "CODE_NOT_VALID" } };

test("an executive creates, lists, changes and ends a code; others may not", async () => {
  const id = await stage.givenEvent(priced);
  const { id: codeId } = await givenCode(id);
  const listed = await stage.api("GET", pathOf(id), { as: exec });
  expect(listed.body).toEqual([
    expect.objectContaining({ id: codeId, code: "SPONSOR-2030", uses: 2, used: 0, price: 0 }),
  ]);
  const changed = await stage.api("PATCH", pathOf(id, `/${codeId}`), {
    as: exec,
    body: { uses: 1, validUntil: "2030-02-01" },
  });
  expect(changed.body.item).toMatchObject({ uses: 1, validUntil: "2030-02-02T06:59:59.999Z" });
  expect(await stage.api("GET", pathOf(id), { as: newEmail() })).toMatchObject({ status: 403 });
  await stage.register(id, newEmail(), { code });
  const ended = await stage.api("DELETE", pathOf(id, `/${codeId}`), { as: exec });
  expect(ended).toMatchObject({ status: 200, body: { item: { used: 1, endedAt: expect.any(Number) } } });
  expect(await stage.register(id, newEmail(), { code })).toMatchObject({
    ...notValid,
    body: { message: "This code has ended." },
  });
});

test("a seat by a code costs what it promised, and lists, table and report show whose code it was, not the code", async () => {
  const id = await stage.givenEvent(priced);
  const { id: codeId } = await givenCode(id, { price: 12.5 });
  const email = newEmail();
  const registered = await stage.register(id, email, { code });
  expect(registered).toMatchObject({ status: 201, body: { registrationStatus: "incomplete" } });
  expect(registered.body.registration).not.toHaveProperty("code");
  const session = await stage.eventCheckout(id, email);
  expect(session).toMatchObject({ amount_total: 1_250 });
  await stage.indexed();
  const query = `eventID=${id}&year=${year}`;
  const list = await stage.api("GET", `/registrations?${query}`, { as: exec });
  expect(list.body.data[0].code).toEqual({ id: codeId, kind: "discount", note: "From the treasurer" });
  const own = await stage.api("GET", `/registrations?email=${email}`, { as: email });
  expect(own.body.data[0]).not.toHaveProperty("code");
  const table = await stage.fetch(`/registrations?${query}&format=csv`, {
    headers: { authorization: `Bearer ${await stage.tokenFor(exec)}` },
  });
  const report = await stage.api("GET", `/events/${id}/${year}/report`, { as: exec });
  expect(report.body.codes).toEqual([{ id: codeId, count: 1 }]);
  const text = await table.text();
  expect(text).toContain("discount: From the treasurer");
  expect(JSON.stringify([list.body, own.body, report.body, text])).not.toMatch(/sponsor/i);
  const data = await stage.api("GET", `/users/${email}/export`, { as: email });
  expect(JSON.stringify(data.body)).toContain("From the treasurer");
});

test("the treasurer sees by which code a seat was paid, and not the code itself", async () => {
  const id = await stage.givenEvent(priced);
  const { id: codeId } = await givenCode(id, { price: 12.5 });
  const [paid, inCash, without] = [newEmail(), newEmail(), newEmail()];
  for (const email of [paid, inCash]) await stage.register(id, email, { code });
  await stage.register(id, without);
  for (const email of [paid, without]) stage.payments.pay((await stage.eventCheckout(id, email)).id);
  await stage.settled();
  const byHand = { email: inCash, eventID: id, year, amount: 1_250, how: "cash" };
  const taken = await stage.api("POST", "/payments/by-hand", { as: exec, body: byHand });
  const refund = { reason: "Sorry!", how: "cash", amount: 250 };
  await stage.api("POST", `/payments/${taken.body.paymentId}/refunds`, { as: exec, body: refund });
  await stage.invoke("Reconciler", {});
  await stage.settled();
  await stage.indexed();
  const used = { id: codeId, kind: "discount", note: "From the treasurer" };
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const journal = await stage.api("GET", `/payments/journal?from=${from}&to=${to}`, { as: exec });
  const ofEvent = journal.body.rows.filter(({ eventID }: { eventID: string }) => eventID === id);
  const shown = ofEvent.map(({ email, kind, code: by }: Record<string, unknown>) => [email, kind, by]);
  expect(shown).toEqual(
    expect.arrayContaining([
      [paid, "payment", used],
      [inCash, "cash", used],
      [inCash, "given back", used],
      [without, "payment", undefined],
    ]),
  );
  const payments = await stage.api("GET", `/payments?eventID=${id}&year=${year}`, { as: exec });
  expect(payments.body.map(({ email, code: by }: Record<string, unknown>) => [email, by])).toEqual(
    expect.arrayContaining([
      [paid, used],
      [inCash, used],
      [without, undefined],
    ]),
  );
  const headers = { authorization: `Bearer ${await stage.tokenFor(exec)}` };
  for (const path of [`journal?from=${from}&to=${to}&format=csv`, `?eventID=${id}&year=${year}&format=csv`]) {
    const text = await (await stage.fetch(`/payments${path.startsWith("?") ? "" : "/"}${path}`, { headers })).text();
    const lines = text.split("\n").filter((line) => line.includes(paid));
    expect(lines).toContainEqual(expect.stringContaining("discount: From the treasurer"));
    expect(text).not.toMatch(/sponsor/i);
  }
  expect(JSON.stringify([journal.body, payments.body])).not.toMatch(/sponsor/i);
});

test("in a rush, no more people get in than a code has uses", async () => {
  const id = await stage.givenEvent({ capac: 20 });
  const { id: codeId } = await givenCode(id, { uses: 3 });
  const answers = await Promise.all(times(12, () => stage.register(id, newEmail(), { code })));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...times(3, () => 201), ...times(9, () => 409)]);
  const { body } = await stage.api("GET", pathOf(id), { as: exec });
  expect(body).toMatchObject([{ id: codeId, used: 3 }]);
});

test("a link registers again with the former code, or with another one", async () => {
  const id = await stage.givenEvent(priced);
  await givenCode(id);
  const email = newEmail();
  const again = async (body: object) => {
    await stage.moveTo(id, email, "cancelled");
    const link = await linkOf(stage, "registration", { email, eventID: id, year });
    return stage.api("POST", "/links/registration", { headers: { authorization: `Link ${link}` }, body });
  };
  await stage.register(id, email, { code });
  expect((await again({})).body).toMatchObject({ registrationStatus: "registered" });
  expect(await again({ code: "wrong" })).toMatchObject(notValid);
});

test("a code that was removed stays removed when an applicant who had used it is accepted after all, and leaves", async () => {
  const id = await stage.givenEvent({ ...priced, isApplicationBased: true });
  const { id: codeId } = await givenCode(id);
  const email = newEmail();
  await stage.register(id, email, { code });
  await stage.moveTo(id, email, "rejected");
  expect((await stage.api("DELETE", pathOf(id, `/${codeId}`), { as: exec })).status).toBe(200);
  for (const status of ["accepted", "cancelled"]) {
    expect((await stage.moveTo(id, email, status)).status).toBe(200);
  }
  expect((await stage.api("GET", pathOf(id), { as: exec })).body).toEqual([]);
});

describe("an event", () => {
  test("says what a code makes of its prices", async () => {
    const id = await stage.givenEvent(priced);
    await givenCode(id, { price: undefined, percentOff: 50 });
    const shown = await stage.api("GET", `/events/${id}/${year}?code=sponsor2030`, { as: newEmail() });
    expect(shown.body).toMatchObject({
      takesCodes: true,
      code: { kind: "discount", audience: "everybody", member: 2.5, nonMember: 10 },
    });
    expect(await stage.api("GET", `/events/${id}/${year}?code=wrong`, { as: newEmail() })).toMatchObject(notValid);
  });

  test("that is hidden is opened by a code for access, also to a guest, and not by another one", async () => {
    const id = await stage.givenEvent({ isPublished: false, guests: "everyone" });
    await givenCode(id, { kind: "access", price: undefined });
    await givenCode(id, { code: "CHEAP" });
    const [email, guest] = [newEmail(), newEmail()];
    const read = (query: string) => stage.api("GET", `/events/${id}/${year}${query}`, { as: email });
    for (const query of ["", "?code=cheap", "?code=wrong"]) expect((await read(query)).status).toBe(404);
    expect(await read(`?code=SPONSOR-2030`)).toMatchObject({ status: 200, body: { id, code: { kind: "access" } } });
    expect(await stage.register(id, email, { code: "cheap" })).toMatchObject({ status: 404 });
    expect(await stage.register(id, email, { code })).toMatchObject({ status: 201 });
    const ask = (form: object) =>
      stage.api("POST", `/events/${id}/${year}/guests`, { body: { email: guest, fname: "Grace", ...form } });
    expect(await ask({})).toMatchObject({ status: 404 });
    expect(await ask({ code: "wrong" })).toMatchObject({ status: 404 });
    expect(await ask({ code })).toMatchObject({ status: 202 });
    await stage.settled();
    const secret = /registration\/#(L1\.[A-Z2-7]+)\/guest/.exec(stage.mailsTo(guest)[0]?.body.text ?? "")?.[1];
    const headers = { authorization: `Link ${secret}` };
    expect(await stage.api("GET", "/links/guest", { headers })).toMatchObject({ status: 200 });
    expect(await stage.api("POST", "/links/guest", { headers, body: {} })).toMatchObject({ status: 201 });
  });

  test("with a code for partners has none without", async () => {
    const id = await stage.givenEvent({ partnerCapac: 5 });
    await givenCode(id, { kind: "partner", price: undefined });
    const asked = (more: object) => stage.register(id, newEmail(), { isPartner: true, ...more });
    expect(await asked({})).toMatchObject({ status: 403, body: { code: "CODE_REQUIRED" } });
    expect(await asked({ code })).toMatchObject({ status: 201, body: { registration: { isPartner: true } } });
  });
});

describe("an allotment", () => {
  const access = { kind: "access", price: undefined, uses: 20 };
  const countsOf = async (id: string) =>
    (await stage.api("GET", `/events/${id}/${year}?count=true`, { as: exec })).body;

  test("is for people with a code; what is given back of it goes to the line, and what is taken of it stays", async () => {
    const id = await stage.givenEvent({ capac: 3, allotment: 2 });
    await givenCode(id, access);
    const [first, waits, invited] = [newEmail(), newEmail(), newEmail()];
    expect((await stage.register(id, first)).body.registrationStatus).toBe("registered");
    expect((await stage.register(id, waits)).body.registrationStatus).toBe("waitlist");
    expect((await countsOf(id)).counts).toMatchObject({ seatsTaken: 1, remaining: 0, allotmentRemaining: 2 });
    expect((await stage.register(id, invited, { code })).body.registrationStatus).toBe("registered");
    const below = await stage.changeEvent(id, { allotment: 0 });
    expect(below).toMatchObject({ status: 409, body: { code: "EVENT_HAS_REGISTRATIONS" } });
    expect((await stage.changeEvent(id, { allotment: 4 })).status).toBe(400);
    const changed = await stage.changeEvent(id, { allotment: 1 });
    expect([changed.status, await stage.statusOf(id, waits)]).toEqual([200, "registered"]);
    await stage.moveTo(id, invited, "cancelled");
    expect((await countsOf(id)).counts).toMatchObject({ seatsTaken: 2, remaining: 0, allotmentRemaining: 1 });
    const copy = await stage.api("POST", `/events/${id}/${year}/copy`, { as: exec, body: { id: `${id}-b`, year } });
    expect(copy.body.item ?? copy.body).toMatchObject({ allotment: 1 });
  });

  test("in a rush no more people get in than the event has seats, and no one without a code gets one of it", async () => {
    const id = await stage.givenEvent({ capac: 6, allotment: 3 });
    await givenCode(id, access);
    const people = times(14, (at) => ({ email: newEmail(), isInvited: at % 2 === 0 }));
    const answers = await Promise.all(
      people.map(({ email, isInvited }) => stage.register(id, email, isInvited ? { code } : {})),
    );
    await stage.settled();
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await stage.storedSeats(id)).toMatchObject({ seats: 3, allotmentSeats: 3, registered: 6 });
    const statuses = await Promise.all(
      people.filter((one) => !one.isInvited).map(({ email }) => stage.statusOf(id, email)),
    );
    expect(statuses.filter((status) => status === "registered").length).toBeLessThanOrEqual(3);
    for (const { email } of people.filter(({ isInvited }) => isInvited)) await stage.moveTo(id, email, "cancelled");
    await stage.settled();
    expect(await stage.storedSeats(id)).toMatchObject({ seats: 3, allotmentSeats: 0, registered: 3 });
  });
});

test("the tries of a person are limited, by form and event together", async () => {
  const id = await stage.givenEvent();
  await givenCode(id);
  const email = newEmail();
  for (const n of times(15, (at) => at)) {
    await stage.register(id, email, { code: `wrong-${n}` });
    await stage.api("GET", `/events/${id}/${year}?code=wrong-${n}`, { as: email });
  }
  expect(await stage.register(id, email, { code })).toMatchObject({ status: 429, body: { code: "TOO_OFTEN" } });
  expect(await stage.register(id, email)).toMatchObject({ status: 201 });
});

test("a deleted event's codes expire", async () => {
  const id = await stage.givenEvent();
  const { id: codeId } = await givenCode(id);
  await stage.register(id, newEmail(), { code });
  const event = (await stage.stored(`EVENT#${id}#${year}`))[0] as { generation: string };
  await stage.deleteEvent(id, "?force=true");
  await stage.settled();
  const left = await stage.stored(`CODE#${id}#${year}#${event.generation}`);
  expect(left).toMatchObject([{ id: codeId, used: 0, ttl: expect.any(Number) }]);
});
