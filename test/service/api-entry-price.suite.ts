/**
 * When an event becomes members-only, a person without a membership who was let in before keeps the price of that time
 * (`docs/contract.md`, "Moves of a registration").
 */
import { beforeAll, expect, test } from "@jest/globals";
import { ada } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const [first, guest] = ["first@guest.example", "guest@guest.example"] as const;
const open = { members: 5, nonMembers: 20 };

const change = async (id: string, changes: object) => expect((await stage.changeEvent(id, changes)).status).toBe(200);

test("a guest who joined the line at 20 dollars is promoted, asked for 20, and confirmed by paying it", async () => {
  await stage.givenEvent({ id: "gala", capac: 1, pricing: open });
  expect((await stage.register("gala", first, ada)).body.registrationStatus).toBe("incomplete");
  expect((await stage.register("gala", guest, ada)).body.registrationStatus).toBe("waitlist");
  await change("gala", { pricing: { members: 5 }, nonBizTechAllowed: false });

  expect(await stage.eventCheckout("gala", first)).toMatchObject({ amount_total: 2_000 });
  expect((await stage.moveTo("gala", first, "cancelled", first)).status).toBe(200);
  expect(await stage.registrationOf("gala", guest, guest)).toMatchObject({ registrationStatus: "incomplete" });
  const session = await stage.eventCheckout("gala", guest);
  expect(session.amount_total).toBe(2_000);
  expect(await stage.register("gala", guest, ada)).toMatchObject({
    status: 200,
    body: { registrationStatus: "incomplete" },
  });
  stage.payments.pay(session.id);
  await stage.settled();
  const registration = await stage.registrationOf("gala", guest, guest);
  expect(registration).toMatchObject({ registrationStatus: "registered" });
  expect(registration).not.toHaveProperty("entryPrice");
});

test("a PUT that registers cancelled guests again is refused as a POST is, and answers once more when sent twice", async () => {
  await stage.givenEvent({ id: "ball", capac: 3, pricing: open });
  for (const person of [first, guest]) {
    await stage.register("ball", person, ada);
    expect((await stage.moveTo("ball", person, "cancelled", person)).status).toBe(200);
  }
  const again = await Promise.all([1, 2, 3, 4].map(() => stage.moveTo("ball", first, "incomplete", first)));
  for (const { status, body } of again) {
    const registration = expect.objectContaining({ id: first, registrationStatus: "incomplete" });
    expect({ status, body }).toMatchObject(
      status === 200 ? { body: { registration } } : { status: 409, body: { code: "DUPLICATE", registration } },
    );
  }
  expect(again.map(({ status }) => status)).toContain(200);
  await change("ball", { pricing: { members: 5 }, nonBizTechAllowed: false });
  expect(await stage.moveTo("ball", guest, "incomplete", guest)).toMatchObject({
    status: 403,
    body: { code: "MEMBERS_ONLY" },
  });
});
