/** People without an account register by a link in a mail (`docs/contract.md`, "Guests"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { newEmail, times, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const ask = (eventID: string, email: string, form: object = {}) =>
  stage.api("POST", `/events/${eventID}/${year}/guests`, { body: { email, fname: "Grace", ...form } });
async function linksOf(email: string): Promise<string[]> {
  await stage.settled();
  const mails = stage.mailsTo(email).filter(({ subject }) => subject.startsWith("Please confirm: "));
  return mails.map(({ body }) => /registration\/#(L1\.[A-Z2-7]+)\/guest/.exec(body.text ?? "")?.[1] ?? "");
}
const byLink = (method: string, secret = "") =>
  stage.api(method, "/links/guest", {
    headers: { authorization: `Link ${secret}` },
    ...(method === "POST" && { body: {} }),
  });

describe("a partner without an account", () => {
  test("takes no seat before the link is used, then registers like everyone, once", async () => {
    const [eventID, email] = [await stage.givenEvent({ partnerCapac: 2 }), newEmail("partner.example")];
    const asked = await ask(eventID, email, {
      isPartner: true,
      basicInformation: { companyName: "Analytical Engines" },
    });
    expect(asked).toMatchObject({ status: 202, body: { message: expect.stringContaining("mailbox") } });
    const [secret] = await linksOf(email);
    expect(await stage.registrationOf(eventID, email)).toBeUndefined();
    const seen = { event: { id: eventID }, email, fname: "Grace", isPartner: true, questions: [] };
    expect(await byLink("GET", secret)).toMatchObject({ status: 200, body: seen });
    const registered = await byLink("POST", secret);
    expect(registered).toMatchObject({
      status: 201,
      body: { registration: { email, isPartner: true, fname: "Grace" } },
    });
    const again = await byLink("POST", secret);
    expect(again).toMatchObject({ status: 409, body: { code: "DUPLICATE", registration: { email } } });
  });

  test("waits in the same line, and is refused what everyone is", async () => {
    const full = await stage.givenEventWith([newEmail()], { capac: 1, guests: "everyone" });
    const email = newEmail();
    expect((await ask(full, email)).status).toBe(202);
    const waiting = await byLink("POST", (await linksOf(email))[0]);
    expect(waiting.body).toMatchObject({ registrationStatus: "waitlist", registration: { waitlistPosition: 1 } });
    const question = { questionId: "q", label: "Why?", type: "TEXT", required: true };
    const asking = await stage.givenEvent({ guests: "everyone", registrationQuestions: [question] });
    expect(await ask(asking, email)).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    const closed = await stage.givenEvent({ guests: "everyone", deadline: "2020-01-01T00:00:00Z" });
    expect(await ask(closed, email)).toMatchObject({ status: 409, body: { code: "EVENT_CLOSED" } });
  });
});

test("the bearer of a guest's link reads nothing about money, and pays by the link of the answer at once", async () => {
  const email = newEmail();
  const id = await stage.givenEvent({ guests: "everyone", pricing: { member: 10, nonMember: 10 } });
  await ask(id, email);
  const [secret] = await linksOf(email);
  const held = await byLink("POST", secret);
  expect(held).toMatchObject({ status: 201, body: { registrationStatus: "incomplete" } });
  const paying = { paymentType: "Event", eventID: id, year };
  expect((await stage.api("POST", "/payments", { as: email, body: paying })).status).toBe(200);
  expect(await stage.registrationOf(id, email)).toMatchObject({ checkoutLink: expect.any(String) });
  for (const answer of [held, await byLink("POST", secret)]) {
    expect(answer.body.registration).toMatchObject({ registrationStatus: "incomplete" });
    expect(Object.keys(answer.body.registration)).not.toContain("checkoutLink");
    const headers = { authorization: `Link ${answer.body.link}` };
    const place = await stage.api("GET", "/links/registration", { headers });
    expect(place).toMatchObject({ status: 200, body: { event: { id }, price: 10, may: ["cancel", "pay"] } });
    const page = await stage.api("POST", "/links/registration/payments", { headers, body: {} });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining(stage.outputs.paymentsUrl) });
  }
});

test("an attendee needs an account, unless the event lets everyone register; an event may also want none", async () => {
  const email = newEmail();
  const refused = { status: 403, body: { code: "FORBIDDEN", message: "Sign in to register for this event." } };
  expect(await ask(await stage.givenEvent(), email)).toMatchObject(refused);
  expect(await ask(await stage.givenEvent({ guests: "nobody" }), email, { isPartner: true })).toMatchObject(refused);
  expect(await ask(await stage.givenEvent({ guests: "everyone" }), email)).toMatchObject({ status: 202 });
});

test("a guest's link does not outlive its event, also when it is created again", async () => {
  const [id, email] = [await stage.givenEvent({ guests: "everyone" }), newEmail()];
  await ask(id, email);
  const [secret] = await linksOf(email);
  expect((await byLink("GET", secret)).status).toBe(200);
  await stage.deleteEvent(id, "?force=true");
  await stage.settled();
  await stage.givenEvent({ id, guests: "everyone" });
  expect(await byLink("POST", secret)).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
});

describe("a form that anybody can send", () => {
  test("mails nothing that was typed before the mailbox has confirmed it, and then the name", async () => {
    const [eventID, email] = [await stage.givenEvent({ guests: "everyone" }), newEmail()];
    const typed = ["Pay at evil.example", "evil-surname.example", "evil-diet.example", "evil-company.example"];
    const [fname, lname, diet, companyName] = typed;
    await ask(eventID, email, { fname, basicInformation: { fname, lname, diet, companyName } });
    const [link] = await linksOf(email);
    const everything = () => JSON.stringify(stage.mailsTo(email));
    const messages = JSON.stringify((await stage.storedItems()).filter(({ PK }) => `${PK}`.startsWith("OUT#")));
    for (const text of [...typed, "evil"]) expect(everything() + messages).not.toContain(text);
    expect((await byLink("POST", link)).status).toBe(201);
    await stage.settled();
    expect(everything()).toContain(fname);
  });

  test("takes no answer that nobody asked for, and keeps no more of the others than it checks", async () => {
    const questionId = "wanted";
    const question = { questionId, label: "Which?", type: "CHECKBOX", required: true, choices: ["a", "b"] };
    const [id, email] = [await stage.givenEvent({ guests: "everyone", registrationQuestions: [question] }), newEmail()];
    const many = Object.fromEntries(times(60, (n) => [`q${n}`, "x".repeat(4_000)]));
    for (const unknown of [many, { "a/b": ["x"] }, { other: "" }]) {
      const refused = await ask(id, email, { dynamicResponses: { [questionId]: ["a"], ...unknown } });
      expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
      expect(refused.body.issues[0].path).toBe(`/dynamicResponses/${Object.keys(unknown)[0]?.replace("/", "~1")}`);
      expect(refused.body.issues.length).toBeLessThanOrEqual(20);
    }
    expect(await stage.stored(`GUEST#${email}`)).toEqual([]);
    const repeated = { [questionId]: times(100, () => "a") };
    expect((await ask(id, email, { dynamicResponses: repeated })).status).toBe(202);
    expect(JSON.stringify(await stage.stored(`GUEST#${email}`)).length).toBeLessThan(500);
  });

  test("mails an address at most five times an hour, and only the last link works", async () => {
    const [eventID, email] = [await stage.givenEvent({ guests: "everyone" }), newEmail("flooded.example")];
    const answers: number[] = [];
    for (const fname of times(7, (n) => `Try ${n}`)) answers.push((await ask(eventID, email, { fname })).status);
    expect(answers).toEqual([202, 202, 202, 202, 202, 429, 429]);
    const links = await linksOf(email);
    expect(links).toHaveLength(5);
    const opened = await Promise.all(links.map(async (secret) => (await byLink("GET", secret)).status));
    expect(opened.sort()).toEqual([200, 401, 401, 401, 401]);
  });

  test("says the same of an address that is registered, and shows nothing of it", async () => {
    const email = newEmail();
    const eventID = await stage.givenEventWith([email], { guests: "everyone" });
    const [known, unknown] = [await ask(eventID, email), await ask(eventID, newEmail())];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  });
});
