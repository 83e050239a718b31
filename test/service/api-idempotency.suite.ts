/** `Idempotency-Key` over HTTP (`docs/contract.md`, "Idempotent requests"). */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { namedRoutes } from "#api/routes.ts";
import { type Answer, ada, exec, member, newEmail, times, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

interface Request {
  readonly path: string;
  readonly as: string;
  readonly body: object;
  /** The same request with another body. */
  readonly other: object;
}

const send = ({ path, as, body }: Omit<Request, "other">, key?: string): Promise<Answer> =>
  stage.api("POST", path, { as, body, once: true, ...(key !== undefined && { headers: { "idempotency-key": key } }) });

/** All items, on a stage where nobody else writes any. */
const everything = async () => (stage.isShared ? [] : stage.storedItems());
const claims = async () => (await stage.storedItems()).filter(({ PK }) => String(PK).startsWith("REQ#"));
const isReplayed = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";

/** Makes what the request needs. */
const requests: Readonly<Record<string, () => Promise<Request>>> = {
  async "POST /registrations"() {
    const email = newEmail();
    const body = { eventID: await stage.givenEvent(), year, email, ...ada };
    return { path: "/registrations", as: email, body, other: { ...body, fname: "Countess" } };
  },
  async "POST /payments"() {
    const email = newEmail();
    const eventID = await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } });
    expect((await stage.register(eventID, email)).status).toBe(201);
    const body = { paymentType: "Event", eventID, year };
    return { path: "/payments", as: email, body, other: { ...body, year: year + 1 } };
  },
  async "POST /payments/{paymentId}/refunds"() {
    const [eventID, email] = [await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } }), newEmail()];
    await stage.register(eventID, email);
    const { id } = await stage.eventCheckout(eventID, email);
    stage.payments.pay(id);
    await stage.settled();
    const body = { amount: 300, reason: "No dessert." };
    return { path: `/payments/${id}/refunds`, as: exec, body, other: { ...body, amount: 301 } };
  },
  async "POST /payments/{paymentId}/decisions"() {
    const [eventID, email] = [await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } }), newEmail()];
    await stage.register(eventID, email);
    const { id } = await stage.eventCheckout(eventID, email);
    stage.payments.holdBack();
    stage.payments.pay(id);
    await stage.moveTo(eventID, email, "cancelled");
    // The money finds no seat.
    await stage.payments.release();
    await stage.settled();
    const body = { decision: "keep", amount: 300, reason: "A fee." };
    return { path: `/payments/${id}/decisions`, as: exec, body, other: { ...body, amount: 301 } };
  },
  async "POST /payments/by-hand"() {
    const [eventID, email] = [await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } }), newEmail()];
    await stage.register(eventID, email);
    const body = { email, eventID, year, amount: 800, how: "cash" };
    return { path: "/payments/by-hand", as: exec, body, other: { ...body, amount: 801 } };
  },
  async "POST /emails/send"() {
    const id = `t${randomUUID()}`;
    const template = { templateName: id, subject: "Hello", html: "<p>Hello</p>" };
    expect((await stage.api("POST", "/emails/templates", { as: exec, body: template })).status).toBe(201);
    const body = { templateName: id, audience: { emails: [newEmail()] } };
    return { path: "/emails/send", as: exec, body, other: { ...body, audience: { emails: [newEmail()] } } };
  },
  async "POST /members/grant"() {
    const body = { email: newEmail(), firstName: "Ada", lastName: "Lovelace" };
    return { path: "/members/grant", as: exec, body, other: { ...body, firstName: "Countess" } };
  },
  ...Object.fromEntries(
    ["buy", "sell"].map((side) => [
      `POST /btx/market/${side}`,
      async () => {
        const [as, projectId] = [newEmail(), `p${randomUUID()}`];
        const project = { projectId, ticker: "PRJ", name: "Project", eventId: "game" };
        expect((await stage.api("POST", "/btx/admin/project", { as: exec, body: project })).status).toBe(200);
        const body = { projectId, shares: 2 };
        await send({ path: "/btx/market/buy", as, body: { projectId, shares: 4 } });
        return { path: `/btx/market/${side}`, as, body, other: { ...body, shares: 3 } };
      },
    ]),
  ),
};

test("these requests and no other ones take a key", () => {
  const idempotent = Object.values(namedRoutes)
    .flatMap((routes) => Object.values(routes))
    .filter((route) => "idempotent" in route);
  expect(idempotent.map(({ key }) => key).sort()).toEqual(Object.keys(requests).sort());
});

test.each(Object.keys(requests))(
  "%s: the same again is done once and answered alike, another body under the key is a 422",
  async (route) => {
    const request = await (requests[route] as () => Promise<Request>)();
    const key = randomUUID();
    const first = await send(request, key);
    expect([first.status < 300, isReplayed(first)]).toEqual([true, false]);
    const items = await everything();
    const again = await send(request, key);
    expect([again.status, again.body, isReplayed(again)]).toEqual([first.status, first.body, true]);
    // A replayed answer writes nothing.
    expect(await everything()).toEqual(items);
    // Another key is another request, and so is the same key of another caller.
    expect(isReplayed(await send(request, randomUUID()))).toBe(false);
    expect(isReplayed(await send({ ...request, as: member }, key))).toBe(false);
    const other = await send({ ...request, body: request.other }, key);
    expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  },
);

test("the item of a key names no person", async () => {
  const request = await (requests["POST /members/grant"] as () => Promise<Request>)();
  const before = new Set((await claims()).map(({ PK }) => PK));
  const key = `key-${randomUUID()}`;
  expect((await send(request, key)).status).toBe(200);
  const [claim, ...more] = (await claims()).filter(({ PK }) => !before.has(PK));
  expect(more).toEqual([]);
  const day = 86_400;
  expect(Math.abs((claim?.ttl as number) - Date.now() / 1_000 - day)).toBeLessThan(600);
  const text = JSON.stringify(claim);
  for (const word of [exec, (request.body as { email: string }).email, "Lovelace", key]) {
    expect(text).not.toContain(word);
  }
});

test("a refusal is an answer, too; a malformed request keeps nothing", async () => {
  const request = await (requests["POST /registrations"] as () => Promise<Request>)();
  const [key, other] = [randomUUID(), randomUUID()];
  const gone = { ...request, body: { ...request.body, eventID: "not-there" } };
  const first = await send(gone, key);
  expect([first.status, first.body.code]).toEqual([404, "NOT_FOUND"]);
  const again = await send(gone, key);
  expect([again.status, again.body, isReplayed(again)]).toEqual([404, first.body, true]);
  expect((await send({ ...request, body: { year: 0 } }, other)).status).toBe(400);
  expect((await send(request, other)).status).toBe(201);
});

test("ten at once: one is carried out, and the others are asked to come again", async () => {
  const request = await (requests["POST /btx/market/buy"] as () => Promise<Request>)();
  const key = randomUUID();
  const answers = await Promise.all(times(10, () => send(request, key)));
  const busy = answers.filter(({ status }) => status === 409);
  for (const { body, headers } of busy) {
    expect([body.code, headers.get("retry-after")]).toEqual(["REQUEST_IN_PROGRESS", "1"]);
  }
  const done = [...answers.filter((answer) => !busy.includes(answer)), await send(request, key)];
  expect(done.every(({ status }) => status === 200)).toBe(true);
  expect(new Set(done.map(({ body }) => body.data.trade.tradeId)).size).toBe(1);
  expect(done.filter((answer) => !isReplayed(answer)).length).toBeLessThanOrEqual(1);
});
