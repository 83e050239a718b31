/** `Idempotency-Key` over HTTP (`docs/contract.md`, "Idempotent requests"). */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { namedRoutes } from "#api/routes.ts";
import { personal, writes } from "./executive-writes.ts";
import { type Answer, exec, member, newEmail, times, year } from "./given.ts";
import { linkOf } from "./link-of.ts";
import { type ServiceStage, sharedStage, withoutRelay } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutRelay);
});

interface Request {
  readonly path: string;
  /** Who asks, unless a link does. */
  readonly as: string;
  readonly link?: string;
  readonly body: object;
}

const send = ({ path, as, link, body }: Request, key?: string): Promise<Answer> => {
  const headers = {
    ...(key !== undefined && { "idempotency-key": key }),
    ...(link && { authorization: `Link ${link}` }),
  };
  return stage.api("POST", path, { ...(!link && { as }), body, once: true, headers });
};

/** The link to a registration that was cancelled. */
async function givenCancelled(): Promise<string> {
  const email = newEmail();
  const eventID = await stage.givenEventWith([email]);
  await stage.api("POST", "/users", { as: email, body: {} });
  await stage.moveTo(eventID, email, "cancelled");
  return linkOf(stage, "registration", { eventID, email, year });
}

/** All items, on a stage where no other client writes any. */
const everything = async () => (stage.isShared ? [] : stage.storedItems());
const claims = async () => (await stage.storedItems()).filter(({ PK }) => String(PK).startsWith("REQ#"));
const isReplayed = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";

/** What another body has otherwise, by route. */
const otherwise: Readonly<Record<string, object>> = {
  "POST /registrations": { fname: "Countess" },
  "POST /links/registration": { dynamicResponses: { q: "x" } },
  "POST /payments": { year: year + 1 },
  "POST /payments/{paymentId}/refunds": { amount: 301 },
  "POST /payments/{paymentId}/decisions": { amount: 301 },
  "POST /payments/by-hand": { amount: 801 },
  "POST /payments/{paymentId}/reversals": { reason: "Another one." },
  "POST /payments/journal/closings": { month: "2021-01" },
  "POST /emails/send": { audience: { emails: [newEmail()] } },
  "POST /members/grant": { firstName: "Countess" },
  "POST /btx/market/buy": { shares: 3 },
  "POST /btx/market/sell": { shares: 3 },
};

/** Makes what the request needs. */
async function requestOf(route: string): Promise<Request> {
  const path = route.slice("POST ".length);
  const byExecutive = await writes[route]?.given(stage);
  if (byExecutive) return { path, as: exec, body: {}, ...byExecutive };
  const as = newEmail();
  if (path === "/links/registration") return { path, as, link: await givenCancelled(), body: {} };
  if (path === "/payments") {
    const eventID = await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } });
    expect((await stage.register(eventID, as)).status).toBe(201);
    return { path, as, body: { paymentType: "Event", eventID, year } };
  }
  const projectId = `p${randomUUID()}`;
  const project = { projectId, ticker: "PRJ", name: "Project", eventId: "game" };
  expect((await stage.api("POST", "/btx/admin/project", { as: exec, body: project })).status).toBe(200);
  await send({ path: "/btx/market/buy", as, body: { projectId, shares: 4 } });
  return { path, as, body: { projectId, shares: 2 } };
}

test("these requests and no other ones take a key", () => {
  const idempotent = Object.values(namedRoutes)
    .flatMap((routes) => Object.values(routes))
    .filter((route) => "idempotent" in route);
  expect(idempotent.map(({ key }) => key).sort()).toEqual(Object.keys(otherwise).sort());
});

test.each(Object.keys(otherwise))(
  "%s: the same again is done once and answered alike, another body under the key is a 422",
  async (route) => {
    const request = await requestOf(route);
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
    const another = { ...request, as: member, ...(request.link && { link: await givenCancelled() }) };
    expect(isReplayed(await send(another, key))).toBe(false);
    const other = await send({ ...request, body: { ...request.body, ...otherwise[route] } }, key);
    expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  },
);

test("the item of a key names no person", async () => {
  const request = await requestOf("POST /members/grant");
  const before = new Set((await claims()).map(({ PK }) => PK));
  const key = `key-${randomUUID()}`;
  expect((await send(request, key)).status).toBe(200);
  const [claim, ...more] = (await claims()).filter(({ PK }) => !before.has(PK));
  expect(more).toEqual([]);
  const day = 86_400;
  expect(Math.abs((claim?.ttl as number) - Date.now() / 1_000 - day)).toBeLessThan(600);
  const text = JSON.stringify(claim);
  for (const word of [exec, (request.body as { email: string }).email, personal, key]) {
    expect(text).not.toContain(word);
  }
});

test("a refusal is an answer, too; a malformed request keeps nothing", async () => {
  const request = await requestOf("POST /registrations");
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
  const request = await requestOf("POST /btx/market/buy");
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
