/** What the functions do with their rights: small stories that together need every right of every function. */
import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ada, exec, newEmail, newEventId, year } from "./given.ts";
import { linkOf, newEmailLinkOf } from "./link-of.ts";
import { signUpAndIn } from "./newcomer.ts";
import type { ServiceStage } from "./stage.ts";

/** Only members come for free, so a promotion must look who is a member. */
const priced = { pricing: { member: 0, nonMember: 10 } };
const asExec = (body?: unknown) => ({ as: exec, body });

/** Moves the end of a hold into the past. */
export async function endHold(stage: ServiceStage, id: string, email: string): Promise<void> {
  const TableName = stage.outputs.tableName;
  const registration = await stage.storedRegistration(id, email);
  const [was, is] = [Number(registration?.holdExpiresAt), Date.now() - 1_000];
  const hold = (await stage.stored("HOLD")).find((one) => one.email === email);
  const SK = String(hold?.SK).replace(String(was), String(is));
  const update = {
    Key: { PK: `USER#${email}`, SK: `REG#${id}#${year}` },
    UpdateExpression: "SET holdExpiresAt = :is",
    ExpressionAttributeValues: { ":is": is },
  };
  await stage.table.send(new UpdateCommand({ TableName, ...update }));
  await stage.table.send(new DeleteCommand({ TableName, Key: { PK: "HOLD", SK: hold?.SK } }));
  const Item = { ...hold, SK, expiresAt: is };
  await stage.table.send(new PutCommand({ TableName, Item }));
}

/** A seat becomes free, and the crash of a function has kept the next person from getting it. */
async function freeSeat(stage: ServiceStage, id: string): Promise<void> {
  const Key = { PK: `SEAT#${id}#${year}#00`, SK: (await stage.storedSeats(id)).SK };
  const change = {
    UpdateExpression: "SET #capacity = #capacity + :one",
    ExpressionAttributeNames: { "#capacity": "capacity" },
    ExpressionAttributeValues: { ":one": 1 },
  };
  await stage.table.send(new UpdateCommand({ TableName: stage.outputs.tableName, Key, ...change }));
}

/** The message that a person waits, as the promoter gets it. */
async function waitsMessage(stage: ServiceStage, id: string): Promise<object> {
  const rows = await stage.outboxRows();
  const row = rows.find(
    ({ detailType, detail }) => detailType === "registration.waitlisted" && detail.data.eventID === id,
  );
  const body = { source: "club.events", "detail-type": row?.detailType, detail: row?.detail };
  return { Records: [{ messageId: "1", body: JSON.stringify(body), attributes: {}, messageAttributes: {} }] };
}

/** A story uses its own events and people, so it can be told again. */
export type Story = (stage: ServiceStage) => Promise<unknown>;

export const stories: Readonly<Record<string, Story>> = {
  "a device joins, reads the door list, searches, uploads scans and is revoked": async (stage) => {
    const [email, waiting] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([email, waiting], { capac: 1 });
    const [links, scans] = [`/events/${id}/${year}/door-links`, "/registrations/check-in/scans"];
    const { secret } = (await stage.api("POST", links, asExec())).body;
    const joined = await stage.api("POST", `/events/${id}/${year}/door/devices`, { body: { secret, name: "door" } });
    const headers = { authorization: `Door ${joined.body.token}` };
    await stage.api("GET", `/events/${id}/${year}/door`, { headers });
    await stage.api("GET", `/events/${id}/${year}/door/search?q=ada`, { headers });
    const { ticketCode: code } = await stage.registrationOf(id, email);
    const row = { code, scannedAt: 0, nonce: "a-nonce-of-this-story" };
    await stage.api("POST", scans, { headers, body: { sentAt: 0, scans: [row] } });
    await stage.api("GET", `${scans}?eventID=${id}&year=${year}`, asExec());
    await stage.api("GET", links, asExec());
    await stage.api("DELETE", links, asExec());
  },
  "an event is made, shown, changed and deleted": async (stage) => {
    const id = await stage.givenEventWith([newEmail(), newEmail()], { capac: 1 });
    await stage.api("GET", "/events?limit=1", asExec());
    await stage.api("GET", "/events/getActiveEvent");
    await stage.api("GET", `/events/${id}/${year}?count=true&users=true`, asExec());
    const codes = `/events/${id}/${year}/codes`;
    const { item } = (await stage.api("POST", codes, asExec({ kind: "partner", uses: 1 }))).body;
    await stage.api("POST", codes, asExec({ kind: "partner", uses: 1 }));
    await stage.api("GET", codes, asExec());
    await stage.api("GET", `/events/${id}/${year}?code=${item.code}`, { as: newEmail() });
    await stage.api("PATCH", `${codes}/${item.id}`, asExec({ uses: 2 }));
    await stage.api("DELETE", `${codes}/${item.id}`, asExec());
    await stage.changeEvent(id, { ename: "Renamed", capac: 2 });
    await stage.deleteEvent(id);
    await stage.deleteEvent(id, "?force=true");
    await stage.createEvent({ id });
  },
  "a deleted event's line is emptied": async (stage) => {
    const [first, second] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([first, second], { capac: 1, startDate: "2020-05-01T18:00:00Z" });
    await stage.deleteEvent(id, "?force=true");
  },
  "an event moves": async (stage) => {
    const id = await stage.givenEventWith([newEmail()], { capac: 2 });
    await stage.changeEvent(id, { startDate: `${year}-06-01T18:00:00Z` });
  },
  "people register, wait, leave and move up": async (stage) => {
    const [first, second] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([first, second], { capac: 1 });
    await stage.api("GET", `/registrations?eventID=${id}&year=${year}`, asExec());
    await stage.api("GET", `/registrations?email=${first}`, asExec());
    await stage.api("GET", `/registrations?year=${year}&limit=1`, asExec());
    await stage.leave(id, first);
    await stage.api("GET", `/registrations?eventID=${id}&year=${year}&email=${second}`, asExec());
  },
  "people are checked in": async (stage) => {
    const [one, other] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([one, other]);
    const event = { eventID: id, year };
    await stage.api("POST", "/registrations/check-in", asExec({ ...event, email: one }));
    await stage.api("POST", "/registrations/resend-ticket", asExec({ ...event, email: one }));
    const updates = [{ email: other, points: 3 }];
    await stage.api("PUT", "/registrations/massUpdate", asExec({ ...event, updates }));
    await stage.api("GET", `/registrations/leaderboard?eventID=${id}&year=${year}`, asExec());
    await stage.api("GET", "/registrations/leaderboard", asExec());
    await stage.api("DELETE", "/registrations", asExec({ ...event, ids: [one] }));
  },
  "a seat is paid": (stage) => stage.givenPaid(priced),
  "money is taken by hand, kept and given back, and a refund ends a seat in demand": async (stage) => {
    const [next, cash] = [newEmail(), newEmail()];
    const { id, session } = await stage.givenPaid({ capac: 1 });
    await stage.register(id, next, { registrationStatus: "waitlist" });
    await stage.api("POST", `/payments/${session}/refunds`, asExec({ amount: 600, reason: "Sorry!", cancel: true }));
    await stage.settled();
    stage.payments.moveRefund(stage.payments.refunds().at(-1)?.id ?? "", "fail");
    await stage.settled();
    await stage.api("GET", "/payments?open=true", asExec());
    const decisions = `/payments/${session}/decisions`;
    await stage.api("POST", decisions, asExec({ decision: "keep", amount: 100, reason: "A fee." }));
    await stage.api("POST", `/payments/${session}/refunds`, asExec({ reason: "In cash.", how: "cash" }));
    const other = await stage.givenEvent({ capac: 1, pricing: { members: 5, nonMembers: 10 } });
    await stage.register(other, cash);
    const taken = { email: cash, eventID: other, year, amount: 1_000, how: "cash" };
    const { paymentId: entryId } = (await stage.api("POST", "/payments/by-hand", asExec(taken))).body;
    const instead = { amount: 900, how: "transfer", confirm: true, at: new Date().toISOString() };
    const reversal = { entryId, reason: "Typed wrong.", instead };
    await stage.api("POST", `/payments/${entryId}/reversals`, asExec(reversal));
    await stage.api("POST", `/payments/${entryId}/decisions`, asExec({ decision: "waive", reason: "She helps." }));
    const member = { email: newEmail(), membership: ada, amount: 1, confirm: true, how: "cash" };
    await stage.api("POST", "/payments/by-hand", asExec(member));
    await stage.api("GET", "/payments?limit=1", asExec());
    await stage.settled();
  },
  "the treasurer reads and closes the journal": async (stage) => {
    await stage.invoke("Reconciler", {});
    const period = `from=2026-01-01&to=2026-12-31`;
    for (const page of [`journal?${period}`, `journal?${period}&format=csv`, `totals?${period}`, "position"])
      await stage.api("GET", `/payments/${page}`, asExec());
    await stage.api("POST", "/payments/journal/closings", asExec({ month: "2026-01" }));
  },
  "a part of a payment is refunded, and the person cancels": async (stage) => {
    const { id, email, session } = await stage.givenPaid(priced);
    await stage.api("POST", `/payments/${session}/refunds`, asExec({ amount: 100, reason: "No dessert." }));
    await stage.settled();
    await stage.moveTo(id, email, "cancelled", email);
    await stage.settled();
    await stage.api("GET", `/payments?eventID=${id}&year=${year}`, asExec());
  },
  "a seat that a person left is paid late": async (stage) => {
    const [email, next] = [newEmail(), newEmail()];
    const id = await stage.givenEvent({ capac: 1, ...priced });
    await stage.register(id, email, ada);
    await stage.register(id, next, ada);
    const session = (await stage.eventCheckout(id, email)).id;
    stage.payments.holdBack();
    stage.payments.pay(session);
    await stage.moveTo(id, email, "cancelled", email);
    await stage.payments.release();
  },
  "a checkout expires": async (stage) => {
    const [email, next] = [newEmail(), newEmail()];
    const id = await stage.givenEvent({ capac: 1, ...priced });
    await stage.register(id, email, ada);
    await stage.register(id, next, ada);
    stage.payments.expire((await stage.eventCheckout(id, email)).id);
  },
  "a checkout is not needed any more": async (stage) => {
    const email = newEmail();
    const id = await stage.givenEvent({ capac: 1, ...priced });
    await stage.register(id, email, ada);
    await stage.eventCheckout(id, email);
    await stage.moveTo(id, email, "cancelled", email);
  },
  "a lost promotion is made up for": async (stage) => {
    const id = await stage.givenEventWith([newEmail(), newEmail()], { capac: 1, ...priced });
    await freeSeat(stage, id);
    await stage.invoke("Promoter", await waitsMessage(stage, id));
  },
  "a former member pays again": async (stage) => {
    const email = newEmail();
    await stage.api("POST", "/members/grant", asExec({ email, firstName: "Ada", lastName: "L" }));
    await stage.api("DELETE", `/members/${email}`, asExec());
    const form = { paymentType: "Member", email, first_name: "Ada", last_name: "Lovelace" };
    stage.payments.pay((await stage.checkout(email, form)).id);
  },
  "a hold is over": async (stage) => {
    const [email, next] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([email, next], { capac: 1, ...priced });
    await endHold(stage, id, email);
    await stage.invoke("Sweeper", {});
  },
  "a hold is over, and nobody waits": async (stage) => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { capac: 1, ...priced });
    await endHold(stage, id, email);
    await stage.invoke("Sweeper", {});
  },
  "a hold with a page is over, and the next person gets the seat": async (stage) => {
    const [email, next] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([email, next], { capac: 1, ...priced });
    await stage.eventCheckout(id, email);
    await endHold(stage, id, email);
    await stage.invoke("Sweeper", {});
    await stage.settled();
  },
  "a hold with a page is over, and it was paid": async (stage) => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { capac: 1, ...priced });
    const { id: session } = await stage.eventCheckout(id, email);
    stage.payments.holdBack();
    stage.payments.pay(session);
    await endHold(stage, id, email);
    await stage.invoke("Sweeper", {});
    await stage.settled();
    await stage.payments.release();
  },
  "the night finds a paid seat, a paid membership and a late payment": async (stage) => {
    const [email, late, member] = [newEmail(), newEmail(), await stage.givenUser()];
    const id = await stage.givenEventWith([email], { capac: 1, ...priced });
    const other = await stage.givenEventWith([late], { capac: 1, ...priced });
    const sessions = [await stage.eventCheckout(id, email), await stage.eventCheckout(other, late)];
    const form = { paymentType: "Member", email: member, first_name: "Ada", last_name: "Lovelace" };
    sessions.push(await stage.checkout(member, form));
    stage.payments.holdBack();
    for (const { id: session } of sessions) stage.payments.pay(session);
    await stage.moveTo(other, late, "cancelled", late);
    await stage.settled();
    await stage.invoke("Reconciler", {});
    await stage.payments.release();
  },
  "the night finds an end of a term that belongs to no membership": async (stage) => {
    const email = newEmail();
    const Item = { PK: "TERMS", SK: `1700000000000#${email}`, email };
    await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
    await stage.invoke("Reconciler", {});
  },
  "the night finds an expired page, and the next person gets the seat": async (stage) => {
    const [email, next] = [newEmail(), newEmail()];
    const id = await stage.givenEventWith([email, next], { capac: 1, ...priced });
    const { id: session } = await stage.eventCheckout(id, email);
    stage.payments.holdBack();
    stage.payments.expire(session);
    await stage.invoke("Reconciler", {});
    await stage.payments.release();
  },
  "a price changes while a page is open": async (stage) => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { capac: 1, ...priced });
    await stage.eventCheckout(id, email);
    await stage.api("PATCH", `/events/${id}/${year}`, asExec({ pricing: { member: 0, nonMember: 12 } }));
    await stage.settled();
  },
  "a person becomes a member by paying": async (stage) => {
    const email = await stage.givenUser();
    const form = { paymentType: "Member", email, first_name: "Ada", last_name: "Lovelace" };
    const session = await stage.checkout(email, form);
    await stage.checkout(email, form);
    stage.payments.pay(session.id);
  },
  "a person signs up, looks and goes": async (stage) => {
    const email = newEmail();
    const own = (method: string, path: string, body?: unknown) => stage.api(method, path, { as: email, body });
    await own("POST", "/users", { email, fname: "Ada" });
    await own("POST", "/users", { email, fname: "Ada" });
    await own("GET", "/users/self");
    await own("GET", `/users/isMember/${email}`);
    await stage.api("GET", "/users?limit=1", asExec());
    await own("PATCH", `/users/${email}`, { fname: "Eda" });
    const id = await stage.givenEventWith([email, newEmail()], { capac: 1, ...priced });
    await own("PATCH", `/users/favEvent/${email}`, { eventID: id, year, isFavourite: true });
    await stage.settled();
    await own("DELETE", `/users/${email}`);
  },
  "a person asks for the data, and is deleted by an admin": async (stage) => {
    const email = newEmail();
    await stage.givenEventWith([email]);
    await stage.api("GET", `/users/${email}/export`, { as: email });
    await stage.api("POST", `/users/${email}/export-link`, asExec());
    await stage.api("GET", `/users/${email}/erasure`, asExec());
    await stage.givenNoShows(email);
    await stage.api("POST", `/users/${email}/forgive`, asExec({}));
    await stage.settled();
    await stage.api("DELETE", `/users/${email}`, asExec());
  },
  "a person gets a new email": async (stage) => {
    const email = newEmail();
    await stage.api("POST", "/users", { as: email, body: { email, fname: "Ada" } });
    await stage.givenEventWith([email, newEmail()], { capac: 1 });
    await stage.api("POST", "/calendar", { as: email });
    await stage.api("POST", `/users/${email}/new-email`, asExec({ email: newEmail() }));
    const headers = { authorization: `Link ${await newEmailLinkOf(stage, email, "next")}` };
    await stage.api("POST", "/links/new-email", { headers, body: {} });
    await stage.settled();
  },
  "an admin keeps members": async (stage) => {
    const email = newEmail();
    await stage.api("POST", "/members", asExec({ email, firstName: "Ada" }));
    await stage.api("POST", "/members/grant", asExec({ email, firstName: "Ada", lastName: "L" }));
    await stage.api("GET", "/members?limit=1", asExec());
    const { body } = await stage.api("GET", `/members/${email}`, asExec());
    await stage.api("GET", `/members/profileID/${body.profileID}`, asExec());
    await stage.api("PATCH", `/members/${email}`, asExec({ major: "M" }));
    await stage.api("DELETE", `/members/${email}`, asExec());
  },
  "a member shows a profile": async (stage) => {
    const email = newEmail();
    await stage.api("POST", "/members/grant", asExec({ email, firstName: "Ada", lastName: "L" }));
    const { body } = await stage.api("POST", "/profiles", { as: email, body: {} });
    await stage.api("GET", "/profiles/user/", { as: email });
    await stage.api("PATCH", "/profiles/user/", { as: email, body: { description: "Hello" } });
    await stage.api("GET", `/profiles/profile/${body.profileID ?? "x"}`, { as: email });
  },
  "a person has a profile before the membership": async (stage) => {
    const email = newEmail();
    await stage.api("POST", "/users", { as: email, body: { fname: "Ada" } });
    await stage.api("POST", "/profiles", { as: email, body: {} });
  },
  "prizes come and go": async (stage) => {
    const id = newEventId();
    await stage.api("POST", "/prizes", asExec({ id, name: "Mug", price: 5 }));
    await stage.api("GET", "/prizes", asExec());
    await stage.api("GET", `/prizes/${id}`, asExec());
    await stage.api("PATCH", `/prizes/${id}`, asExec({ price: 6 }));
    await stage.api("DELETE", `/prizes/${id}`, asExec());
  },
  "calendars are subscribed to": async (stage) => {
    const email = await stage.givenUser();
    await stage.givenEventWith([email]);
    const { address } = (await stage.api("POST", `/users/calendar/${email}`, { as: email })).body;
    await stage.api("GET", new URL(address).pathname);
    await stage.api("POST", `/users/calendar/${email}`, asExec());
    await stage.api("POST", "/calendar", asExec());
    await stage.api("GET", "/calendar.ics", { as: email });
  },
  "feedback is asked and given": async (stage) => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { attendeeFeedbackEnabled: true, startDate: "2020-01-01" });
    const path = `/events/${id}/${year}/feedback/attendee`;
    await stage.api("GET", path, { as: email });
    await stage.api("POST", path, { as: email, body: { responses: { "overall-rating": 10 } } });
    await stage.api("GET", `${path}/submissions`, asExec());
  },
  "feedback is given by a link": async (stage) => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { attendeeFeedbackEnabled: true, startDate: "2020-01-01" });
    const headers = { authorization: `Link ${await linkOf(stage, "feedback", { eventID: id, email, year })}` };
    await stage.api("GET", "/links/feedback", { headers });
    await stage.api("POST", "/links/feedback", { headers, body: { responses: { "overall-rating": 10 } } });
  },
  "a seat is paid for by a link": async (stage) => {
    const email = newEmail();
    const id = await stage.givenEventWith([email], { pricing: { members: 5, nonMembers: 10 } });
    const headers = { authorization: `Link ${await linkOf(stage, "registration", { eventID: id, email, year })}` };
    await stage.api("POST", "/links/registration/payments", { headers, body: {} });
  },
  "a shared link shows an event's page": async (stage) => {
    await stage.api("GET", `/event/${await stage.givenEvent()}/${year}`);
  },
  "lost links are mailed": async (stage) => {
    const email = newEmail();
    await stage.givenEventWith([email]);
    await stage.api("POST", "/links", { body: { email } });
    await stage.settled();
  },
  "a campaign is sent": async (stage) => {
    const id = await stage.givenEventWith([newEmail()]);
    const templateName = `T_${id.replace("-", "_")}`;
    const content = { subject: "Hi", html: "<p>Hi</p>", text: "Hi" };
    await stage.api("POST", "/emails/templates", asExec({ templateName, ...content }));
    await stage.api("PATCH", `/emails/templates/${templateName}`, asExec({ subject: "Hello" }));
    await stage.api("GET", "/emails/templates", asExec());
    await stage.api("POST", `/emails/templates/${templateName}/preview`, asExec({ data: {} }));
    const email = newEmail();
    await stage.api("POST", "/emails/suppressions", asExec({ email }));
    await stage.api("DELETE", "/emails/suppressions", asExec({ email }));
    const audience = { emails: [await stage.givenUser()] };
    const { campaignId } = (await stage.api("POST", "/emails/send", asExec({ templateName, audience }))).body;
    await stage.api("POST", "/emails/send", asExec({ templateName, audience: { eventID: id, year } }));
    await stage.api("POST", "/emails/send", asExec({ templateName, audience: { members: true } }));
    await stage.api("GET", `/emails/campaigns/${campaignId}`, asExec());
    await stage.api("GET", "/emails/campaigns", asExec());
    await stage.api("DELETE", `/emails/campaigns/${campaignId}`, asExec());
    await stage.api("DELETE", `/emails/templates/${templateName}`, asExec());
  },
  "campaigns begin at their time": async (stage) => {
    const [id, templateName] = [await stage.givenEventWith([newEmail()]), `T_${newEventId().replace("-", "_")}`];
    await stage.api("POST", "/emails/templates", asExec({ templateName, subject: "Hi", html: "<p>Hi</p>" }));
    const [later, soon] = [3_600_000, 1_000].map((ms) => new Date(Date.now() + ms).toISOString());
    for (const audience of [{ eventID: id, year }, { members: true }, { emails: [newEmail()] }]) {
      const of = asExec({ templateName, audience, sendAt: later });
      const { campaignId } = (await stage.api("POST", "/emails/send", of)).body;
      await stage.api("PATCH", `/emails/campaigns/${campaignId}`, asExec({ sendAt: soon }));
    }
    const mails = [{ templateName, to: "seats", when: "beforeStart", days: 2 }];
    await stage.api("PATCH", `/events/${id}/${year}`, asExec({ startDate: later, mails }));
    while (Date.now() < Date.parse(soon as string)) await stage.settled();
    await stage.indexed();
    await stage.invoke("Sweeper", {});
    await stage.settled();
  },
  "a mail bounces": async (stage) => {
    await stage.givenEventWith([`bounce+${newEventId()}@simulator.amazonses.com`]);
  },
  "the game is played": async (stage) => {
    const [email, projectId] = [newEmail(), newEventId()];
    const eventId = await stage.givenEvent();
    const own = (method: string, path: string, body?: unknown) => stage.api(method, path, { as: email, body });
    await stage.api("POST", "/btx/admin/project", asExec({ projectId, ticker: "T", name: "Project", eventId }));
    await own("POST", "/btx/market/buy", { projectId, shares: 2 });
    await own("POST", "/btx/market/sell", { projectId, shares: 1 });
    for (const path of ["projects", "market/snapshot", "portfolio", "leaderboard"]) {
      await own("GET", `/btx/${path}?eventId=${eventId}`);
    }
    await own("GET", "/btx/trades");
    await own("GET", `/btx/price-history?projectId=${projectId}`);
    await stage.api("POST", "/btx/admin/seed", asExec({ projectId, seedDelta: 1 }));
    await stage.api("POST", "/btx/admin/reset", asExec({ eventId }));
  },
  "a banner is uploaded": async (stage) => {
    const body = { fileType: "image/png", fileName: "a.png", prefix: "optimized", eventId: newEventId() };
    const { uploadUrl } = (await stage.api("POST", "/events/event-image-upload-url", asExec(body))).body;
    const { ok, status } = await fetch(uploadUrl, {
      method: "PUT",
      headers: { "content-type": "image/png" },
      body: "pixels",
    });
    if (!ok) throw new Error(`The upload was answered with ${status}.`);
  },
  "a banner is too large": async (stage) => {
    const body = { fileType: "image/png", fileName: "a.png", prefix: "optimized", eventId: newEventId() };
    const { uploadUrl } = (await stage.api("POST", "/events/event-image-upload-url", asExec(body))).body;
    const pixels = Buffer.alloc(10 * 1024 * 1024 + 1);
    await fetch(uploadUrl, { method: "PUT", headers: { "content-type": "image/png" }, body: pixels });
  },
  "a banner is deleted before its header is set": async (stage) => {
    const key = `event-thumbnails/${newEventId()}/optimized/1-gone.png`;
    const detail = { bucket: { name: stage.bucket.name }, object: { key, etag: "x" }, reason: "PutObject" };
    await stage.invoke("CacheHeader", { source: "aws.s3", "detail-type": "Object Created", detail });
  },
  "a person signs in with Google": async (stage) => {
    const email = newEmail();
    const person = { provider: "Google", subject: email, email, emailVerified: true } as const;
    await stage.identity.ensureUser({ email, password: "Club-local-1!" });
    // The first sign-in with Google links the account and ends in an error, which the web application repeats.
    await stage.identity.federatedSignIn(person).catch(() => undefined);
    await stage.identity.federatedSignIn(person);
  },
  "a person signs up with a password": (stage) => signUpAndIn(stage, newEmail()),
};
