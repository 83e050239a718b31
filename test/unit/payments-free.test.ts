/**
 * Held seats that cost nothing any more, of people who confirm them or ask to pay (`docs/contract.md`, "Moves of a
 * registration" and "Payments"): given on the condition that the price is the one that was read.
 */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { ticketHashOf } from "#domain/registrations/links/ticket-code.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { systemContext } from "#kit/request/context.ts";
import { writesOf } from "../model/table.ts";
import "./environment.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "./given.ts";
import { email, eventKey as event, start as now, PaymentsWorld } from "./payments-world.ts";

const { amend } = await import("#domain/registrations/amend/amend.ts");
const { confirmUnpaid } = await import("#domain/payments/checkout/confirm-free.ts");

const context = { ...systemContext("r", now), actor: email };
let world: PaymentsWorld;
beforeEach(() => {
  world = new PaymentsWorld();
});

function givenPrice(nonMember: number, termsVersion = 1): void {
  const terms = { termsVersion, version: termsVersion, pricing: { member: 0, nonMember } };
  const record = eventRecord({ ...terms, isApplicationBased: true });
  world.put(eventItem(record));
  world.put(seatsItem(record, { seats: 1, incomplete: 1, accepted: 1 }));
}
const given = (status: RegistrationRecord["status"], more: Partial<RegistrationRecord> = {}) =>
  world.put(registrationItem({ email, status, applicationBased: true, holdExpiresAt: now + 3_600_000, ...more }));
const pay = () => world.pay();
/** What follows a change of the price. */
const reprice = () => confirmUnpaid(email, event, systemContext("r", now));
const put = (registrationStatus: string) =>
  amend({ email, event, origin: "self/account", amendment: { registrationStatus } }, context);

describe("a free seat that another request registers anew before it is confirmed", () => {
  const replaced = () => {
    given("acceptedPending");
    world.beforeWrite = () => given("acceptedPending", { ticketId: "another", version: 2 });
  };

  test("is not confirmed by the link to the former registration", async () => {
    givenPrice(0);
    replaced();
    const linked = { ticketHash: ticketHashOf("t") };
    await expect(world.pay(undefined, { linked })).rejects.toMatchObject({
      message: "This link is not valid (any more).",
    });
    expect(world.registration).toMatchObject({ status: "acceptedPending", version: 2 });
  });

  test("control: is confirmed by the person who is signed in", async () => {
    givenPrice(0);
    replaced();
    await pay();
    expect(world.registration).toMatchObject({ status: "acceptedComplete", version: 3 });
  });
});

describe.each([
  ["incomplete, and becomes registered", "incomplete", "registered", () => put("registered")],
  ["acceptedPending, and is confirmed", "acceptedPending", "acceptedComplete", () => put("acceptedComplete")],
  ["acceptedPending, and asks to pay", "acceptedPending", "acceptedComplete", pay],
  ["incomplete, when the price falls to 0", "incomplete", "registered", reprice],
  ["acceptedPending, when the price falls to 0", "acceptedPending", "acceptedComplete", reprice],
] as const)("a person who is %s", (_, from, to, ask) => {
  test("has the seat without payment, and link and hold are removed", async () => {
    givenPrice(0);
    given(from, { checkoutLink: "https://pay.example/1", heldWithoutCheckout: now });
    await ask();
    expect(world.registration).toMatchObject({ status: to, version: 2 });
    for (const gone of ["holdExpiresAt", "checkoutLink", "heldWithoutCheckout"])
      expect(world.registration).not.toHaveProperty(gone);
  });

  test.each([
    ["while it costs something", 5, () => undefined],
    ["when it gets a price before the write", 0, () => givenPrice(5, 2)],
  ])("has to pay %s", async (_name, price, happens) => {
    givenPrice(price);
    given(from);
    world.beforeWrite = happens;
    await ask().catch((error: unknown) =>
      expect((error as { code: string }).code).toBe(from === "incomplete" ? "FORBIDDEN" : "ILLEGAL_TRANSITION"),
    );
    expect(world.registration?.status).toBe(from);
    expect(world.sessions).toHaveLength(ask === pay ? 1 : 0);
  });

  test("control: would get it if the write did not demand the price that was read", async () => {
    givenPrice(0);
    given(from);
    world.beforeWrite = (command) => {
      givenPrice(5, 2);
      for (const write of writesOf(command)) {
        if (!write.ConditionExpression?.includes(" AND termsVersion = :termsVersion")) continue;
        write.ConditionExpression = write.ConditionExpression.replace(" AND termsVersion = :termsVersion", "");
        const { ":termsVersion": _version, ...values } = write.ExpressionAttributeValues ?? {};
        write.ExpressionAttributeValues = values;
      }
    };
    await ask();
    expect(world.registration?.status).toBe(to);
  });
});

test.each([
  ["is not decided yet", 5, "registered", { applicant: true, holdExpiresAt: undefined }, "registered"],
  ["was accepted while it cost nothing", 5, "accepted", {}, "acceptedComplete"],
  ["has been confirmed", 0, "acceptedComplete", {}, "acceptedComplete"],
] as const)(
  "an application that %s pays nothing, and is answered as if it had",
  async (_, price, status, more, becomes) => {
    givenPrice(price);
    given(status, more);
    expect(await pay()).toBe("https://app.club.example/paid");
    expect([world.registration?.status, world.sessions]).toEqual([becomes, []]);
  },
);

test.each([
  ["incomplete", {}],
  ["acceptedComplete", { paidBy: "cs_0" }],
] as const)("a free registration that is %s has nothing to pay: %j", async (status, more) => {
  givenPrice(0);
  given(status, more);
  await expect(pay()).rejects.toMatchObject({ code: "NOTHING_TO_PAY" });
  expect(world.registration).toMatchObject({ status, version: 1 });
});
