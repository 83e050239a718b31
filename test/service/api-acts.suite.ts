/**
 * Leaving, joining, changing answers and ending a person, by every way on which a caller or the clock comes to it: the rules
 * that hold (`docs/contract.md`, "Acts"). The tables say what the contract does, and know nothing of the service's own.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { ada, exec, newEmail, times, year } from "./given.ts";
import { linkOf } from "./link-of.ts";
import { type OutageStage, sharedRefunds } from "./outage.ts";

let stage: OutageStage["stage"];
beforeAll(async () => {
  ({ stage } = await sharedRefunds());
});

const executive = () => newEmail("club.example");
const byLink = (secret: string, method: string, path: string, body?: object) =>
  stage.api(method, path, { headers: { authorization: `Link ${secret}` }, ...(body && { body }) });
const bulk = (eventID: string, email: string, changes: object, as: string) =>
  stage.api("PUT", "/registrations/massUpdate", { as, body: { eventID, year, updates: [{ email, ...changes }] } });

/** A departure: who leaves, by which request, and what becomes of it. `session`: of the payment. */
interface Departure {
  readonly origin: string;
  /** The person is an executive, too. */
  readonly isExecutive?: boolean;
  leave(id: string, email: string, session: string): Promise<{ readonly status: number }>;
  /**
   * Of a paid seat after `refundUntil`: `review` waits for the treasurer, `refunded` goes back by itself. Absent: the seat is
   * free, because what becomes of the money follows from the origin (`test/model/acts.test.ts`).
   */
  readonly refund?: "review" | "refunded";
}

const cancelled = { registrationStatus: "cancelled" };
const remove = (id: string, email: string, as: string) =>
  stage.api("DELETE", "/registrations", { as, body: { ids: [email], eventID: id, year } });

// biome-ignore format: one row a way
const departures: readonly (readonly [string, Departure])[] = [
  ["PUT by the person",              { origin: "self/account",  refund: "review",   leave: (id, email) => stage.moveTo(id, email, "cancelled", email) }],
  ["DELETE by the person",           { origin: "self/account",  leave: (id, email) => stage.leave(id, email) }],
  ["the link of a mail",             { origin: "self/link",     leave: async (id, email) =>
    byLink(await linkOf(stage, "registration", { eventID: id, email, year }), "PUT", "/links/registration", { ...cancelled, seenStatus: "registered" }) }],
  ["PUT by an executive themself",   { origin: "self/desk",     isExecutive: true, leave: (id, email) => stage.moveTo(id, email, "cancelled", email) }],
  ["bulk PUT, also of one's own",    { origin: "self/bulk",     isExecutive: true, leave: (id, email) => bulk(id, email, cancelled, email) }],
  ["PUT by an executive",            { origin: "admin/desk",    refund: "refunded", leave: (id, email) => stage.moveTo(id, email, "cancelled") }],
  ["DELETE by an executive",         { origin: "admin/desk",    leave: (id, email) => stage.leave(id, email, exec) }],
  ["bulk PUT",                       { origin: "admin/bulk",    leave: (id, email) => bulk(id, email, cancelled, exec) }],
  ["bulk DELETE",                    { origin: "admin/bulk",    leave: (id, email) => remove(id, email, exec) }],
  ["a refund that cancels",          { origin: "admin/refund",  refund: "refunded", leave: (_id, _email, session) =>
    stage.api("POST", `/payments/${session}/refunds`, { as: exec, body: { reason: "Sorry!", cancel: true } }) }],
  ["a refund of one's own that cancels", { origin: "self/refund", refund: "refunded", isExecutive: true, leave: (_id, email, session) =>
    stage.api("POST", `/payments/${session}/refunds`, { as: email, body: { reason: "Mine.", cancel: true } }) }],
  ["the end of the account",         { origin: "person deleted/account", leave: (_id, email) => stage.api("DELETE", `/users/${email}`, { as: email }) }],
  ["the end of an account by an executive", { origin: "person deleted/desk", leave: (_id, email) => stage.api("DELETE", `/users/${email}`, { as: exec }) }],
];

const paymentOf = async (id: string) =>
  (await stage.list(`/payments?eventID=${id}&year=${year}`)).body[0] as Record<string, unknown>;
const reportOf = async (id: string) => {
  await stage.indexed();
  return (await stage.api("GET", `/events/${id}/${year}/report`, { as: exec })).body;
};

describe("leaving, after the last day for a refund", () => {
  const refundUntil = new Date(Date.now() - 60_000).toISOString();

  test.each(departures)("by %s", async (_, { origin, isExecutive, leave, refund }) => {
    const id = await stage.givenEvent(refund ? { pricing: { members: 5, nonMembers: 10 }, refundUntil } : {});
    const email = isExecutive ? executive() : newEmail();
    await stage.register(id, email, ada);
    const session = refund ? (await stage.eventCheckout(id, email)).id : "";
    if (refund) stage.payments.pay(session);
    await stage.settled();
    expect((await leave(id, email, session)).status).toBeLessThan(300);
    await stage.settled();
    expect(await stage.storedRegistration(id, email)).toMatchObject({ left: origin });
    if (!refund) return;
    expect(await paymentOf(id)).toMatchObject(
      refund === "review" ? { review: "late", refunds: [] } : { state: "refunded" },
    );
  });

  test("by the deletion of the event, as its admin chooses", async () => {
    for (const [query, state] of [
      ["force=true", "refunded"],
      ["force=true&refund=none", "kept"],
    ] as const) {
      const { id, email } = await stage.givenPaid({ refundUntil });
      await stage.deleteEvent(id, `?${query}`);
      await stage.settled();
      expect(await stage.storedRegistration(id, email)).toMatchObject({ left: "event deleted/event" });
      expect(await paymentOf(id)).toMatchObject({ state });
    }
  });
});

test("an event that is called off stays visible, takes nobody, and ends the seats with the money owed", async () => {
  const { id, email } = await stage.givenPaid({ refundUntil: new Date(Date.now() - 60_000).toISOString(), capac: 2 });
  const [inside, waiting, late] = [newEmail(), newEmail(), newEmail()];
  await stage.register(id, inside, ada, exec);
  await stage.moveTo(id, inside, "registered");
  await stage.moveTo(id, inside, "checkedIn");
  await stage.register(id, waiting, ada);
  const calledOff = "The hall is closed. We meet in spring.";
  expect((await stage.changeEvent(id, { calledOff: " " })).status).toBe(400);
  expect((await stage.changeEvent(id, { calledOff })).status).toBe(200);
  await stage.settled();
  const left = "event called off/event";
  expect(await stage.storedRegistration(id, email)).toMatchObject({ status: "cancelled", left });
  expect(await stage.storedRegistration(id, waiting)).toMatchObject({ status: "cancelled", left });
  expect(await stage.storedRegistration(id, inside)).toMatchObject({ status: "checkedIn" });
  expect(await paymentOf(id)).toMatchObject({ state: "refunded" });
  expect((await stage.api("GET", `/events/${id}/${year}`, { as: late })).body).toMatchObject({ calledOff });
  const refused = { status: 409, body: { code: "EVENT_CLOSED", message: "This event is called off." } };
  for (const as of [late, exec]) expect(await stage.register(id, late, ada, as)).toMatchObject(refused);
  expect((await stage.changeEvent(id, { calledOff: null })).body.item).not.toHaveProperty("calledOff");
  expect((await stage.register(id, late, ada)).status).toBe(201);
});

/** A way to join, and the origin that it stands for. */
interface Joining {
  readonly as: "person" | "executive" | "guest";
  readonly origin: string;
  join(
    id: string,
    email: string,
    form?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly status: number; readonly body: { code?: string } }>;
}

/** A guest asks while the event is open for it, and uses the link after the change. */
const asks = async (id: string, email: string, form: object = {}): Promise<string> => {
  const body = { email, ...ada, ...form };
  expect((await stage.api("POST", `/events/${id}/${year}/guests`, { body })).status).toBe(202);
  await stage.settled();
  return stage.secretTo(email, "/guest");
};

// biome-ignore format: one row a way
const joinings: Readonly<Record<string, Joining>> = {
  "POST by the person":                { as: "person",    origin: "self/account", join: (id, email, form) => stage.register(id, email, form) },
  "PUT of one's cancelled one":        { as: "person",    origin: "self/account", join: (id, email, form) => stage.changeRegistration(id, email, { registrationStatus: "registered", ...form }, email) },
  "a link to one's cancelled one":     { as: "person",    origin: "self/link",    join: async (id, email, form) => byLink(await linkOf(stage, "registration", { eventID: id, email, year }), "POST", "/links/registration", form ?? {}) as never },
  "a guest's link":                    { as: "guest",     origin: "self/guest",   join: (_id, email, form) => byLink(secrets.get(email) ?? "", "POST", "/links/guest", form ?? {}) as never },
  "POST by an executive themself":     { as: "executive", origin: "self/desk",    join: (id, email, form) => stage.register(id, email, form) },
  "POST by an executive":              { as: "person",    origin: "admin/desk",   join: (id, email, form) => stage.registerByAdmin(id, email, form) },
  "PUT by an executive":               { as: "person",    origin: "admin/desk",   join: (id, email, form) => stage.changeRegistration(id, email, { registrationStatus: "registered", ...form }) },
  "bulk PUT":                          { as: "person",    origin: "admin/bulk",   join: (id, email) => joinInBulk(id, email, exec) },
  "bulk PUT, also of one's own":       { as: "executive", origin: "self/bulk",    join: (id, email) => joinInBulk(id, email, email) },
};
/** A bulk request answers for each row. It takes no answers. */
async function joinInBulk(id: string, email: string, as: string) {
  const { status, body } = await bulk(id, email, { registrationStatus: "registered" }, as);
  return { status, body: body.results?.[0] ?? body };
}
const secrets = new Map<string, string>();
const takesNoAnswers = new Set(["bulk PUT", "bulk PUT, also of one's own"]);
const again = new Set([
  "PUT of one's cancelled one",
  "a link to one's cancelled one",
  "PUT by an executive",
  ...takesNoAnswers,
]);

const question = { questionId: "q", label: "Why?", type: "TEXT", required: true };
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

test.each(Object.entries(joinings))("joining by %s, in time, late, and with answers", async (name, joining) => {
  const { as, origin, join } = joining;
  /** The person could have joined before the event was changed. */
  const given = async (fields: object) => {
    const id = await stage.givenEvent({ guests: "everyone", ...fields });
    const email = as === "executive" ? executive() : newEmail();
    if (as === "guest") secrets.set(email, await asks(id, email));
    if (again.has(name)) {
      await stage.registerByAdmin(id, email, { dynamicResponses: { q: "before" } });
      await stage.moveTo(id, email, "cancelled");
    }
    return { id, email };
  };
  const late = await given({});
  await stage.changeEvent(late.id, { deadline: anHourAgo() });
  const obeys = /account|guest|link/.test(origin);
  const { status, body } = await join(late.id, late.email);
  expect(obeys ? body.code : status).toBe(obeys ? "EVENT_CLOSED" : again.has(name) ? 200 : 201);

  const { id, email } = await given({ registrationQuestions: [{ ...question, required: false }] });
  const joined = await join(id, email, { dynamicResponses: { q: "Fun" } });
  expect(joined.body).toMatchObject({ registrationStatus: "registered" });
  const dynamicResponses = { q: takesNoAnswers.has(name) ? "before" : "Fun" };
  expect(await stage.storedRegistration(id, email)).toMatchObject({ joined: origin, dynamicResponses });
});

describe("a guest's link", () => {
  test("obeys who may be a guest now, and shows no event that is hidden since", async () => {
    const [id, email] = [await stage.givenEvent({ guests: "everyone" }), newEmail()];
    const secret = await asks(id, email);
    await stage.changeEvent(id, { guests: "nobody" });
    const refused = { status: 403, body: { code: "FORBIDDEN", message: "Sign in to register for this event." } };
    expect(await byLink(secret, "POST", "/links/guest", {})).toMatchObject(refused);
    await stage.changeEvent(id, { guests: "everyone", isPublished: false });
    const hidden = await byLink(secret, "GET", "/links/guest");
    expect([hidden.status, JSON.stringify(hidden.body)]).toEqual([404, expect.not.stringContaining(`Event ${id}`)]);
    expect((await byLink(secret, "POST", "/links/guest", {})).status).toBe(404);
  });

  test("asks what was not asked before, and for another workshop when the chosen one is full", async () => {
    const workshop = {
      ...question,
      questionId: "w",
      type: "WORKSHOP_SELECTION",
      choices: ["a", "b"],
      participantCap: 1,
    };
    const id = await stage.givenEvent({ guests: "everyone", registrationQuestions: [workshop] });
    const secret = await asks(id, newEmail(), { dynamicResponses: { w: "a" } });
    await stage.register(id, newEmail(), { dynamicResponses: { w: "a" } });
    await stage.changeEvent(id, { registrationQuestions: [workshop, question] });
    expect((await byLink(secret, "GET", "/links/guest")).body).toMatchObject({
      ...{ questions: [{ questionId: "w" }, { questionId: "q" }], dynamicResponses: { w: "a" } },
    });
    const post = (dynamicResponses?: object) => byLink(secret, "POST", "/links/guest", { dynamicResponses });
    expect(await post()).toMatchObject({ status: 400, body: { issues: [{ path: "/dynamicResponses/q" }] } });
    expect(await post({ q: "Fun" })).toMatchObject({ status: 409, body: { code: "CHOICE_FULL" } });
    expect(await post({ q: "Fun", w: "b" })).toMatchObject({ status: 201, body: { registrationStatus: "registered" } });
  });
});

/** A way to change answers. */
// biome-ignore format: one row a way
const answerings: Readonly<Record<string, { readonly obeys: boolean; answer(id: string, email: string, q: string): Promise<{ status: number; body: { code?: string } }> }>> = {
  "PUT by the person":   { obeys: true,  answer: (id, email, q) => stage.changeRegistration(id, email, { dynamicResponses: { q } }, email) },
  "the link of a mail":  { obeys: true,  answer: async (id, email, q) => byLink(await linkOf(stage, "registration", { eventID: id, email, year }), "PUT", "/links/registration",
    { dynamicResponses: { q }, seenStatus: (await stage.registrationOf(id, email)).registrationStatus }) as never },
  "PUT by an executive": { obeys: false, answer: (id, email, q) => stage.changeRegistration(id, email, { dynamicResponses: { q } }) },
};

test.each(Object.entries(answerings))("changing answers by %s, in time and late", async (_, { obeys, answer }) => {
  const id = await stage.givenEvent({ registrationQuestions: [{ ...question, required: false }] });
  const email = newEmail();
  await stage.register(id, email, { dynamicResponses: { q: "before" } });
  expect((await answer(id, email, "changed")).status).toBe(200);
  await stage.changeEvent(id, { deadline: anHourAgo() });
  const late = await answer(id, email, "written later");
  expect(obeys ? late.body.code : late.status).toBe(obeys ? "EVENT_CLOSED" : 200);
  const q = obeys ? "changed" : "written later";
  expect(await stage.storedRegistration(id, email)).toMatchObject({ dynamicResponses: { q } });
});

describe("who asks for a change says what they saw", () => {
  const givenMoved = async () => {
    const [id, first, email] = [await stage.givenEvent({ capac: 1 }), newEmail(), newEmail()];
    await stage.register(id, first);
    await stage.register(id, email);
    const secret = await linkOf(stage, "registration", { eventID: id, email, year });
    await stage.leave(id, first);
    expect(await stage.statusOf(id, email)).toBe("registered");
    return { id, email, secret };
  };
  const stale = { ...cancelled, seenStatus: "waitlist" };

  test("an old page of the waitlist gives up no seat that was confirmed since; its 409 shows the present one", async () => {
    const { id, email, secret } = await givenMoved();
    const refused = await byLink(secret, "PUT", "/links/registration", stale);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: "STATUS_CHANGED", registration: { registrationStatus: "registered" }, may: ["cancel", "come"] },
    });
    const conflict = { status: 409, body: { code: "STATUS_CHANGED", registration: { email } } };
    expect(await stage.changeRegistration(id, email, stale, email)).toMatchObject(conflict);
    const body = { eventID: id, year, seenStatus: "waitlist" };
    expect(await stage.api("DELETE", `/registrations/${email}`, { as: email, body })).toMatchObject(conflict);
    expect(await stage.statusOf(id, email)).toBe("registered");
    const seen = { ...cancelled, seenStatus: "registered" };
    expect((await byLink(secret, "PUT", "/links/registration", seen)).status).toBe(200);
    // The answer got lost: the same request again is no conflict.
    expect((await byLink(secret, "PUT", "/links/registration", seen)).status).toBe(200);
  });

  test("an old page registers nobody again, and hears of the change whatever else is wrong", async () => {
    const [id, email] = [await stage.givenEvent(), newEmail()];
    await stage.register(id, email);
    const secret = await linkOf(stage, "registration", { eventID: id, email, year });
    await stage.moveTo(id, email, "cancelled");
    const changed = {
      status: 409,
      body: { code: "STATUS_CHANGED", registration: { registrationStatus: "cancelled" } },
    };
    const again = { registrationStatus: "registered", seenStatus: "registered" };
    for (const as of [email, exec]) expect(await stage.changeRegistration(id, email, again, as)).toMatchObject(changed);
    const checkIn = { registrationStatus: "checkedIn", seenStatus: "registered" };
    expect(await stage.changeRegistration(id, email, checkIn)).toMatchObject(changed);
    for (const body of [
      { coming: true },
      { dynamicResponses: { q: "v" } },
      { registrationStatus: "acceptedComplete" },
    ]) {
      const said = await byLink(secret, "PUT", "/links/registration", { ...body, seenStatus: "registered" });
      expect(said).toMatchObject(changed);
    }
    const { results } = (await bulk(id, email, again, exec)).body;
    expect(results).toMatchObject([{ success: false, message: expect.stringContaining("has changed since") }]);
    expect(await stage.statusOf(id, email)).toBe("cancelled");
    const twice = { body: { eventID: id, year, seenStatus: "cancelled" }, as: email };
    expect(await stage.api("DELETE", `/registrations/${email}?seenStatus=registered`, twice)).toMatchObject({
      ...{ status: 400, body: { issues: [{ path: "/seenStatus" }] } },
    });
    const seen = { ...again, seenStatus: "cancelled" };
    expect((await stage.changeRegistration(id, email, seen, email)).status).toBe(200);
  });

  test("a link must say it, a caller may", async () => {
    const { id, email, secret } = await givenMoved();
    expect(await byLink(secret, "PUT", "/links/registration", cancelled)).toMatchObject({ status: 400 });
    expect((await stage.changeRegistration(id, email, cancelled, email)).status).toBe(200);
  });
});

describe("a label of one's own", () => {
  test("opens no seat of a full event, and skips no question", async () => {
    const id = await stage
      .givenEventWith([newEmail()], { capac: 1, registrationQuestions: [question] })
      .catch(() => "");
    const full = id || (await stage.givenEvent({ capac: 1, registrationQuestions: [question] }));
    await stage.registerByAdmin(full, newEmail(), { dynamicResponses: { q: "Fun" } });
    const email = newEmail();
    expect(await stage.register(full, email, { isPartner: true })).toMatchObject({ status: 400 });
    const waiting = await stage.register(full, email, { isPartner: true, dynamicResponses: { q: "Fun" } });
    expect(waiting.body).toMatchObject({ registrationStatus: "waitlist", registration: { waitlistPosition: 1 } });
  });

  test("makes nobody a guest, or a member, of an event that asks partners nothing", async () => {
    const form = { email: newEmail(), isPartner: true, ...ada };
    const guests = (id: string) => stage.api("POST", `/events/${id}/${year}/guests`, { body: form });
    const asked = { partnerRegistrationQuestions: [{ ...question, required: false }] };
    expect((await guests(await stage.givenEvent())).status).toBe(403);
    expect((await guests(await stage.givenEvent({ partnerCapac: 1 }))).status).toBe(202);
    expect((await guests(await stage.givenEvent(asked))).status).toBe(202);
    const closed = { nonBizTechAllowed: false, pricing: { members: 0, nonMembers: 10 } };
    const register = async (fields: object) =>
      (await stage.register(await stage.givenEvent({ ...closed, ...fields }), newEmail(), { isPartner: true })).body;
    expect(await register({})).toMatchObject({ code: "MEMBERS_ONLY" });
    expect(await register(asked)).toMatchObject({ registrationStatus: "incomplete" });
  });

  test("is changed by an executive, within the capacity, and by nobody else", async () => {
    const id = await stage.givenEvent({ capac: 1, partnerCapac: 1 });
    const [email, next] = times(2, () => newEmail()) as [string, string];
    await stage.register(id, email);
    await stage.register(id, next);
    expect((await stage.changeRegistration(id, email, { isPartner: true }, email)).status).toBe(403);
    const moved = await stage.changeRegistration(id, email, { isPartner: true });
    expect(moved.body).toMatchObject({ registrationStatus: "registered", registration: { isPartner: true } });
    expect(await stage.statusOf(id, next)).toBe("registered");
    expect(await stage.changeEvent(id, { partnerCapac: null })).toMatchObject({
      ...{ status: 409, body: { code: "EVENT_HAS_REGISTRATIONS" } },
    });
  });

  test("has another price: the page of the old one is closed, and a seat that is free is confirmed", async () => {
    const cases = [
      [{ members: 5, nonMembers: 20 }, "incomplete"],
      [{ members: 5, nonMembers: 0 }, "registered"],
    ] as const;
    for (const [pricing, status] of cases) {
      const [id, email] = [await stage.givenEvent({ pricing }), await stage.givenUser()];
      expect((await stage.api("PATCH", `/users/${email}`, { as: exec, body: { isMember: true } })).status).toBe(200);
      await stage.register(id, email);
      const page = await stage.eventCheckout(id, email);
      const labelled = await stage.changeRegistration(id, email, { isPartner: true });
      expect(labelled.body).toMatchObject({ registrationStatus: status, registration: { isPartner: true } });
      await stage.settled();
      expect(stage.payments.sessions().find(({ id: session }) => session === page.id)?.status).toBe("expired");
      expect((await stage.registrationOf(id, email)).checkoutLink).toBeUndefined();
    }
  });

  test("is not changed together with a status", async () => {
    const [id, email] = [await stage.givenEvent(), newEmail()];
    await stage.register(id, email);
    const refused = { status: 400, body: { issues: [{ path: "/isPartner" }] } };
    for (const registrationStatus of ["cancelled", "checkedIn", "waitlist"]) {
      const both = { registrationStatus, isPartner: true };
      expect(await stage.changeRegistration(id, email, both)).toMatchObject(refused);
    }
    await stage.moveTo(id, email, "cancelled");
    const again = { registrationStatus: "registered", isPartner: true };
    expect(await stage.changeRegistration(id, email, again)).toMatchObject(refused);
  });
});

test("after the start nobody confirms a seat or promises to come, by any way; an executive may", async () => {
  const [id, email] = [await stage.givenEvent({ isApplicationBased: true }), newEmail()];
  await stage.register(id, email);
  await stage.moveTo(id, email, "accepted");
  const secret = await linkOf(stage, "registration", { eventID: id, email, year });
  await stage.changeEvent(id, { startDate: new Date(Date.now() - 60_000).toISOString(), endDate: "2099-01-01" });
  const started = {
    status: 409,
    body: { code: "ILLEGAL_TRANSITION", message: expect.stringContaining("has started") },
  };
  const take = { registrationStatus: "acceptedComplete" };
  for (const body of [{ coming: true }, take]) {
    expect(await byLink(secret, "PUT", "/links/registration", { ...body, seenStatus: "accepted" })).toMatchObject(
      started,
    );
  }
  expect(await stage.changeRegistration(id, email, take, email)).toMatchObject(started);
  expect((await stage.changeRegistration(id, email, take)).status).toBe(200);
});

test("who changes answers twenty times an hour is refused, also together with a promise to come", async () => {
  const questions = [{ ...question, required: false }];
  const [id, email] = [await stage.givenEvent({ registrationQuestions: questions }), newEmail()];
  await stage.register(id, email);
  const secret = await linkOf(stage, "registration", { eventID: id, email, year });
  const change = (n: number) =>
    byLink(secret, "PUT", "/links/registration", {
      ...{ seenStatus: "registered", coming: true, dynamicResponses: { q: `v${n}` } },
    });
  const statuses = [];
  for (let n = 0; n < 21; n += 1) statuses.push((await change(n)).status);
  expect(statuses).toEqual([...times(20, () => 200), 429]);
});

test("a deletion without refunds holds for who registers for the next event of that name before it is carried out", async () => {
  for (let tries = 0; tries < 2; tries += 1) {
    const { id, email, session } = await stage.givenPaid({ capac: 1 });
    await stage.deleteEvent(id, "?force=true&refund=none");
    await stage.givenEvent({ id, capac: 1 });
    expect((await stage.register(id, email)).body.registrationStatus).toBe("registered");
    await stage.settled();
    const payments = (await stage.list("/payments")).body as { paymentId: string }[];
    const payment = payments.find(({ paymentId }) => paymentId === session);
    expect(payment).toMatchObject({ state: "kept", wentBack: 0, open: 0 });
    expect(await stage.statusOf(id, email)).toBe("registered");
  }
});

test("who has left early has left early, whatever is written later", async () => {
  const [id, email] = [await stage.givenEvent(), newEmail()];
  await stage.register(id, email);
  await stage.moveTo(id, email, "cancelled", email);
  const { leftAt } = (await stage.storedRegistration(id, email)) as { leftAt?: number };
  expect(leftAt).toEqual(expect.any(Number));
  await stage.changeRegistration(id, email, { points: 3 });
  expect(await stage.storedRegistration(id, email)).toMatchObject({ leftAt, points: 3 });
  await stage.changeEvent(id, { startDate: new Date((leftAt ?? 0) + 86_400_001).toISOString() });
  expect(await reportOf(id)).toMatchObject({ cancelled: 1, cancelledLate: 0 });
  await stage.leave(id, email, exec);
  expect(await stage.storedRegistration(id, email)).toMatchObject({ leftAt, status: "deleted" });
});
