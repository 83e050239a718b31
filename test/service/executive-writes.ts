/** The requests with which an executive writes, by route, and the rows of the audit that each leaves. */
import { randomUUID } from "node:crypto";
import { expect } from "@jest/globals";
import { exec, newEmail, newEventId, year } from "./given.ts";
import type { ServiceStage } from "./stage.ts";

/** All fields of a record. */
const all = expect.arrayContaining(["createdAt"]);

/** Stands in every personal field that the requests below send. */
export const personal = "Personal";

export interface Request {
  /** Absent: that of the route. */
  readonly path?: string;
  readonly body?: object;
}

interface Written {
  readonly given: (stage: ServiceStage) => Promise<Request>;
  /** The rows, each with the fields that it names. */
  readonly rows: Readonly<Record<string, unknown>>;
}

export const send = (stage: ServiceStage, method: string, path: string, body?: unknown) =>
  stage.api(method, path, { as: exec, body });
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const newId = () => `a${randomUUID()}`;

async function givenRegistration(stage: ServiceStage) {
  const [eventID, email] = [await stage.givenEvent({ pricing: { member: 0, nonMember: 0 } }), newEmail()];
  await stage.register(eventID, email, { basicInformation: { fname: personal } });
  return { eventID, year, email };
}
async function givenMember(stage: ServiceStage): Promise<string> {
  const email = newEmail();
  await send(stage, "POST", "/members/grant", { email, firstName: personal, lastName: personal });
  return email;
}
/** Money that came when its seat had ended. */
async function givenLatePayment(stage: ServiceStage): Promise<string> {
  const [eventID, email] = [await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } }), newEmail()];
  await stage.register(eventID, email);
  const { id } = await stage.eventCheckout(eventID, email);
  stage.payments.holdBack();
  stage.payments.pay(id);
  await stage.moveTo(eventID, email, "cancelled");
  await stage.payments.release();
  await stage.settled();
  return id;
}
/** Cash for a membership. */
async function givenCash(stage: ServiceStage): Promise<string> {
  const cash = { email: newEmail(), membership: { firstName: "Ada" }, amount: 1_500, how: "cash", confirm: true };
  return (await send(stage, "POST", "/payments/by-hand", cash)).body.paymentId;
}
let months = 0;
/** A month that is over, later than the one before. */
function nextMonth(): string {
  months += 1;
  return `2020-${`${months}`.padStart(2, "0")}`;
}
async function givenTemplate(stage: ServiceStage): Promise<string> {
  const templateName = newId();
  await send(stage, "POST", "/emails/templates", { templateName, subject: "Hello", html: "<p>Hello</p>" });
  return templateName;
}
async function givenPrize(stage: ServiceStage): Promise<string> {
  const id = newId();
  await send(stage, "POST", "/prizes", { id, name: "Mug", price: 5 });
  return id;
}
async function givenProject(stage: ServiceStage): Promise<string> {
  const projectId = newId();
  await send(stage, "POST", "/btx/admin/project", { projectId, ticker: "T", name: "One", eventId: projectId });
  return projectId;
}
const event = async (stage: ServiceStage) => `/events/${await stage.givenEvent()}/${year}`;

const aCode = { kind: "discount", uses: 1, price: 0 };
async function givenCode(stage: ServiceStage): Promise<string> {
  const path = `${await event(stage)}/codes`;
  return `${path}/${(await send(stage, "POST", path, aCode)).body.item.id}`;
}

export const writes: Readonly<Record<string, Written>> = {
  "POST /events": {
    given: async () => ({ body: { id: newEventId(), year, ename: "Gala" } }),
    rows: { "event.created": [] },
  },
  "POST /events/{eventId}/{year}/copy": {
    given: async (stage) => ({ path: `${await event(stage)}/copy`, body: { id: newEventId(), year } }),
    rows: { "event.created": [] },
  },
  "POST /events/{eventId}/{year}/codes": {
    given: async (stage) => ({ path: `${await event(stage)}/codes`, body: { ...aCode, note: personal } }),
    rows: { "code.created": all },
  },
  "PATCH /events/{eventId}/{year}/codes/{codeId}": {
    given: async (stage) => ({ path: await givenCode(stage), body: { uses: 3, note: personal } }),
    rows: { "code.updated": ["note", "uses"] },
  },
  "DELETE /events/{eventId}/{year}/codes/{codeId}": {
    given: async (stage) => ({ path: await givenCode(stage) }),
    rows: { "code.deleted": all },
  },
  "PATCH /events/{eventId}/{year}": {
    given: async (stage) => ({ path: await event(stage), body: { description: "New", capac: 5 } }),
    rows: { "event.updated": ["capac", "description"], "event.capacityChanged": [] },
  },
  "DELETE /events/{eventId}/{year}": {
    given: async (stage) => ({ path: await event(stage) }),
    rows: { "event.deleted": [] },
  },
  "POST /events/event-image-upload-url": {
    given: async () => ({
      body: { eventId: "gala", fileName: "a.png", fileType: "image/png", prefix: "original" },
    }),
    rows: { "image.uploadAllowed": [] },
  },
  "POST /registrations": {
    given: async (stage) => ({ body: { eventID: await stage.givenEvent(), year, email: newEmail() } }),
    rows: { "registration.registered": ["status"] },
  },
  "PUT /registrations/{email}/{fname}": {
    given: async (stage) => {
      const { email, ...of } = await givenRegistration(stage);
      return { path: `/registrations/${email}/x`, body: { ...of, points: 3 } };
    },
    rows: { "registration.updated": ["points"] },
  },
  "DELETE /registrations/{email}": {
    given: async (stage) => {
      const { email, ...of } = await givenRegistration(stage);
      return { path: `/registrations/${email}`, body: of };
    },
    rows: { "registration.deleted": expect.arrayContaining(["status"]) },
  },
  "POST /registrations/{email}/transfer": {
    given: async (stage) => {
      const eventID = await stage.givenEvent({ transfers: 1 });
      const of = { eventID, year };
      const email = await stage.givenUser();
      await stage.registerByAdmin(eventID, email);
      return {
        path: `/registrations/${email}/transfer`,
        body: { ...of, offer: { email: newEmail(), fname: "Grace" } },
      };
    },
    rows: { "registration.updated": ["offer"], "seat.offered": [] },
  },
  "DELETE /registrations": {
    given: async (stage) => {
      const { email, ...of } = await givenRegistration(stage);
      return { body: { ...of, ids: [email] } };
    },
    rows: { "registration.deleted": expect.arrayContaining(["status"]) },
  },
  "PUT /registrations/massUpdate": {
    given: async (stage) => {
      const { email, ...of } = await givenRegistration(stage);
      return { body: { ...of, updates: [{ email, points: 3 }] } };
    },
    rows: { "registration.updated": ["points"] },
  },
  "POST /registrations/resend-ticket": {
    given: async (stage) => ({ body: await givenRegistration(stage) }),
    rows: { "registration.updated": [] },
  },
  "POST /registrations/check-in": {
    given: async (stage) => ({ body: await givenRegistration(stage) }),
    rows: { "registration.checkedIn": ["cameFrom", "checkedInAt", "status"] },
  },
  "POST /events/{eventId}/{year}/door-links": {
    given: async (stage) => ({ path: `${await event(stage)}/door-links` }),
    rows: { "doorLink.created": [] },
  },
  "DELETE /events/{eventId}/{year}/door-links": {
    given: async (stage) => {
      const path = await event(stage);
      const { secret } = (await send(stage, "POST", `${path}/door-links`)).body;
      await send(stage, "POST", `${path}/door/devices`, { secret, name: "door 1" });
      return { path: `${path}/door-links` };
    },
    rows: { "doorLink.revoked": [], "device.revoked": [] },
  },
  "POST /users": {
    given: async () => ({ body: { email: newEmail(), fname: personal } }),
    rows: { "user.created": all },
  },
  "PATCH /users/{email}": {
    given: async (stage) => ({
      path: `/users/${await stage.givenUser({ fname: `${personal} of before` })}`,
      body: { fname: personal, isMember: true },
    }),
    rows: { "account.updated": ["fname", "isMember"] },
  },
  "PATCH /users/favEvent/{email}": {
    given: async (stage) => ({
      path: `/users/favEvent/${await stage.givenUser()}`,
      body: { eventID: await stage.givenEvent(), year },
    }),
    rows: { "account.updated": ["favEvents"] },
  },
  "DELETE /users/{email}": {
    given: async (stage) => ({ path: `/users/${await stage.givenUser()}` }),
    rows: { "user.deleted": [] },
  },
  "POST /users/calendar/{email}": {
    given: async (stage) => ({ path: `/users/calendar/${await stage.givenUser()}` }),
    rows: { "calendar.renewed": [] },
  },
  "POST /calendar": {
    given: async () => ({ path: "/calendar" }),
    rows: { "calendar.renewed": [] },
  },
  "POST /users/{email}/forgive": {
    given: async (stage) => {
      const email = newEmail();
      await stage.givenNoShows(email);
      return { path: `/users/${email}/forgive`, body: {} };
    },
    rows: { "noShows.forgiven": [] },
  },
  "POST /users/{email}/export-link": {
    given: async (stage) => ({ path: `/users/${await stage.givenUser()}/export-link` }),
    rows: { "export.requested": [] },
  },
  "POST /users/{email}/new-email": {
    given: async (stage) => ({ path: `/users/${await stage.givenUser()}/new-email`, body: { email: newEmail() } }),
    rows: { "email.requested": [] },
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
    given: async (stage) => ({
      path: `/members/${await givenMember(stage)}`,
      body: { firstName: `${personal} now`, cardCount: 2 },
    }),
    rows: { "membership.updated": ["cardCount", "firstName"], "profile.updated": ["fname"] },
  },
  "DELETE /members/{email}": {
    given: async (stage) => ({ path: `/members/${await givenMember(stage)}` }),
    rows: { "membership.deleted": all, "account.updated": ["isMember"] },
  },
  "POST /payments/{paymentId}/refunds": {
    given: async (stage) => ({
      path: `/payments/${(await stage.givenPaid()).session}/refunds`,
      body: { amount: 300, reason: "Sorry." },
    }),
    rows: { "payment.refundOrdered": ["refunds"] },
  },
  "POST /payments/{paymentId}/decisions": {
    given: async (stage) => ({
      path: `/payments/${await givenLatePayment(stage)}/decisions`,
      body: { decision: "keep", amount: 300, reason: "A fee." },
    }),
    rows: { "payment.decided": ["kept", "owed"] },
  },
  "POST /payments/by-hand": {
    given: async (stage) => {
      const [eventID, email] = [await stage.givenEvent({ pricing: { member: 5, nonMember: 8 } }), newEmail()];
      await stage.register(eventID, email);
      return { body: { email, eventID, year, amount: 800, how: "cash" } };
    },
    rows: { "registration.registered": expect.arrayContaining(["paidBy", "status"]), "payment.completed": [] },
  },
  "POST /payments/{paymentId}/reversals": {
    given: async (stage) => {
      const entryId = await givenCash(stage);
      return { path: `/payments/${entryId}/reversals`, body: { entryId, reason: "Typed wrong." } };
    },
    rows: { "payment.reversed": expect.arrayContaining(["money", "reversals"]), "member.updated": ["owes"] },
  },
  "POST /payments/journal/closings": {
    given: async (stage) => {
      await stage.invoke("Reconciler", {});
      return { body: { month: nextMonth() } };
    },
    rows: { "journal.closed": [] },
  },
  "POST /emails/templates": {
    given: async () => ({ body: { templateName: newId(), subject: "Hello", html: "<p>Hello</p>" } }),
    rows: { "template.created": all },
  },
  "PATCH /emails/templates": {
    given: async (stage) => ({ body: { templateName: await givenTemplate(stage), subject: "Hi" } }),
    rows: { "template.updated": ["subject"] },
  },
  "PATCH /emails/templates/{templateName}": {
    given: async (stage) => ({ path: `/emails/templates/${await givenTemplate(stage)}`, body: { html: "<p>Hi</p>" } }),
    rows: { "template.updated": ["html"] },
  },
  "DELETE /emails/templates/{templateName}": {
    given: async (stage) => ({ path: `/emails/templates/${await givenTemplate(stage)}` }),
    rows: { "template.deleted": all },
  },
  "POST /emails/templates/{templateName}/preview": {
    given: async (stage) => ({ path: `/emails/templates/${await givenTemplate(stage)}/preview`, body: { data: {} } }),
    rows: {},
  },
  "POST /emails/send": {
    given: async (stage) => ({
      body: { templateName: await givenTemplate(stage), audience: { emails: [newEmail()] } },
    }),
    rows: { "campaign.started": [], "campaign.batch": [] },
  },
  "PATCH /emails/campaigns/{id}": {
    given: async (stage) => {
      const of = { templateName: await givenTemplate(stage), audience: { members: true }, sendAt: inHours(2) };
      const { campaignId } = (await send(stage, "POST", "/emails/send", of)).body;
      return { path: `/emails/campaigns/${campaignId}`, body: { sendAt: inHours(3) } };
    },
    rows: { "campaign.rescheduled": ["sendAt"] },
  },
  "DELETE /emails/campaigns/{id}": {
    given: async (stage) => {
      const of = { templateName: await givenTemplate(stage), audience: { emails: [newEmail()] } };
      const { campaignId } = (await send(stage, "POST", "/emails/send", of)).body;
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
    given: async (stage) => ({ path: `/prizes/${await givenPrize(stage)}`, body: { price: 6 } }),
    rows: { "prize.updated": ["price"] },
  },
  "DELETE /prizes/{id}": {
    given: async (stage) => ({ path: `/prizes/${await givenPrize(stage)}` }),
    rows: { "prize.deleted": all },
  },
  "POST /btx/admin/project": {
    given: async (stage) => ({ body: { projectId: await givenProject(stage), ticker: "T", name: "Two" } }),
    rows: { "project.updated": ["name"] },
  },
  "DELETE /btx/admin/project/{projectId}": {
    given: async (stage) => ({ path: `/btx/admin/project/${await givenProject(stage)}` }),
    rows: { "project.removed": ["isActive"] },
  },
  "POST /btx/admin/seed": {
    given: async (stage) => ({ body: { projectId: await givenProject(stage), seedDelta: 10 } }),
    rows: { "project.priceMoved": ["basePrice", "seed"] },
  },
  "POST /btx/admin/phase-bump": {
    given: async (stage) => ({ body: { projectId: await givenProject(stage), bumpType: "DEMO_WINNER" } }),
    rows: { "project.priceMoved": ["basePrice", "bumped"] },
  },
  "POST /btx/admin/investment-impact": {
    given: async (stage) => ({ body: { teamId: await givenProject(stage), amountDelta: 1_000_000 } }),
    rows: { "project.priceMoved": ["basePrice", "seed"] },
  },
  "POST /btx/admin/reset": {
    given: async (stage) => {
      const [projectId, email] = [await givenProject(stage), newEmail()];
      await stage.api("POST", "/btx/market/buy", { as: email, body: { projectId, shares: 1 } });
      return { body: { eventId: projectId, userId: email } };
    },
    rows: { "gameAccount.reset": ["cash", "holdings"] },
  },
};
