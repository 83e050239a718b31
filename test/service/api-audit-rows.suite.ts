/** Each route with which an executive writes, and the rows that its requests leave (`docs/contract.md`, "Audit"). */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { exec, newEmail, newEventId, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

/** All fields of a record. */
const all = expect.arrayContaining(["createdAt"]);

/** Stands in every personal field that the requests below send. */
const personal = "Personal";

interface Request {
  readonly path?: string;
  readonly body?: unknown;
}

interface Written {
  readonly given: () => Promise<Request>;
  /** The rows, each with the fields that it names. */
  readonly rows: Readonly<Record<string, unknown>>;
}

const send = (method: string, path: string, body?: unknown) => stage.api(method, path, { as: exec, body });
const newId = () => `a${randomUUID()}`;

async function givenRegistration() {
  const [eventID, email] = [await stage.givenEvent({ pricing: { member: 0, nonMember: 0 } }), newEmail()];
  await stage.register(eventID, email, { basicInformation: { fname: personal } });
  return { eventID, year, email };
}
async function givenMember(): Promise<string> {
  const email = newEmail();
  await send("POST", "/members/grant", { email, firstName: personal, lastName: personal });
  return email;
}
async function givenPaid(keepSeat: boolean) {
  const [eventID, email] = [await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } }), newEmail()];
  await stage.register(eventID, email);
  const { id } = await stage.eventCheckout(eventID, email);
  if (!keepSeat) stage.payments.holdBack();
  stage.payments.pay(id);
  if (!keepSeat) {
    await stage.moveTo(eventID, email, "cancelled");
    await stage.payments.release();
  }
  await stage.settled();
  return id;
}
async function givenTemplate(): Promise<string> {
  const templateName = newId();
  await send("POST", "/emails/templates", { templateName, subject: "Hello", html: "<p>Hello</p>" });
  return templateName;
}
async function givenPrize(): Promise<string> {
  const id = newId();
  await send("POST", "/prizes", { id, name: "Mug", price: 5 });
  return id;
}
async function givenProject(): Promise<string> {
  const projectId = newId();
  await send("POST", "/btx/admin/project", { projectId, ticker: "T", name: "One", eventId: projectId });
  return projectId;
}
const event = async () => `/events/${await stage.givenEvent()}/${year}`;

const writes: Readonly<Record<string, Written>> = {
  "POST /events": {
    given: async () => ({ body: { id: newEventId(), year, ename: "Gala" } }),
    rows: { "event.created": [] },
  },
  "POST /events/{eventId}/{year}/copy": {
    given: async () => ({ path: `${await event()}/copy`, body: { id: newEventId(), year } }),
    rows: { "event.created": [] },
  },
  "PATCH /events/{eventId}/{year}": {
    given: async () => ({ path: await event(), body: { description: "New", capac: 5 } }),
    rows: { "event.updated": ["capac", "description"], "event.capacityChanged": [] },
  },
  "DELETE /events/{eventId}/{year}": { given: async () => ({ path: await event() }), rows: { "event.deleted": [] } },
  "POST /events/event-image-upload-url": {
    given: async () => ({ body: { eventId: "gala", fileName: "a.png", fileType: "image/png", prefix: "original" } }),
    rows: { "image.uploadAllowed": [] },
  },
  "POST /registrations": {
    given: async () => ({ body: { eventID: await stage.givenEvent(), year, email: newEmail() } }),
    rows: { "registration.registered": ["status"] },
  },
  "PUT /registrations/{email}/{fname}": {
    given: async () => {
      const { email, ...of } = await givenRegistration();
      return { path: `/registrations/${email}/x`, body: { ...of, points: 3 } };
    },
    rows: { "registration.updated": ["points"] },
  },
  "DELETE /registrations/{email}": {
    given: async () => {
      const { email, ...of } = await givenRegistration();
      return { path: `/registrations/${email}`, body: of };
    },
    rows: { "registration.deleted": expect.arrayContaining(["status"]) },
  },
  "DELETE /registrations": {
    given: async () => {
      const { email, ...of } = await givenRegistration();
      return { body: { ...of, ids: [email] } };
    },
    rows: { "registration.deleted": expect.arrayContaining(["status"]) },
  },
  "PUT /registrations/massUpdate": {
    given: async () => {
      const { email, ...of } = await givenRegistration();
      return { body: { ...of, updates: [{ email, points: 3 }] } };
    },
    rows: { "registration.updated": ["points"] },
  },
  "POST /registrations/resend-ticket": {
    given: async () => ({ body: await givenRegistration() }),
    rows: { "registration.updated": [] },
  },
  "POST /registrations/check-in": {
    given: async () => ({ body: await givenRegistration() }),
    rows: { "registration.checkedIn": ["cameFrom", "checkedInAt", "status"] },
  },
  "POST /events/{eventId}/{year}/door-links": {
    given: async () => ({ path: `${await event()}/door-links` }),
    rows: { "doorLink.created": [] },
  },
  "DELETE /events/{eventId}/{year}/door-links": {
    given: async () => {
      const path = await event();
      const { secret } = (await send("POST", `${path}/door-links`)).body;
      await send("POST", `${path}/door/devices`, { secret, name: "door 1" });
      return { path: `${path}/door-links` };
    },
    rows: { "doorLink.revoked": [], "device.revoked": [] },
  },
  "POST /users": {
    given: async () => ({ body: { email: newEmail(), fname: personal } }),
    rows: { "user.created": all },
  },
  "PATCH /users/{email}": {
    given: async () => ({
      path: `/users/${await stage.givenUser({ fname: `${personal} of before` })}`,
      body: { fname: personal, isMember: true },
    }),
    rows: { "account.updated": ["fname", "isMember"] },
  },
  "PATCH /users/favEvent/{email}": {
    given: async () => ({
      path: `/users/favEvent/${await stage.givenUser()}`,
      body: { eventID: await stage.givenEvent(), year },
    }),
    rows: { "account.updated": ["favEvents"] },
  },
  "DELETE /users/{email}": {
    given: async () => ({ path: `/users/${await stage.givenUser()}` }),
    rows: { "user.deleted": [] },
  },
  "POST /users/calendar/{email}": {
    given: async () => ({ path: `/users/calendar/${await stage.givenUser()}` }),
    rows: { "calendar.renewed": [] },
  },
  "POST /users/{email}/export-link": {
    given: async () => ({ path: `/users/${await stage.givenUser()}/export-link` }),
    rows: { "export.requested": [] },
  },
  "POST /members": {
    given: async () => ({ body: { email: newEmail(), firstName: personal } }),
    rows: { "member.granted": all },
  },
  "POST /members/grant": {
    given: async () => ({ body: { email: newEmail(), firstName: personal, lastName: personal } }),
    rows: { "user.created": all, "member.granted": all, "profile.created": all },
  },
  "PATCH /members/{email}": {
    given: async () => ({
      path: `/members/${await givenMember()}`,
      body: { firstName: `${personal} now`, cardCount: 2 },
    }),
    rows: { "membership.updated": ["cardCount", "firstName"], "profile.updated": ["fname"] },
  },
  "DELETE /members/{email}": {
    given: async () => ({ path: `/members/${await givenMember()}` }),
    rows: { "membership.deleted": all, "account.updated": ["isMember"] },
  },
  "POST /payments/{paymentId}/refunds": {
    given: async () => ({
      path: `/payments/${await givenPaid(true)}/refunds`,
      body: { amount: 300, reason: "Sorry." },
    }),
    rows: { "payment.refundOrdered": ["refunds"] },
  },
  "POST /payments/{paymentId}/decisions": {
    given: async () => ({
      path: `/payments/${await givenPaid(false)}/decisions`,
      body: { decision: "keep", amount: 300, reason: "A fee." },
    }),
    rows: { "payment.decided": ["kept", "owed"] },
  },
  "POST /payments/by-hand": {
    given: async () => {
      const [eventID, email] = [await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } }), newEmail()];
      await stage.register(eventID, email);
      return { body: { email, eventID, year, amount: 800, how: "cash" } };
    },
    rows: { "registration.registered": expect.arrayContaining(["paidBy", "status"]), "payment.completed": [] },
  },
  "POST /emails/templates": {
    given: async () => ({ body: { templateName: newId(), subject: "Hello", html: "<p>Hello</p>" } }),
    rows: { "template.created": all },
  },
  "PATCH /emails/templates": {
    given: async () => ({ body: { templateName: await givenTemplate(), subject: "Hi" } }),
    rows: { "template.updated": ["subject"] },
  },
  "PATCH /emails/templates/{templateName}": {
    given: async () => ({ path: `/emails/templates/${await givenTemplate()}`, body: { html: "<p>Hi</p>" } }),
    rows: { "template.updated": ["html"] },
  },
  "DELETE /emails/templates/{templateName}": {
    given: async () => ({ path: `/emails/templates/${await givenTemplate()}` }),
    rows: { "template.deleted": all },
  },
  "POST /emails/templates/{templateName}/preview": {
    given: async () => ({ path: `/emails/templates/${await givenTemplate()}/preview`, body: { data: {} } }),
    rows: {},
  },
  "POST /emails/send": {
    given: async () => ({ body: { templateName: await givenTemplate(), audience: { emails: [newEmail()] } } }),
    rows: { "campaign.started": [], "campaign.batch": [] },
  },
  "DELETE /emails/campaigns/{id}": {
    given: async () => {
      const of = { templateName: await givenTemplate(), audience: { emails: [newEmail()] } };
      const { campaignId } = (await send("POST", "/emails/send", of)).body;
      await stage.settled();
      return { path: `/emails/campaigns/${campaignId}` };
    },
    rows: { "campaign.stopped": [] },
  },
  "POST /emails/suppressions": {
    given: async () => ({ body: { email: newEmail(), reason: personal } }),
    rows: { "suppression.created": [] },
  },
  "DELETE /emails/suppressions": {
    given: async () => ({ body: { email: newEmail() } }),
    rows: { "suppression.lifted": [] },
  },
  "POST /prizes": {
    given: async () => ({ body: { id: newId(), name: "Mug", price: 5 } }),
    rows: { "prize.created": all },
  },
  "PATCH /prizes/{id}": {
    given: async () => ({ path: `/prizes/${await givenPrize()}`, body: { price: 6 } }),
    rows: { "prize.updated": ["price"] },
  },
  "DELETE /prizes/{id}": {
    given: async () => ({ path: `/prizes/${await givenPrize()}` }),
    rows: { "prize.deleted": all },
  },
  "POST /btx/admin/project": {
    given: async () => ({ body: { projectId: await givenProject(), ticker: "T", name: "Two" } }),
    rows: { "project.updated": ["name"] },
  },
  "DELETE /btx/admin/project/{projectId}": {
    given: async () => ({ path: `/btx/admin/project/${await givenProject()}` }),
    rows: { "project.removed": ["isActive"] },
  },
  "POST /btx/admin/seed": {
    given: async () => ({ body: { projectId: await givenProject(), seedDelta: 10 } }),
    rows: { "project.priceMoved": ["basePrice", "seed"] },
  },
  "POST /btx/admin/phase-bump": {
    given: async () => ({ body: { projectId: await givenProject(), bumpType: "DEMO_WINNER" } }),
    rows: { "project.priceMoved": ["basePrice", "bumped"] },
  },
  "POST /btx/admin/investment-impact": {
    given: async () => ({ body: { teamId: await givenProject(), amountDelta: 1_000_000 } }),
    rows: { "project.priceMoved": ["basePrice", "seed"] },
  },
  "POST /btx/admin/reset": {
    given: async () => {
      const [projectId, email] = [await givenProject(), newEmail()];
      await stage.api("POST", "/btx/market/buy", { as: email, body: { projectId, shares: 1 } });
      return { body: { eventId: projectId, userId: email } };
    },
    rows: { "gameAccount.reset": ["cash", "holdings"] },
  },
};

interface StoredRow {
  readonly PK: string;
  readonly SK: string;
  readonly action?: string;
  readonly actor?: string;
  readonly requestId?: string;
  readonly detailType?: string;
  readonly detail?: { readonly metadata: { readonly actor: string; readonly correlationId: string } };
  readonly audit?: { readonly changes?: readonly { readonly field: string }[]; readonly reason?: string };
}

/** The statuses of the answers, and the rows of the executive with the ids of the requests. */
const statuses = new Map<string, number>();
const rowsOf = new Map<string, StoredRow[]>();

/** Does all of the requests, then reads the table once. */
beforeAll(async () => {
  const requests = new Map<string, string>();
  for (const [key, { given }] of Object.entries(writes)) {
    const [method = "", pattern = ""] = key.split(" ");
    const { path = pattern, body } = await given();
    const { status, headers } = await send(method, path, body);
    statuses.set(key, status);
    requests.set(headers.get("apigw-requestid") ?? "", key);
    rowsOf.set(key, []);
  }
  await stage.settled();
  for (const item of (await stage.storedItems()) as unknown as StoredRow[]) {
    const { actor, requestId, detail } = item;
    const key = requests.get(requestId ?? detail?.metadata.correlationId ?? "");
    if (key && /^(AUD|OUT)#/.test(item.PK) && (actor ?? detail?.metadata.actor) === exec) rowsOf.get(key)?.push(item);
  }
}, 300_000);

describe("a write by an executive", () => {
  test("has an entry here for each route", () => {
    const mayAdmin = (route: (typeof routes)[number]) =>
      route.access === "admin" || ["self or admin", "self unless admin"].includes(route.owner?.who ?? "");
    const writing = routes.filter((route) => route.method !== "GET" && mayAdmin(route)).map(({ key }) => key);
    expect(Object.keys(writes).sort()).toEqual([...writing].sort());
  });

  test.each(Object.entries(writes))("leaves its rows: %s", (key, { rows }) => {
    expect(statuses.get(key)).toBeLessThan(300);
    const found = rowsOf.get(key) ?? [];
    const named = found.map(({ action, detailType, audit }) => [
      action ?? detailType,
      (audit?.changes ?? []).map(({ field }) => field).sort(),
    ]);
    expect(Object.fromEntries(named)).toEqual(rows);
    expect(named).toHaveLength(Object.keys(rows).length);
    expect(JSON.stringify(found.map(({ audit }) => audit ?? {}))).not.toContain(personal);
  });
});
