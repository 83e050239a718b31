/**
 * When an event becomes members-only, a person without a membership who was let in before keeps the price of that time
 * (`docs/contract.md`, "Moves of a registration").
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage();
}, 60_000);
afterAll(() => stage.close());

const year = 2033;
const [first, second, guest] = ["first@guest.example", "second@guest.example", "guest@guest.example"] as const;
const open = { members: 5, nonMembers: 20 };

async function givenEvent(id: string, fields: object): Promise<void> {
  const body = { id, year, ename: `Event ${id}`, startDate: "2033-05-01T18:00:00Z", ...fields };
  expect((await stage.api("POST", "/events", { as: exec, body })).status).toBe(201);
}
const change = async (id: string, body: object) =>
  expect((await stage.api("PATCH", `/events/${id}/${year}`, { as: exec, body })).status).toBe(200);
const register = (eventID: string, email: string) =>
  stage.api("POST", "/registrations", { as: email, body: { eventID, year, email, fname: "Ada" } });
const become = (eventID: string, email: string, registrationStatus: string) =>
  stage.api("PUT", `/registrations/${email}/x`, { as: email, body: { eventID, year, registrationStatus } });
const registrationOf = async (eventID: string, email: string) =>
  (await stage.api("GET", `/registrations?eventID=${eventID}&year=${year}&email=${email}`, { as: email })).body.data[0];

/** Opens a checkout. @returns its session at the provider */
async function checkout(eventID: string, email: string) {
  const { status, body: url } = await stage.api("POST", "/payments", {
    as: email,
    body: { paymentType: "Event", eventID, year },
  });
  expect([status, url]).toEqual([200, expect.any(String)]);
  return stage.payments.sessions().find((session) => session.url === url) as { id: string; amount_total: number };
}

test("a guest who joined the line at 20 dollars is promoted, asked for 20, and confirmed by paying it", async () => {
  await givenEvent("gala", { capac: 1, pricing: open });
  expect((await register("gala", first)).body.registrationStatus).toBe("incomplete");
  expect((await register("gala", guest)).body.registrationStatus).toBe("waitlist");
  await change("gala", { pricing: { members: 5 } });

  expect(await checkout("gala", first)).toMatchObject({ amount_total: 2_000 });
  expect((await become("gala", first, "cancelled")).status).toBe(200);
  expect(await registrationOf("gala", guest)).toMatchObject({ registrationStatus: "incomplete" });
  const session = await checkout("gala", guest);
  expect(session.amount_total).toBe(2_000);
  expect(await register("gala", guest)).toMatchObject({ status: 200, body: { registrationStatus: "incomplete" } });
  stage.payments.pay(session.id);
  await stage.settled();
  const registration = await registrationOf("gala", guest);
  expect(registration).toMatchObject({ registrationStatus: "registered" });
  expect(registration).not.toHaveProperty("entryPrice");
});

test("a guest who joined the line of a free event still pays nothing, although members pay 5 now", async () => {
  await givenEvent("talk", { capac: 1 });
  await register("talk", first);
  await register("talk", guest);
  await change("talk", { pricing: { members: 5 } });
  expect((await become("talk", first, "cancelled")).status).toBe(200);
  expect(await registrationOf("talk", guest)).toMatchObject({ registrationStatus: "registered" });
});

test("guests who were let in at 10 dollars still pay 10, although the event is free for members now", async () => {
  await givenEvent("party", { capac: 1, pricing: { members: 0, nonMembers: 10 } });
  await register("party", first);
  await register("party", second);
  await register("party", guest);
  await change("party", { pricing: { members: 0 } });
  expect((await become("party", first, "registered")).status).toBe(403);
  await become("party", first, "cancelled");
  expect(await checkout("party", second)).toMatchObject({ amount_total: 1_000 });
  await change("party", { capac: 2 });
  expect(await checkout("party", guest)).toMatchObject({ amount_total: 1_000 });
  expect(await register("party", first)).toMatchObject({ status: 403, body: { code: "MEMBERS_ONLY" } });
});
