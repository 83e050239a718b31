/** People whom an attendee brings, by every way in which a person registers (`docs/contract.md`, "Plus-ones"). */
import { beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { guestLinkOf, linkOf } from "./link-of.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const plusOnes = [{ fname: "Grace" }, { fname: "Mary" }];
const checkIn = (eventID: string, code: string) =>
  stage.api("POST", "/registrations/check-in", { as: exec, body: { eventID, year, code } });

test("each has a ticket, which checks in alone, and lists, table, report and export say who came along", async () => {
  const id = await stage.givenEvent({ capac: 3, plusOnes: 2 });
  const email = newEmail();
  const { status, body } = await stage.register(id, email, { plusOnes });
  expect(status).toBe(201);
  const [grace, mary] = body.registration.plusOnes;
  expect([grace, mary]).toEqual(plusOnes.map((one) => ({ ...one, ticketCode: expect.stringMatching(/^V2\./) })));
  expect(new Set([grace.ticketCode, mary.ticketCode, body.registration.ticketCode]).size).toBe(3);
  const checkedIn = await checkIn(id, grace.ticketCode);
  expect(checkedIn.body).toMatchObject({ alreadyCheckedIn: false, plusOne: "Grace" });
  expect(checkedIn.body.registration.registrationStatus).toBe("registered");
  expect((await checkIn(id, grace.ticketCode)).body).toMatchObject({
    alreadyCheckedIn: true,
    checkedInAt: checkedIn.body.checkedInAt,
  });
  expect(await stage.countsOf(id)).toMatchObject({
    seatsTaken: 3,
    remaining: 0,
    registeredCount: 2,
    checkedInCount: 1,
  });
  await stage.indexed();
  const query = `eventID=${id}&year=${year}`;
  const list = await stage.api("GET", `/registrations?${query}`, { as: exec });
  expect(list.body.data[0].plusOnes).toEqual([{ fname: "Grace", checkedInAt: expect.any(Number) }, { fname: "Mary" }]);
  expect(JSON.stringify(list.body)).not.toContain("ticketId");
  const headers = { authorization: `Bearer ${await stage.tokenFor(exec)}` };
  const table = await stage.fetch(`/registrations?${query}&format=csv`, { headers });
  expect(await table.text()).toMatch(/Grace.*Mary/s);
  const report = await stage.api("GET", `/events/${id}/${year}/report`, { as: exec });
  expect(report.body).toMatchObject({ registered: 3, came: 1 });
  const data = await stage.api("GET", `/users/${email}/export`, { as: email });
  expect(JSON.stringify(data.body)).toContain("Grace");
});

test("a link shows their tickets, and loses who does not come; a guest brings people, too", async () => {
  const id = await stage.givenEvent({ capac: 3, plusOnes: 2, guests: "everyone" });
  const email = newEmail();
  const guest = await guestLinkOf(stage, { email, eventID: id, year, plusOnes } as never);
  const begun = await stage.api("POST", "/links/guest", { headers: { authorization: `Link ${guest}` }, body: {} });
  expect(begun).toMatchObject({ status: 201, body: { registration: { plusOnes } } });
  const authorization = `Link ${await linkOf(stage, "registration", { email, eventID: id, year })}`;
  const shown = await stage.api("GET", "/links/registration", { headers: { authorization } });
  expect(shown.body.registration.plusOnes).toEqual(begun.body.registration.plusOnes);
  const change = (body: object) =>
    stage.api("PUT", "/links/registration", {
      headers: { authorization },
      body: { seenStatus: "registered", ...body },
    });
  const fewer = await change({ plusOnes: [{ fname: "Mary" }] });
  expect(fewer.body.registration.plusOnes).toEqual([begun.body.registration.plusOnes[1]]);
  expect(await stage.countsOf(id)).toMatchObject({ seatsTaken: 2, remaining: 1 });
  expect(await checkIn(id, begun.body.registration.plusOnes[0].ticketCode)).toMatchObject({ status: 409 });
  const more = await change({ plusOnes });
  expect(more).toMatchObject({ status: 400, body: { issues: [{ path: "/plusOnes" }] } });
});

test("more than the event allows is refused with a sentence", async () => {
  const [none, one] = [await stage.givenEvent(), await stage.givenEvent({ plusOnes: 1 })];
  for (const id of [none, one]) {
    const refused = await stage.register(id, newEmail(), { plusOnes });
    expect(refused).toMatchObject({ status: 400, body: { issues: [{ path: "/plusOnes" }] } });
  }
});

test("an executive checks them in without a ticket, by name, and out again; each once", async () => {
  const id = await stage.givenEvent({ capac: 3, plusOnes: 2 });
  const email = newEmail();
  await stage.register(id, email, { plusOnes: [{ fname: "Grace" }, { fname: "Grace" }] });
  const at = (body: object) =>
    stage.api("POST", "/registrations/check-in", { as: exec, body: { eventID: id, year, email, ...body } });
  const came = async () => (await stage.countsOf(id)).checkedInCount;
  const grace = { plusOne: "Grace" };
  expect((await at(grace)).body).toMatchObject({ alreadyCheckedIn: false, plusOne: "Grace" });
  expect((await at(grace)).body).toMatchObject({ alreadyCheckedIn: false });
  expect((await at(grace)).body).toMatchObject({ alreadyCheckedIn: true });
  expect(await came()).toBe(2);
  const out = await at({ ...grace, undo: true });
  expect(out.body).toMatchObject({ message: "Not checked in.", alreadyCheckedIn: false });
  expect(out.body).not.toHaveProperty("checkedInAt");
  expect(await came()).toBe(1);
  await at({ ...grace, undo: true });
  expect(await at({ ...grace, undo: true })).toMatchObject({ status: 200 });
  expect([await came(), (await at({})).status, await came()]).toEqual([0, 200, 1]);
  expect((await at({ undo: true })).body.registration.registrationStatus).toBe("registered");
  expect(await came()).toBe(0);
  expect(await at({ plusOne: "Joan" })).toMatchObject({ status: 409 });
  const { ticketCode: code } = await stage.registrationOf(id, email);
  expect(await at({ plusOne: "Grace", code })).toMatchObject({ status: 400 });
});
