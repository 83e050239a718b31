/** What is stored about a person, and what becomes of it (`docs/contract.md`, "A person's data"). */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { DeleteCommand, type NativeAttributeValue, PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { names, shownOf } from "#domain/personal-data/shown.ts";
import { factsOf, storedKindOf } from "#outbox/stored-kinds.ts";
import { leadsBack } from "../leads.ts";
import { exec, newEmail, user, year } from "./given.ts";
import { exportLinkOf, linkOf } from "./link-of.ts";
import { signUpAndIn } from "./newcomer.ts";
import { operatorOf } from "./operator.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

type Items = Record<string, NativeAttributeValue>[];

const everything = (): Promise<Items> => stage.storedItems();

/** What a scan of the whole table finds of a person, by kind. */
async function scanned(email: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of await everything()) {
    const kind = shownOf(item as never, email)?.kind;
    if (kind) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

const countsOf = (records: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(records).map(([kind, some]) => [kind, some.length]));
const inOrder = (records: Record<string, unknown[]>) =>
  Object.fromEntries(
    Object.entries(records).map(([kind, some]) => [kind, some.map((record) => JSON.stringify(record)).sort()]),
  );
const exported = (email: string, as = email) => stage.api("GET", `/users/${email}/export`, { as });
/** Only a scan finds these: they are in `leftOut`. */
const unlisted = ["outbox row", "audit row", "actions about others", "named in records of others"];

const form = {
  fname: "Grace",
  studentId: "87654321",
  basicInformation: { fname: "Grace", lname: "Hopperberg", diet: "vegan", phone: "604 555 0199" },
};
/** What only this person has entered. */
const told = /Hopperberg|87654321|604 555 0199|Bravo, Grace/;

/** The game, the door with two devices, feedback, payment pages, a campaign, a link, and being a guest. */
async function givenGuestPlayerAndPayer(email: string, came: string) {
  const guests = await stage.givenEvent({ guests: "everyone" });
  const asked = { email, ...form };
  expect((await stage.api("POST", `/events/${guests}/${year}/guests`, { body: asked })).status).toBe(202);

  const projectId = `rover-${came}`;
  const project = { projectId, ticker: "ROV", name: "Rover", eventId: `game-${came}` };
  expect((await stage.api("POST", "/btx/admin/project", { as: exec, body: project })).status).toBe(200);
  for (const shares of [2, 3]) {
    const order = { as: email, body: { projectId, shares } };
    expect((await stage.api("POST", "/btx/market/buy", order)).status).toBe(200);
  }

  const door = await stage.givenEvent({ startDate: new Date(Date.now() - 3_600_000).toISOString() });
  await stage.registerByAdmin(door, email, form);
  const { secret } = (await stage.api("POST", `/events/${door}/${year}/door-links`, { as: exec })).body;
  const { ticketCode: code } = await stage.registrationOf(door, email);
  for (const name of ["North", "South"]) {
    const joined = await stage.api("POST", `/events/${door}/${year}/door/devices`, { body: { secret, name } });
    const headers = { authorization: `Door ${joined.body.token}` };
    const body = { sentAt: Date.now(), scans: [{ nonce: randomUUID(), scannedAt: Date.now(), code }] };
    expect((await stage.api("POST", "/registrations/check-in/scans", { headers, body })).status).toBe(200);
  }

  const paid = await stage.givenEvent({ pricing: { member: 5, nonMember: 10 } });
  await stage.register(paid, email, form);
  const { id: session } = await stage.eventCheckout(paid, email);
  stage.payments.pay(session);
  await stage.settled();
  stage.payments.dispute(session);
  stage.payments.closeDispute(session, "won");
  const pages = await stage.givenEvent({ pricing: { member: 5, nonMember: 10 } });
  await stage.register(pages, email, form);
  for (const price of [6, 7, 8]) {
    await stage.eventCheckout(pages, email);
    await stage.changeEvent(pages, { pricing: { member: price, nonMember: price } });
    await stage.settled();
  }

  const asks = {
    ...{ attendeeFeedbackEnabled: true, startDate: new Date(Date.now() - 3_600_000).toISOString() },
    attendeeFeedbackQuestions: [{ questionId: "long", label: "At length?", type: "LONG_TEXT", required: false }],
  };
  const [signed, unsigned] = [await stage.givenEvent(asks), await stage.givenEvent(asks)];
  const responses = { "overall-rating": 9, long: "Bravo, Grace Hopperberg!" };
  for (const [id, said] of [
    [signed, { responses, respondentName: "Grace Hopperberg", respondentEmail: email }],
    [unsigned, { responses: { "overall-rating": 2 } }],
  ] as const) {
    const sent = await stage.api("POST", `/events/${id}/${year}/feedback/attendee`, { as: email, body: said });
    expect(sent.status).toBe(201);
  }

  const again = await stage.givenEvent();
  for (let times = 0; times < 2; times += 1) {
    await stage.register(again, email, form);
    await stage.moveTo(again, email, "cancelled", email);
  }
  await stage.register(again, email, form);
  const link = await linkOf(stage, "registration", { eventID: again, email, year });
  const linked = { headers: { authorization: `Link ${link}` } };
  expect(
    (await stage.api("PUT", "/links/registration", { ...linked, body: { coming: true, seenStatus: "registered" } }))
      .status,
  ).toBe(200);

  const templateName = `hello-${came}`;
  const template = { templateName, subject: "Hi", html: "<p>Hi</p>", text: "Hi" };
  expect((await stage.api("POST", "/emails/templates", { as: exec, body: template })).status).toBe(201);
  const send = { templateName, audience: { emails: [email] } };
  expect((await stage.api("POST", "/emails/send", { as: exec, body: send })).status).toBe(202);
  return { signed, linked, session };
}

/** A person who has done all that people do. */
async function givenActivePerson(more = false) {
  const email = await stage.givenUser({ fname: "Grace" });
  const grant = { email, firstName: "Grace", lastName: "Hopper" };
  expect((await stage.api("POST", "/members/grant", { as: exec, body: grant })).status).toBeLessThan(300);
  const [upcoming, came, full, partners, priced] = await Promise.all([
    stage.givenEvent(),
    stage.givenEvent(),
    stage.givenEvent({ capac: 1 }),
    stage.givenEvent({ partnerCapac: 0 }),
    stage.givenEvent({ pricing: { member: 5, nonMember: 10 } }),
  ]);
  await stage.registerByAdmin(full, newEmail());
  for (const id of [upcoming, came, full, priced]) await stage.register(id, email, form);
  await stage.register(partners, email, { ...form, isPartner: true });
  await stage.changeRegistration(came, email, { registrationStatus: "checkedIn" });
  await stage.changeRegistration(came, email, { points: 3 });
  const checkout = {
    paymentType: "Event",
    eventID: priced,
    year,
    success_url: "http://localhost:3000/a",
    cancel_url: "http://localhost:3000/b",
  };
  expect((await stage.api("POST", "/payments", { as: email, body: checkout })).status).toBe(200);
  expect((await stage.api("POST", "/emails/suppressions", { as: exec, body: { email } })).status).toBeLessThan(300);
  const rest = more ? await givenGuestPlayerAndPayer(email, came) : undefined;
  await stage.settled();
  await stage.indexed();
  return { email, upcoming, came, ...rest };
}

let staying: ReturnType<typeof givenActivePerson> | undefined;
/** Of whom the export tells, and who stays when another is deleted. */
const givenStaying = () => {
  staying ??= givenActivePerson(true);
  return staying;
};

describe("the export", () => {
  test("has what a scan of the whole table finds, in the words of the contract", async () => {
    const { email, came } = await givenStaying();
    const { status, body } = await exported(email);
    expect(status).toBe(200);
    const found = await scanned(email);
    expect(Object.keys(found)).toEqual(
      expect.arrayContaining([
        ...["account", "membership", "profile", "profile id", "registration", "total points", "place in line"],
        ...["place in the partners' line", "hold", "checkout", "latest checkout of an event", "suppression"],
        ...[
          "marker of a notice",
          "outbox row",
          "request of a guest",
          "count of a mailbox's guest links",
          "scans of a ticket",
        ],
        ...["trade", "account in the game", "listed game account", "payment", "own payment", "feedback"],
        ...["signed feedback", "delivery of a campaign", "batch of a campaign"],
      ]),
    );
    expect([found.checkout, found["signed feedback"]]).toEqual([5, 1]);
    const telling = (await everything()).filter((item) => told.test(JSON.stringify(item)));
    expect(telling.filter((item) => shownOf(item as never, email) === undefined)).toEqual([]);
    const listed = Object.fromEntries(Object.entries(found).filter(([kind]) => !unlisted.includes(kind)));
    expect(countsOf(body.records)).toEqual(listed);
    expect(body.records.account).toMatchObject([{ id: email, fname: "Grace" }]);
    expect(body.records.registration).toContainEqual(
      expect.objectContaining({
        eventID: came,
        registrationStatus: "checkedIn",
        basicInformation: form.basicInformation,
      }),
    );
    const plan = (await stage.api("GET", `/users/${email}/erasure`, { as: email })).body;
    const planned = ["goes", "isEmptied", "goesLater", "isRenamed", "stays"].flatMap((list) => plan[list]);
    const counted = Object.fromEntries(
      planned.map(({ kind, items }: { kind: string; items: number }) => [kind, items]),
    );
    expect(counted).toEqual(listed);
    // BatchGetItem answers in no order.
    expect(inOrder((await exported(email, exec)).body.records)).toEqual(inOrder(body.records));
  });

  test("is also a page that a browser saves, in which nothing of the person is markup", async () => {
    const email = await stage.givenUser({ fname: "<b>Bob</b>" });
    const answer = await stage.api("GET", `/users/${email}/export?format=html`, { as: email });
    const page = answer.body;
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    expect(page).toContain("&lt;b&gt;Bob&lt;/b&gt;");
    expect(page).not.toContain("<b>");
    expect(page).toMatch(/<dt>createdAt<\/dt><dd>\w+day, \w+ \d+, \d{4} at \d+:\d\d [AP]M \S+<\/dd>/);
  });

  test("is the person's and the admins', also for somebody without an account", async () => {
    const stranger = newEmail();
    expect((await exported(stranger, user)).status).toBe(403);
    expect((await stage.api("GET", `/users/${stranger}/erasure`, { as: user })).status).toBe(403);
    expect((await exported(stranger, exec)).body).toMatchObject({ email: stranger, records: {} });
    expect((await exported("self", stranger)).body.email).toBe(stranger);
  });
});

describe("the link of a mail", () => {
  const byLink = (secret: string, path = "/links/export") =>
    stage.api("GET", path, { headers: { authorization: `Link ${secret}` } });
  const refused = { status: 401, body: { code: "UNAUTHENTICATED", message: "This link is not valid (any more)." } };

  test("opens the export of a person without an account, and leaves a row", async () => {
    const [id, email] = [await stage.givenEvent(), newEmail()];
    await stage.registerByAdmin(id, email);
    await stage.settled();
    const mails = stage.mailsTo(email).length;
    expect((await stage.api("POST", `/users/${email}/export-link`, { as: exec })).status).toBe(202);
    await stage.settled();
    expect(stage.mailsTo(email)).toHaveLength(mails + 1);
    const secret = stage.secretTo(email, "/export");
    const { status, body } = await byLink(secret);
    expect([status, body.email]).toEqual([200, email]);
    expect(body.records.registration).toMatchObject([{ eventID: id }]);
    const page = await stage.fetch("/links/export?format=html", { headers: { authorization: `Link ${secret}` } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const rows = (await stage.api("GET", `/audit?email=${email}&limit=3`, { as: exec })).body.data;
    expect(rows.map(({ action, actor }: Record<string, string>) => [action, actor])).toEqual([
      ["export.downloaded", "link"],
      ["export.downloaded", "link"],
      ["export.requested", exec],
    ]);
  });

  test("opens nothing after its end, with a changed letter, or for another purpose; and no registration", async () => {
    const [eventID, email] = [await stage.givenEvent(), newEmail()];
    await stage.registerByAdmin(eventID, email);
    const secret = await exportLinkOf(stage, email);
    for (const wrong of [
      await exportLinkOf(stage, email, Date.now()),
      secret.slice(0, 20) + (secret[20] === "A" ? "B" : "A") + secret.slice(21),
      await linkOf(stage, "registration", { eventID, email, year }),
      "E1.",
    ]) {
      expect(await byLink(wrong)).toMatchObject(refused);
    }
    for (const path of ["/links/registration", "/links/feedback", "/links/guest"]) {
      expect(await byLink(secret, path)).toMatchObject(refused);
    }
    expect((await byLink(secret)).status).toBe(200);
  });
});

describe("a person without an account", () => {
  const goes = (email: string, as = exec) => stage.api("DELETE", `/users/${email}`, { as });
  const notes = async (email: string) => (await stage.stored("ERASURES")).filter((note) => note.email === email);

  test("is deleted by the same request, once, and hears of it", async () => {
    const [id, email] = [await stage.givenEvent(), newEmail()];
    await stage.registerByAdmin(id, email);
    await stage.changeRegistration(id, email, { basicInformation: { diet: "vegan" } });
    await stage.settled();
    const byLink = (secret: string) =>
      stage.api("GET", "/links/export", { headers: { authorization: `Link ${secret}` } });
    const before = await exportLinkOf(stage, email);
    expect((await byLink(before)).status).toBe(200);
    expect(await goes(email)).toMatchObject({ status: 200, body: { message: "User deleted." } });
    await stage.settled();
    expect(await stage.storedRegistration(id, email)).toMatchObject({ status: "cancelled", basicInformation: {} });
    expect(await notes(email)).toHaveLength(1);
    expect((await byLink(before)).status).toBe(401);
    expect((await byLink(await exportLinkOf(stage, email, Date.now() + 72 * 3_600_000 + 1))).status).toBe(200);
    const texts = stage.mailsTo(email).map(({ body }) => body.text ?? "");
    expect(texts.filter((text) => text.includes("It ended with your data at the club"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("what you entered in registrations are removed"))).toHaveLength(1);
    expect(texts.join()).not.toContain("register again");
    expect((await goes(email)).status).toBe(404);
    expect((await stage.api("GET", `/users/${email}/erasure`, { as: exec })).body.endsAt).toBe(
      ((await notes(email))[0]?.deletedAt as number) + 60 * 86_400_000,
    );

    // Who registers again is deleted again.
    await stage.registerByAdmin(id, email);
    expect((await goes(email)).status).toBe(200);
    expect(await notes(email)).toHaveLength(2);
  });

  test("is deleted with no more than the trace of a deleted registration; a stranger is not", async () => {
    const [id, email] = [await stage.givenEvent(), newEmail()];
    await stage.registerByAdmin(id, email);
    expect(
      (await stage.api("DELETE", `/registrations/${email}`, { as: exec, body: { eventID: id, year } })).status,
    ).toBe(200);
    await stage.settled();
    expect((await goes(email)).status).toBe(200);
    const stranger = newEmail();
    expect((await stage.api("POST", `/users/${stranger}/export-link`, { as: exec })).status).toBe(404);
    expect(await goes(stranger)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await goes(email, user)).status).toBe(403);
    expect((await goes(stranger, stranger)).status).toBe(404);
    await stage.settled();
    expect(stage.mailsTo(stranger)).toEqual([]);
  });
});

describe("a new email", () => {
  const confirm = (secret: string) =>
    stage.api("POST", "/links/new-email", { headers: { authorization: `Link ${secret}` }, body: {} });
  const ask = (email: string, to: string, as = email) =>
    stage.api("POST", `/users/${email}/new-email`, { as, body: { email: to } });

  test("is confirmed by both addresses, and has everything", async () => {
    const [email, to, other] = [await stage.givenUser(), newEmail(), newEmail()];
    const gala = await stage.givenEventWith([email], { capac: 1 });
    const line = await stage.givenEventWith([other, email], { capac: 1 });
    const former = await linkOf(stage, "registration", { email, eventID: gala, year });
    expect((await ask(email, to, other)).status).toBe(403);
    expect((await ask(email, to)).status).toBe(202);
    await stage.settled();
    const next = stage.secretTo(to, "/new-email");
    expect(await confirm(next)).toMatchObject({
      status: 200,
      body: { message: "This address has confirmed. The other one has yet to." },
    });
    expect((await stage.api("GET", "/users/self", { as: to })).status).toBe(404);
    expect(await confirm(stage.secretTo(email, "/new-email"))).toMatchObject({
      ...{ status: 200, body: { message: "Your email is changed." } },
    });
    await stage.settled();

    expect((await stage.api("GET", "/users/self", { as: to })).body).toMatchObject({ email: to });
    const data = (await exported(to, to)).body;
    expect(data.records.registration.map(({ eventID }: { eventID: string }) => eventID).sort()).toEqual(
      [gala, line].sort(),
    );
    expect(JSON.stringify(data)).not.toContain(email);
    const left = (await exported(email, exec)).body.records;
    expect(Object.keys(left)).not.toContain("account");
    expect(left.registration.map((one: Record<string, string>) => one.registrationStatus)).toEqual([
      "deleted",
      "deleted",
    ]);
    expect((await confirm(next)).status).toBe(401);
    const old = { headers: { authorization: `Link ${former}` } };
    expect((await stage.api("GET", "/links/registration", old)).status).toBe(401);
    const now = {
      headers: { authorization: `Link ${await linkOf(stage, "registration", { email: to, eventID: gala, year })}` },
    };
    expect((await stage.api("GET", "/links/registration", now)).status).toBe(200);
    expect(stage.mailsTo(to).filter(({ body }) => body.text?.includes("Your ticket"))).not.toEqual([]);
    expect(
      stage
        .mailsTo(email)
        .map(({ body }) => body.text)
        .join(),
    ).toContain("under your new address now");
    expect(
      stage
        .mailsTo(to)
        .map(({ body }) => body.text)
        .join(),
    ).not.toContain(email);
  });

  test("that is known is refused only at its own link, and an earlier link ends", async () => {
    const [email, known] = [await stage.givenUser(), await stage.givenUser()];
    expect((await ask(email, known)).status).toBe(202);
    await stage.settled();
    const earlier = stage.secretTo(known, "/new-email");
    expect(await confirm(stage.secretTo(email, "/new-email"))).toMatchObject({ status: 200 });
    expect(await confirm(earlier)).toMatchObject({ status: 409, body: { code: "EMAIL_NOT_CHANGEABLE" } });
    expect((await ask(email, newEmail())).status).toBe(202);
    expect((await confirm(earlier)).status).toBe(401);
    expect((await ask(email, "someone@club.example")).status).toBe(409);
  });
});

describe("by the link to their data, a person", () => {
  const asked = (method: string, secret: string, body?: object) =>
    stage.api(method, "/links/erasure", { headers: { authorization: `Link ${secret}` }, ...(body && { body }) });

  test("sees what a deletion does, and is deleted as when signed in; the link ends with it", async () => {
    const { id, email } = await stage.givenPaid({ refundUntil: `${year}-04-01` });
    const secret = await exportLinkOf(stage, email);
    const [byLink, signedIn] = [
      await asked("GET", secret),
      await stage.api("GET", "/users/self/erasure", { as: email }),
    ];
    expect(byLink.status).toBe(200);
    expect(byLink.body).toEqual({ ...signedIn.body, endsAt: expect.any(Number) });
    // Nothing is lost by a mistake in the request.
    expect(await asked("POST", secret, { email })).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expect(await asked("POST", secret, {})).toMatchObject({ status: 200, body: { message: "User deleted." } });
    expect((await asked("GET", secret)).status).toBe(401);
    expect((await asked("POST", secret, {})).status).toBe(401);
    await stage.settled();
    expect(await stage.storedRegistration(id, email)).toMatchObject({
      status: "cancelled",
      left: "person deleted/account",
    });
    const texts = stage.mailsTo(email).map(({ body }) => body.text ?? "");
    expect(texts.filter((text) => text.includes("what you entered in registrations are removed"))).toHaveLength(1);
    const rows = (await stage.outboxRows()).filter(({ detail }) => detail.data.email === email);
    const deleted = rows.find(({ detailType }) => detailType === "user.deleted")?.detail;
    expect([deleted?.metadata.actor, deleted?.data.origin]).toEqual(["link", "self/link"]);
    // The rules for cancelling decide about the money, as for the person.
    expect(rows.map(({ detailType }) => detailType)).toContain("payment.refundRequired");
  });
});

/** The only person who came to the event is deleted: the event moves, and a campaign is for all who came. */
async function expectNothingIsSent(came: string, startDate: string) {
  await stage.changeEvent(came, { startDate });
  const templateName = `${came}-${startDate.slice(0, 10)}`;
  const template = { templateName, subject: "Photos", html: "<p>Photos</p>", text: "Photos" };
  expect((await stage.api("POST", "/emails/templates", { as: exec, body: template })).status).toBe(201);
  const audience = { eventID: came, year, status: ["checkedIn"] };
  const send = await stage.api("POST", "/emails/send", { as: exec, body: { templateName, audience } });
  expect(send).toMatchObject({ status: 202, body: { recipients: 0 } });
  await stage.settled();
}

/** Sixty days pass. The second run of the sweeper finds nothing more to do. */
async function endErasureOf(email: string) {
  for (let runs = 0; runs < 2; runs += 1) {
    const note = (await everything()).find((item) => item.PK === "ERASURES" && item.email === email);
    const TableName = stage.outputs.tableName;
    await stage.table.send(new DeleteCommand({ TableName, Key: { PK: note?.PK, SK: note?.SK } }));
    await stage.table.send(new PutCommand({ TableName, Item: { ...note, SK: `0000000000001#${email}` } }));
    await stage.invoke("Sweeper", {});
  }
}

describe("the plan of an erasure", () => {
  test("says what goes and what stays; sixty days later the sweeper renames that, and the event's numbers are the same", async () => {
    const other = await givenStaying();
    const { email, upcoming, came, signed, linked, session } = await givenActivePerson(true);
    const { body: plan } = await stage.api("GET", `/users/${email}/erasure`, { as: email });
    const kindsIn = (list: { kind: string }[]) => list.map(({ kind }) => kind);
    expect(kindsIn(plan.goes)).toEqual(
      expect.arrayContaining([
        "account",
        "hold",
        "membership",
        "place in line",
        "profile",
        "profile id",
        "total points",
        "request of a guest",
        "count of a mailbox's guest links",
        "signed feedback",
      ]),
    );
    const because = (kind: string) => expect.objectContaining({ kind, why: expect.any(String) });
    expect(plan.stays).toContainEqual(because("suppression"));
    expect(kindsIn(plan.isEmptied)).toEqual(["registration", "feedback"]);
    expect(plan.isRenamed).toContainEqual(because("registration"));
    expect(plan.goesLater).toContainEqual(because("marker of a notice"));

    expect((await stage.api("DELETE", `/users/${email}`, { as: email })).status).toBe(200);
    await stage.settled();
    const kinds = async () => Object.keys(await scanned(email)).filter((kind) => !unlisted.includes(kind));
    const left = await kinds();
    expect(left.filter((kind) => kindsIn(plan.goes).includes(kind))).toEqual([]);
    expect(left.filter((kind) => "goes" in (factsOf(kind)?.personal?.after ?? {}))).toEqual([]);

    for (const id of [upcoming, came]) {
      const registration = await stage.storedRegistration(id, email);
      expect(registration).toMatchObject({ basicInformation: {}, dynamicResponses: {}, fname: "" });
    }
    expect(await stage.storedRegistration(came, email)).toMatchObject({ status: "checkedIn", points: 3 });
    const records = (await everything()).filter(({ PK }) => !String(PK).startsWith("OUT#"));
    expect(JSON.stringify(records)).not.toContain(`${email}","phone`);
    // Trades stay with the shown name, until the end.
    const own = records.filter(({ PK, SK }) => PK === `USER#${email}` && !String(SK).startsWith("BTX#"));
    expect(own.filter((item) => /Grace|vegan|555 0199/.test(JSON.stringify(item)))).toEqual([]);

    expect((await stage.api("GET", "/links/registration", linked)).status).toBe(401);
    expect((await stage.stored(`FB#${signed}#${year}#attendee`))[0]?.responses).toEqual({ "overall-rating": 9 });
    expect((await everything()).filter((item) => told.test(JSON.stringify(item)) && names(item, email))).toEqual([]);
    const refund = { as: exec, body: { reason: "Sorry!" } };
    expect((await stage.api("POST", `/payments/${session}/refunds`, refund)).status).toBe(202);
    await stage.settled();
    const counts = await stage.countsOf(came);
    const mails = stage.mailsTo(email).length;
    await expectNothingIsSent(came, `${year}-06-01T18:00:00Z`);
    expect(stage.mailsTo(email)).toHaveLength(mails);
    await stage.indexed();
    expect((await stage.list(`/registrations/leaderboard?eventID=${came}&year=${year}`, user)).body).toEqual([]);
    await endErasureOf(email);

    const last = await kinds();
    expect(last).toEqual(last.filter((kind) => "stays" in (factsOf(kind)?.personal?.after ?? {})));
    await stage.indexed();
    const { body } = await stage.api("GET", `/registrations?eventID=${came}&year=${year}`, { as: exec });
    expect(body.data).toMatchObject([
      {
        email: expect.stringMatching(/^erased-[0-9a-f]{32}@erased\.invalid$/),
        registrationStatus: "checkedIn",
        points: 3,
      },
    ]);
    expect(await stage.countsOf(came)).toEqual(counts);

    await expectNothingIsSent(came, `${year}-06-02T18:00:00Z`);
    const pseudonym = body.data[0].email;
    expect(JSON.stringify([stage.mailbox.list(), await stage.chatTexts(), stage.deadLetters()])).not.toContain(
      "erased",
    );
    expect(Object.keys(await scanned(pseudonym))).not.toContain("marker of a notice");
    const isOfMany = (item: object) =>
      names(item, other.email) || /"PK":"(?:EVENT|SEAT|BTXP|CMP|TPL)#/.test(JSON.stringify(item));
    expect(leadsBack(await everything(), { email, pseudonym, isCommon: isOfMany })).toEqual([]);
  });

  test("in a restored table the person is there again, and goes again by the same request", async () => {
    const { email } = await givenActivePerson();
    // What is restored while people and messages wait; messages are not sent again.
    const records = async () => (await everything()).filter(({ PK }) => !/^(?:OUT|AUD|SENT|ERASURES)/.test(String(PK)));
    const byKey = (items: Items) => new Map(items.map((item) => [`${item.PK} ${item.SK}`, item]));
    const before = byKey(await records());
    const goes = () => stage.api("DELETE", `/users/${email}`, { as: exec });
    expect((await goes()).status).toBe(200);
    await stage.settled();
    const left = await scanned(email);
    const TableName = stage.outputs.tableName;
    const after = byKey(await records());
    for (const [key, { PK, SK }] of after) {
      if (!before.has(key)) await stage.table.send(new DeleteCommand({ TableName, Key: { PK, SK } }));
    }
    for (const [key, Item] of before) {
      if (!isDeepStrictEqual(Item, after.get(key))) await stage.table.send(new PutCommand({ TableName, Item }));
    }
    expect(await scanned(email)).toMatchObject({ account: 1, membership: 1, profile: 1 });
    expect((await goes()).status).toBe(200);
    await stage.settled();
    const kept = (counts: Record<string, number>) =>
      Object.entries(counts).filter(([kind]) => ![...unlisted, "marker of a notice", "erasure to come"].includes(kind));
    expect(kept(await scanned(email)).sort()).toEqual(kept(left).sort());
  });

  test("of an executive leaves in the audit, messages and campaigns what was done for others", async () => {
    const executive = newEmail("club.example");
    const [id, one, two] = [await stage.givenEvent({ capac: 1 }), newEmail(), newEmail()];
    const { session } = await stage.givenPaid();
    const prize = `of-${id}`;
    const templateName = `by-${id}`;
    const acts: readonly (readonly [method: string, path: string, body?: object])[] = [
      ["POST", "/users", { fname: "Grace" }],
      ["PATCH", `/events/${id}/${year}`, { elocation: "The hall" }],
      ["POST", "/registrations", { email: one, eventID: id, year, registrationStatus: "registered" }],
      ["POST", "/registrations", { email: executive, eventID: id, year, ...form }],
      ["PUT", "/registrations/massUpdate", { eventID: id, year, updates: [{ email: one, points: 3 }] }],
      ["PUT", `/registrations/${one}`, { eventID: id, year, registrationStatus: "checkedIn" }],
      ["POST", `/events/${id}/${year}/door-links`],
      ["POST", "/members/grant", { email: two, firstName: "Two", lastName: "Three" }],
      ["POST", `/payments/${session}/refunds`, { reason: "Sorry!", amount: 100 }],
      ["POST", "/prizes", { id: prize, name: "Mug", price: 5 }],
      ["PATCH", `/prizes/${prize}`, { price: 6 }],
      ["POST", "/emails/suppressions", { email: two, reason: "asked" }],
      ["POST", "/emails/templates", { templateName, subject: "Hi", html: "<p>Hi</p>", text: "Hi" }],
      ["POST", "/emails/send", { templateName, audience: { emails: [one] } }],
      ["POST", "/btx/admin/project", { projectId: prize, ticker: "EXE", name: "Execs", eventId: `game-${id}` }],
      ["DELETE", `/users/${two}`],
    ];
    for (const [method, path, body] of acts) {
      const { status, body: said } = await stage.api(method, path, { as: executive, ...(body && { body }) });
      expect([path, status < 300 ? "done" : said]).toEqual([path, "done"]);
    }
    await stage.settled();
    await stage.indexed();
    const found = await scanned(executive);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(["account", "registration", "actions about others"]));
    const { records } = (await exported(executive)).body;
    expect(countsOf(records)).toEqual(
      Object.fromEntries(Object.entries(found).filter(([kind]) => !unlisted.includes(kind))),
    );
    expect((await stage.api("DELETE", `/users/${executive}`, { as: executive })).status).toBe(200);
    await stage.settled();
    await endErasureOf(executive);
    expect(new Set(Object.keys(await scanned(executive)))).toEqual(
      new Set(["audit row", "outbox row", "actions about others", "named in records of others"]),
    );
    const items = (await everything()).filter((item) => names(item, executive));
    expect(new Set(items.map((item) => storedKindOf(item as never)))).toEqual(
      new Set(["audit row", "outbox row", "campaign", "payment", "registration"]),
    );
  });

  test("an operator removes the sign-in account, and ends the erasure at once", async () => {
    const operator = await operatorOf(stage);
    const [id, email] = [await stage.givenEvent(), newEmail()];
    const token = await signUpAndIn(stage, email);
    const call = { as: email, token };
    expect((await stage.api("POST", "/users", { ...call, body: {} })).status).toBe(201);
    expect((await stage.register(id, email)).status).toBe(201);
    expect(await operator.run("erase", email, "--apply")).toMatchObject({
      code: 1,
      text: expect.stringContaining("is not deleted. First DELETE"),
    });
    expect((await stage.api("DELETE", `/users/${email}`, call)).status).toBe(200);
    await stage.settled();
    const ask = (...flags: string[]) => operator.run("erase", email, ...flags);
    expect(await ask("--now")).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^Sign-in accounts: 1\. Erasures to come: 20/),
    });
    expect((await ask("--apply")).code).toBe(0);
    const rows = (await stage.api("GET", `/audit?email=${email}&actor=operator`, { as: exec })).body.data;
    expect(rows).toMatchObject([{ action: "signInAccount.removed" }]);
    expect(await ask("--now", "--apply")).toMatchObject({
      code: 0,
      text: expect.stringContaining("The erasure is over; "),
    });
    expect(await ask("--now")).toMatchObject({ code: 0, text: expect.stringContaining("Nothing is left to remove.") });
    expect(await scanned(email)).toEqual({});
    const renamed = (await everything()).filter((item) => JSON.stringify(item).includes("erased-"));
    expect(renamed.map(({ PK }) => String(PK).split("#")[0])).toContain("USER");
    expect((await operator.run("check")).text).not.toContain("erased");
    await operator.close();
  });
});

test("an operator counts what people entered for events of more than thirty days ago", async () => {
  const operator = await operatorOf(stage);
  const told = async (id: string) => {
    const { code, lines } = await operator.run("retention", "--days", "30");
    return [code, lines.filter((line) => line.startsWith(`${id} `))];
  };
  const [id, email] = [await stage.givenEvent(), newEmail()];
  await stage.register(id, email, { basicInformation: { diet: "vegan" } });
  expect(await told(id)).toEqual([0, []]);
  const [startDate, endDate] = [32, 31].map((days) => new Date(Date.now() - days * 86_400_000).toISOString());
  expect((await stage.changeEvent(id, { startDate, endDate })).status).toBe(200);
  expect(await told(id)).toEqual([0, [`${id} ${year}: 1`]]);
  expect(await operator.run("retention", "--days", "29")).toMatchObject({ code: 2 });
  await operator.close();
});
