/** A seat is handed on (`docs/contract.md`, "Handing on"). What holds in any order is proven by the model of the capacity. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { linkOf } from "./link-of.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const handsOn = { transfers: 1, guests: "everyone", startDate: `${year}-05-01T18:00:00Z` };
const linked = (method: string, path: string, secret: string, body?: object) =>
  stage.api(method, path, { headers: { authorization: `Link ${secret}` }, ...(body && { body }) });
const offer = (eventID: string, as: string, named: object, email = as) =>
  stage.api("POST", `/registrations/${email}/transfer`, { as, body: { eventID, year, offer: named } });

/** An event whose only seat is a person's, while another one waits. */
async function givenSeat(fields: object = {}) {
  const [giver, waits, taker] = [newEmail(), newEmail(), newEmail()];
  const id = await stage.givenEventWith([giver, waits], { capac: 1, ...handsOn, ...fields });
  return { id, giver, waits, taker, named: { email: taker, fname: "Grace" } };
}
async function secretOf(taker: string): Promise<string> {
  await stage.settled();
  return stage.secretTo(taker, "/guest");
}

/** Both ways of a giver. */
const ways: Readonly<Record<string, (id: string, giver: string, named: object) => ReturnType<typeof linked>>> = {
  "an account": (id, giver, named) => offer(id, giver, named),
  "a link": async (id, giver, named) => {
    const secret = await linkOf(stage, "registration", { email: giver, eventID: id, year });
    return linked("PUT", "/links/registration", secret, { offer: named, seenStatus: "registered" });
  },
};

describe.each(Object.entries(ways))("by %s", (_, send) => {
  test("nothing changes before the named person accepts, and then the seat is theirs, and the old ticket opens nothing", async () => {
    const { id, giver, waits, taker, named } = await givenSeat();
    const old = await linkOf(stage, "registration", { email: giver, eventID: id, year });
    const { ticketCode } = await stage.registrationOf(id, giver);
    expect(await send(id, giver, named)).toMatchObject({ status: 200, body: { registration: { offered: true } } });
    expect((await linked("GET", "/links/registration", old)).body).toMatchObject({
      ...{ may: expect.arrayContaining(["handOn", "cancel"]), offered: named },
    });
    const secret = await secretOf(taker);
    const seen = await linked("GET", "/links/guest", secret);
    expect(seen).toMatchObject({ status: 200, body: { email: taker, fname: "Grace", from: giver } });
    expect(await stage.statusOf(id, giver)).toBe("registered");

    const taken = await linked("POST", "/links/guest", secret, {});
    expect(taken).toMatchObject({
      ...{ status: 201, body: { registrationStatus: "registered", registration: { takenOver: true } } },
    });
    // The answer was lost: the same again, and no second seat.
    const again = await linked("POST", "/links/guest", secret, {});
    expect(again).toMatchObject({ status: 200, body: { registrationStatus: "registered" } });
    await stage.settled();
    expect(await stage.registrationOf(id, giver)).toMatchObject({ registrationStatus: "cancelled", handedOn: true });
    expect(await stage.statusOf(id, waits)).toBe("waitlist");
    expect((await linked("GET", "/links/registration", old)).status).toBe(401);
    const scan = { as: exec, body: { eventID: id, year, code: ticketCode } };
    expect((await stage.api("POST", "/registrations/check-in", scan)).body).toMatchObject({
      code: "ILLEGAL_TRANSITION",
    });
    expect(stage.subjectsTo(giver).at(-1)).toMatch(/^Your seat is handed on/);
    expect(stage.mailsTo(taker).at(-1)?.body.text).toContain("This seat was handed on to you.");
    const report = (await stage.api("GET", `/events/${id}/${year}/report`, { as: exec })).body;
    expect(report).toMatchObject({ registered: 1, waiting: 1, cancelled: 0, handedOn: 1, promoted: 0 });
    expect((await stage.registrationOf(id, taker)).transfers).toMatchObject([{ from: giver, to: taker }]);
    expect(await offer(id, taker, { email: waits, fname: "Ada" })).toMatchObject({
      ...{ status: 409, body: { code: "ILLEGAL_TRANSITION", message: expect.stringContaining("as often as") } },
    });
  });

  test("it is withdrawn, replaced, or ended by cancelling", async () => {
    const { id, giver, taker, named } = await givenSeat();
    const other = newEmail();
    await send(id, giver, named);
    const first = await secretOf(taker);
    await send(id, giver, { email: other, fname: "Hedy" });
    const second = await secretOf(other);
    expect((await linked("POST", "/links/guest", first, {})).status).toBe(401);
    expect(await send(id, giver, {})).toMatchObject({ status: 200 });
    expect((await linked("GET", "/links/guest", second)).status).toBe(401);
    await send(id, giver, named);
    const third = await secretOf(taker);
    expect((await stage.moveTo(id, giver, "cancelled", giver)).status).toBe(200);
    expect((await linked("POST", "/links/guest", third, {})).status).toBe(401);
    expect((await stage.stored(`OFFERS#${id}#${year}`)).length).toBe(0);
  });
});

test("is refused: another's seat, a person who is in, one's own address, an event that has it not", async () => {
  const { id, giver, waits, taker, named } = await givenSeat();
  expect(await offer(id, taker, named, giver)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  expect(await offer(id, waits, named)).toMatchObject({ status: 409, body: { code: "ILLEGAL_TRANSITION" } });
  expect(await offer(id, giver, { email: giver, fname: "Ada" })).toMatchObject({ status: 400 });
  expect(await offer(id, giver, { email: taker })).toMatchObject({
    status: 400,
    body: { issues: [{ path: "/offer/fname" }] },
  });
  await offer(id, giver, { email: waits, fname: "Ada" });
  const refused = await linked("POST", "/links/guest", await secretOf(waits), {});
  expect(refused).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
  const without = await givenSeat({ transfers: 0 });
  expect(await offer(without.id, without.giver, without.named)).toMatchObject({ status: 403 });
});

test("the rules of the new person count: questions, members only, called off", async () => {
  const question = { questionId: "q", label: "Diet?", type: "TEXT", required: true };
  const { id, giver, taker, named } = await givenSeat();
  await stage.changeEvent(id, { registrationQuestions: [question] });
  await offer(id, giver, named);
  const secret = await secretOf(taker);
  const take = (dynamicResponses = {}) => linked("POST", "/links/guest", secret, { dynamicResponses });
  expect(await take()).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
  await stage.changeEvent(id, { nonBizTechAllowed: false });
  expect(await take({ q: "x" })).toMatchObject({ status: 403, body: { code: "MEMBERS_ONLY" } });
  await stage.changeEvent(id, { nonBizTechAllowed: true, isCompleted: true });
  expect(await take({ q: "x" })).toMatchObject({ status: 409, body: { code: "EVENT_CLOSED" } });
  await stage.changeEvent(id, { isCompleted: false });
  expect(await take({ q: "x" })).toMatchObject({
    status: 201,
    body: { registration: { dynamicResponses: { q: "x" } } },
  });
});

test("an offer is in the named person's export, and goes with a deletion; the giver keeps the seat", async () => {
  const { id, giver, taker, named } = await givenSeat();
  await offer(id, giver, named);
  const secret = await secretOf(taker);
  const kept = async () => (await stage.stored(`OFFERS#${id}#${year}`)).length;
  const exported = await stage.api("GET", `/users/${taker}/export`, { as: exec });
  expect(JSON.stringify(exported.body)).toContain("offer of a seat");
  expect((await stage.api("DELETE", `/users/${taker}`, { as: exec })).status).toBe(200);
  await stage.settled();
  expect(await kept()).toBe(0);
  expect((await linked("POST", "/links/guest", secret, {})).status).toBe(401);
  expect(await stage.statusOf(id, giver)).toBe("registered");
});
