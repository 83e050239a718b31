/** What people without an account need after the first mail: paying, registering again, lost links (`docs/contract.md`, "Links"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { newEmail, times, year } from "./given.ts";
import { exportLinkOf, guestLinkOf, linkOf } from "./link-of.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const byLink = (method: string, secret: string, path = "", body?: object) =>
  stage.api(method, `/links/registration${path}`, {
    headers: { authorization: `Link ${secret}` },
    ...(body && { body }),
  });
const see = (secret: string) => byLink("GET", secret);
const pay = (secret: string) => byLink("POST", secret, "/payments", {});
const again = (secret: string, body: object = {}) => byLink("POST", secret, "", body);
const cancel = (secret: string) =>
  byLink("PUT", secret, "", { registrationStatus: "cancelled", seenStatus: "registered" });
const linkTo = (eventID: string, email: string) => linkOf(stage, "registration", { eventID, email, year });
const notValid = { status: 401, body: { code: "UNAUTHENTICATED" } };

/** A person without an account has registered. */
async function givenGuest(fields: object = {}) {
  const [id, email] = [await stage.givenEvent({ guests: "everyone", ...fields }), newEmail()];
  const secret = await guestLinkOf(stage, { email, eventID: id, year });
  const headers = { authorization: `Link ${secret}` };
  const { status, body } = await stage.api("POST", "/links/guest", { headers, body: {} });
  expect(status).toBe(201);
  return { id, email, secret: body.link as string };
}

async function givenCancelled(fields: object = {}) {
  const guest = await givenGuest(fields);
  expect((await cancel(guest.secret)).status).toBe(200);
  return guest;
}

describe("an unpaid seat of a guest", () => {
  const pricing = { member: 10, nonMember: 12.5 };

  test("is paid by the link within the hold; the link shows the price as long as it is not, and no more of money", async () => {
    const refundUntil = "2030-04-01T18:00:00.000Z";
    const { id, email, secret } = await givenGuest({ pricing, refundUntil });
    const seen = await see(secret);
    const held = (await stage.storedRegistration(id, email))?.holdExpiresAt as number;
    expect(seen.body).toMatchObject({ event: { refundUntil }, price: 12.5, may: ["cancel", "pay"] });
    expect(seen.body.holdExpiresAt).toBe(new Date(held).toISOString());
    const page = await pay(secret);
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining(stage.outputs.paymentsUrl) });
    // Asking again, by link or signed in, answers the same page.
    expect((await pay(secret)).body).toBe(page.body);
    const signedIn = { paymentType: "Event", eventID: id, year };
    expect((await stage.api("POST", "/payments", { as: email, body: signedIn })).body).toBe(page.body);
    const [session, ...others] = stage.payments.sessions().filter((one) => one.customer_email === email);
    expect([session?.amount_total, others]).toEqual([1_250, []]);
    expect([session?.success_url, session?.cancel_url]).toEqual([
      expect.stringMatching(/\/registration\/\?paid$/),
      expect.stringMatching(/\/registration\/\?not-paid$/),
    ]);
    const open = await see(secret);
    expect(Date.parse(open.body.holdExpiresAt)).toBe((Number(session?.expires_at) + 120) * 1_000);
    expect(JSON.stringify(open.body)).not.toContain(stage.outputs.paymentsUrl);
    stage.payments.pay(session?.id ?? "");
    await stage.settled();
    const paid = (await see(secret)).body;
    expect(paid).toMatchObject({ registration: { registrationStatus: "registered" }, may: ["cancel", "come"] });
    expect(Object.keys(paid)).not.toContain("price");
    expect(await pay(secret)).toMatchObject({ status: 409, body: { code: "NOTHING_TO_PAY" } });
  });

  test("costs what the event costs now", async () => {
    const { id, email, secret } = await givenGuest({ pricing });
    const former = (await pay(secret)).body;
    expect((await stage.changeEvent(id, { pricing: { member: 10, nonMember: 20 } })).status).toBe(200);
    await stage.settled();
    expect((await see(secret)).body.price).toBe(20);
    const page = (await pay(secret)).body;
    const sessions = stage.payments.sessions().filter((one) => one.customer_email === email);
    expect(sessions.map(({ url, amount_total, status }) => [url === page, amount_total, status])).toEqual([
      [false, 1_250, "expired"],
      [true, 2_000, "open"],
    ]);
    expect(former).not.toBe(page);
  });

  test("cannot be paid by a link that has ended, although the person has another seat", async () => {
    const { secret, id, email } = await givenGuest({ pricing });
    await stage.moveTo(id, email, "cancelled", email);
    await stage.register(id, email);
    expect(await stage.statusOf(id, email)).toBe("incomplete");
    expect(await pay(secret)).toMatchObject(notValid);
    expect(stage.payments.sessions().filter((one) => one.customer_email === email)).toEqual([]);
    expect((await pay(await linkTo(id, email))).status).toBe(200);
  });
});

test("a link for something else neither pays, registers again, nor deletes", async () => {
  const { id, email, secret } = await givenGuest({ pricing: { member: 10, nonMember: 10 } });
  const others = [
    await linkOf(stage, "feedback", { eventID: id, email, year }),
    await guestLinkOf(stage, { email, eventID: id, year }),
    await exportLinkOf(stage, email),
  ];
  for (const other of others) {
    expect(await pay(other)).toMatchObject(notValid);
    expect(await again(other)).toMatchObject(notValid);
  }
  for (const method of ["GET", "POST"]) {
    const headers = { authorization: `Link ${secret}` };
    expect(await stage.api(method, "/links/erasure", { headers })).toMatchObject(notValid);
  }
  expect((await pay(secret)).status).toBe(200);
});

describe("who has cancelled by the link", () => {
  test("registers again with the former answers and new ones; the former link ends, and the answer has the new one", async () => {
    const ask = (questionId: string) => ({ questionId, label: questionId, type: "TEXT", required: false });
    const { id, email, secret } = await givenGuest({ registrationQuestions: [ask("old"), ask("new")] });
    await stage.changeRegistration(id, email, { dynamicResponses: { old: "yes" } });
    await cancel(secret);
    expect((await see(secret)).body.may).toEqual(["again"]);
    const { status, body } = await again(secret, { dynamicResponses: { new: "too" }, seenStatus: "cancelled" });
    expect([status, body.registrationStatus]).toEqual([201, "registered"]);
    expect(body.registration.dynamicResponses).toEqual({ old: "yes", new: "too" });
    for (const answer of [await see(secret), await again(secret), await pay(secret)])
      expect(answer).toMatchObject(notValid);
    expect(await see(body.link)).toMatchObject({
      status: 200,
      body: { registration: { email }, may: ["cancel", "come", "edit"] },
    });
    expect(await stage.storedRegistration(id, email)).toMatchObject({ joined: "self/link", changedBy: "link" });
    await stage.settled();
    // The mail's link is to the new registration, too.
    expect((await see(stage.secretTo(email))).status).toBe(200);
  });

  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  test.each<[string, object, object]>([
    ["registration has ended", { deadline: anHourAgo }, { status: 409, body: { code: "EVENT_CLOSED" } }],
    ["it wants an account now", { guests: "nobody" }, { status: 403, body: { code: "FORBIDDEN" } }],
    ["it is hidden", { isPublished: false }, { status: 404, body: { code: "NOT_FOUND" } }],
  ])("is refused when %s, and the link does not offer it", async (_, changes, refused) => {
    const { id, secret } = await givenCancelled();
    expect((await see(secret)).body.may).toEqual(["again"]);
    expect((await stage.changeEvent(id, changes)).status).toBe(200);
    expect((await see(secret)).body.may).toEqual([]);
    expect(await again(secret)).toMatchObject(refused);
  });

  test("may where an account is wanted, with an account", async () => {
    const { id, email, secret } = await givenCancelled();
    await stage.changeEvent(id, { guests: "nobody" });
    expect((await stage.api("POST", "/users", { as: email, body: {} })).status).toBe(201);
    expect((await see(secret)).body.may).toEqual(["again"]);
    expect((await again(secret)).status).toBe(201);
  });

  test("repeats it as often as signed in, both together", async () => {
    const { id, email, secret } = await givenCancelled();
    const statuses: number[] = [];
    for (const nth of times(6, (n) => n)) {
      const { status } =
        nth % 2 === 0 ? await again(nth === 0 ? secret : await linkTo(id, email)) : await stage.register(id, email);
      statuses.push(status);
      if (status === 201) await stage.moveTo(id, email, "cancelled", email);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect(await again(await linkTo(id, email))).toMatchObject({ status: 429, body: { code: "TOO_OFTEN" } });
  });
});

test("who has a seat does not get another one; a state that has changed is shown", async () => {
  const { secret } = await givenGuest();
  expect(await again(secret)).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
  const changed = await again(secret, { seenStatus: "cancelled" });
  expect(changed).toMatchObject({ status: 409, body: { code: "STATUS_CHANGED", may: ["cancel", "come"] } });
  const unpaid = await givenGuest({ pricing: { member: 5, nonMember: 5 } });
  await pay(unpaid.secret);
  const same = await again(unpaid.secret);
  expect([same.status, same.body.registrationStatus]).toEqual([200, "incomplete"]);
  expect(JSON.stringify(same.body)).not.toContain(stage.outputs.paymentsUrl);
});

describe("who has lost the mail", () => {
  const ask = (email: string) => stage.api("POST", "/links", { body: { email } });
  async function textTo(email: string): Promise<string | undefined> {
    await stage.settled();
    return stage.mailsTo(email).findLast(({ subject }) => subject.startsWith("Your links"))?.body.text;
  }
  const secretsIn = (text = "") => [...text.matchAll(/registration\/#([EL]1\.[A-Z2-7]+)/g)].map(([, one = ""]) => one);

  test("gets the links to what is to come, and to the stored data, in one mail", async () => {
    const { id, email } = await givenGuest({ ename: "Winter Gala" });
    const past = await stage.givenEventWith([email], { startDate: "2020-01-01T18:00:00Z" });
    expect(await ask(email.toUpperCase())).toMatchObject({ status: 202 });
    const [registration = "", data = "", ...more] = secretsIn(await textTo(email));
    expect(more).toEqual([]);
    expect((await see(registration)).body).toMatchObject({ event: { id }, registration: { email } });
    const headers = { authorization: `Link ${data}` };
    const exported = (await stage.api("GET", "/links/export", { headers })).body;
    expect(exported.records.registration).toHaveLength(2);
    expect(await textTo(email)).not.toContain(past);
  });

  test("gets at most twenty, the next ones first", async () => {
    const email = newEmail();
    for (const n of times(21, (index) => index)) {
      const startDate = `${year}-05-${String(28 - n).padStart(2, "0")}T18:00:00Z`;
      await stage.givenEventWith([email], { startDate, ename: `Talk ${n}!` });
    }
    await ask(email);
    const text = (await textTo(email)) ?? "";
    expect(secretsIn(text)).toHaveLength(21);
    expect([text.includes("there are more"), text.includes("Talk 20!"), text.includes("Talk 0!")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("is answered like everyone, known or not, and as often; only the known address gets a mail", async () => {
    const [{ email: known }, unknown, erased] = [await givenGuest(), newEmail(), (await givenGuest()).email];
    expect((await stage.api("DELETE", "/users/self", { as: erased })).status).toBe(200);
    await stage.settled();
    const answers = await Promise.all(
      [known, unknown, erased].map(async (email) => {
        const all = [];
        for (const _ of times(6, (n) => n)) all.push(await ask(email));
        return all.map(({ status, body: { requestId: _id, ...body } }) => ({ status, body }));
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]?.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    expect(await textTo(known)).toBeDefined();
    expect([await textTo(unknown), await textTo(erased)]).toEqual([undefined, undefined]);
  });
});
