/** Who left seats empty waits behind others, and sees it before (`docs/contract.md`, "No-shows"). */
import { beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const seen = async (id: string, as: string) => (await stage.api("GET", `/events/${id}/${year}`, { as })).body;
const forgive = (email: string, as = exec) => stage.api("POST", `/users/${email}/forgive`, { as, body: {} });

test("a person with three no-shows sees it before, waits behind who comes later, and an executive forgives", async () => {
  const [holder, late, other] = [newEmail(), newEmail(), newEmail()];
  await stage.givenNoShows(late);
  const id = await stage.givenEventWith([holder], { capac: 1, noShowsWait: true });
  expect(await seen(id, late)).toMatchObject({ noShowsWait: true, behindOthers: true });
  expect(await seen(id, other)).not.toHaveProperty("behindOthers");
  const usual = await stage.givenEvent();
  expect(await seen(usual, late)).not.toHaveProperty("behindOthers");

  const waiting = await stage.register(id, late);
  expect(waiting).toMatchObject({
    status: 201,
    body: {
      message: expect.stringContaining("behind everyone else"),
      registration: { behindOthers: true, waitlistPosition: 1 },
    },
  });
  expect((await stage.register(id, other)).body.registration).toMatchObject({ waitlistPosition: 1 });
  expect(await stage.registrationOf(id, late, late)).toMatchObject({ behindOthers: true, waitlistPosition: 2 });
  await stage.settled();
  const tells = (email: string) =>
    stage.mailsTo(email).some(({ body }) => body.text?.includes("everyone else goes first"));
  expect([late, other].map(tells)).toEqual([true, false]);
  await stage.leave(id, holder);
  expect([await stage.statusOf(id, other), await stage.statusOf(id, late)]).toEqual(["registered", "waitlist"]);

  expect((await forgive(late, late)).status).toBe(403);
  expect(await forgive(late)).toMatchObject({
    status: 200,
    body: { message: "3 no-shows are forgiven.", forgiven: 3 },
  });
  expect((await forgive(late)).body).toEqual({ message: "There is nothing to forgive.", forgiven: 0 });
  expect(await seen(id, late)).not.toHaveProperty("behindOthers");
  const { records } = (await stage.api("GET", `/users/${late}/export`, { as: late })).body;
  expect(records).toMatchObject({
    "forgiven no-shows": [{ forgivenAt: expect.any(Number) }],
    "place in line": [{ email: late }],
    registration: expect.arrayContaining([expect.objectContaining({ behindOthers: true })]),
  });
});

test("a guest sees it in the last step, by the link that shows the address", async () => {
  const email = newEmail();
  await stage.givenNoShows(email);
  const id = await stage.givenEventWith([newEmail()], { capac: 1, noShowsWait: true, guests: "everyone" });
  await stage.api("POST", `/events/${id}/${year}/guests`, { body: { email, fname: "Grace" } });
  await stage.settled();
  const headers = { authorization: `Link ${stage.secretTo(email, "/guest")}` };
  expect((await stage.api("GET", "/links/guest", { headers })).body).toMatchObject({ behindOthers: true });
  const waiting = await stage.api("POST", "/links/guest", { headers, body: {} });
  expect(waiting.body.registration).toMatchObject({ registrationStatus: "waitlist", behindOthers: true });
});

test("an event with applications does not take it", async () => {
  const both = await stage.createEvent({ noShowsWait: true, isApplicationBased: true });
  expect(both).toMatchObject({ status: 400, body: { code: "VALIDATION", issues: [{ path: "/noShowsWait" }] } });
});
