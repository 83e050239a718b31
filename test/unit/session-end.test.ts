/** What the end of a checkout's session does to an unpaid seat, and money under way (`docs/design.md`, "Payments"). */
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { eventItem, eventRecord, registrationItem, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { awaitMoney, endOfSession, forgetCheckout } = await import("#domain/payments/checkout/session-end.ts");

const now = 1_800_000_000_000;
const minutes = 60_000;
const days = 24 * 60 * minutes;
const email = "ada@unit.example";
const registrationKey = { PK: `USER#${email}`, SK: "REG#gala#2030" };
const checkout = {
  ...{ email, event: { id: "gala", year: 2030 }, id: "c1", queueKey: "w", url: "https://pay.example/1" },
  expiresAt: now - 2 * minutes,
};
/** End of a hold that was only for the session. */
const heldForSession = now;

let table: MemoryTable;
beforeEach(() => {
  table = new MemoryTable();
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
});

/** An unpaid seat with the page of the checkout. */
function given(more: Partial<RegistrationRecord> = {}, startsAt = now + 100 * days): void {
  const event = eventRecord({ pricing: { member: 5, nonMember: 10 } });
  table.seed(eventItem(event));
  table.seed(seatsItem(event, { seats: 1, incomplete: 1, startsAt }) as never);
  const held = { status: "incomplete", holdExpiresAt: heldForSession, checkoutLink: checkout.url } as const;
  table.seed(JSON.parse(JSON.stringify(registrationItem({ email, ...held, ...more }))));
}
const stored = () => registrationIn(table.peek(registrationKey) as never);
const context = () => systemContext("event", now);

const later: Partial<RegistrationRecord> = { holdExpiresAt: now + 5 * minutes };
const underWay = { checkoutId: "c1", heldUntil: now + 1 * minutes };
const others: readonly [string, Partial<RegistrationRecord>][] = [
  ["the page of a later checkout", { ...later, checkoutLink: "https://pay.example/2" }],
  ["another place in line", { ...later, queueKey: "later" }],
  ["no unpaid seat any more", { status: "registered", holdExpiresAt: undefined }],
];

describe("a checkout that is over", () => {
  test("is forgotten by the registration that waits for it, and its hold stays", async () => {
    given(later);
    await forgetCheckout(checkout, context());
    expect(stored()).toMatchObject({ holdExpiresAt: later.holdExpiresAt, version: 2, updatedAt: now });
    expect(stored().checkoutLink).toBeUndefined();
  });

  test("whose money was under way gives back the hold without it, also without a page", async () => {
    given({ ...later, checkoutLink: undefined, moneyUnderWay: underWay });
    await forgetCheckout(checkout, context());
    expect(stored()).toMatchObject({ holdExpiresAt: underWay.heldUntil, version: 2 });
    expect(stored().moneyUnderWay).toBeUndefined();
  });

  test.each([
    ...others,
    ["neither page nor money", { ...later, checkoutLink: undefined }],
    [
      "money of another checkout",
      { ...later, checkoutLink: undefined, moneyUnderWay: { ...underWay, checkoutId: "c2" } },
    ],
  ] as typeof others)("changes nothing of a registration with %s", async (_, more) => {
    given(more);
    await forgetCheckout(checkout, context());
    expect(stored().version).toBe(1);
  });

  test("is of nothing where the registration is gone", async () => {
    await forgetCheckout(checkout, context());
    await endOfSession(checkout, context());
    expect(table.all()).toEqual([]);
  });
});

describe("the end of a session", () => {
  test.each<[string, Partial<RegistrationRecord>]>([
    ["was held for the session only", {}],
    ["was held for less than the session", { holdExpiresAt: now - 1 }],
    [
      "is held longer only for the money that did not come",
      { ...later, moneyUnderWay: { ...underWay, heldUntil: now } },
    ],
    ["has no page any more", { checkoutLink: undefined }],
  ])("ends a seat that %s", async (_, more) => {
    given(more);
    await endOfSession(checkout, context());
    expect(stored()).toMatchObject({ status: "cancelled" });
  });

  test.each<[string, Partial<RegistrationRecord>]>([
    ["a millisecond longer", { holdExpiresAt: now + 1 }],
    ["longer without the money", { holdExpiresAt: now - 1, moneyUnderWay: underWay }],
  ])("leaves a seat that is held %s to another session", async (_, more) => {
    given(more);
    await endOfSession(checkout, context());
    expect(stored().status).toBe("incomplete");
    expect(stored().checkoutLink).toBeUndefined();
  });

  test("counts from the session's end and two minutes when its event is early", async () => {
    given({ holdExpiresAt: now + 2 * minutes });
    await endOfSession({ ...checkout, expiresAt: now }, context());
    expect(stored().status).toBe("cancelled");
  });

  test.each(others)("changes nothing of a registration with %s", async (_, more) => {
    given(more);
    await endOfSession(checkout, context());
    expect([stored().version, stored().status]).toEqual([1, more.status ?? "incomplete"]);
  });
});

describe("money that is under way", () => {
  test("holds the seat for ten days, and remembers the hold without it", async () => {
    given(later);
    await awaitMoney(checkout, context());
    expect(stored()).toMatchObject({
      ...{ holdExpiresAt: now + 10 * days, checkoutLink: checkout.url, version: 2 },
      moneyUnderWay: { checkoutId: "c1", heldUntil: later.holdExpiresAt },
    });
  });

  test("holds it at most until the event begins", async () => {
    given(later, now + 3 * days);
    await awaitMoney(checkout, context());
    expect(stored().holdExpiresAt).toBe(now + 3 * days);
  });

  test.each([
    ...others,
    ["no page, because the payment has failed already", { ...later, checkoutLink: undefined }],
    ["this money under way", { ...later, moneyUnderWay: underWay }],
  ] as typeof others)("changes nothing of a registration with %s", async (_, more) => {
    given(more);
    await awaitMoney(checkout, context());
    expect(stored().version).toBe(1);
  });

  test("of another checkout of the same page's registration is another one", async () => {
    given({ ...later, moneyUnderWay: { ...underWay, checkoutId: "c0" } });
    await awaitMoney(checkout, context());
    expect(stored().moneyUnderWay?.checkoutId).toBe("c1");
  });
});
