/** What people who come along cost, and what is refunded for those who do not (`docs/contract.md`, "Plus-ones"). */
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import type { Payment } from "#domain/payments/record/payment.ts";
import { emailOf, givenGala, type Message } from "./gala.ts";
import { eventRecord, registrationRecord } from "./given.ts";

const { amountOwed } = await import("#domain/events/pricing.ts");
const { isPresentPrice, purposeFor } = await import("#domain/payments/checkout/amount-owed.ts");
const { afterGivingUp, restOf, sumsOf, undecidedOf, withKept, withReservation } = await import(
  "#domain/payments/record/payment.ts"
);
const { waitsFor } = await import("#domain/payments/record/waits-for.ts");
const { requireRefund } = await import("#domain/payments/refunds/require-refund.ts");
const { settle } = await import("#domain/payments/settling/settle-registration.ts");
const { leave } = await import("#domain/registrations/leave.ts");
const { paysFor } = await import("#domain/registrations/promote.ts");
const { assertPaidFor } = await import("#domain/registrations/record/handing-on.ts");
const { refundOf } = await import("#domain/registrations/record/transition.ts");
const { seatSettings } = await import("#domain/events/seat-settings.ts");
const { paymentKey, readPayment } = await import("#domain/payments/record/payment-store.ts");

afterEach(() => {
  jest.restoreAllMocks();
});

const named = (names: string) => [...names].map((fname) => ({ fname, ticketId: `ticket of ${fname}` }));
const only = (names: string) => [...names].map((fname) => ({ fname }));
const key = { id: "gala", year: 2030 };
const members = { nonBizTechAllowed: false };

describe("each costs what a non-member pays, whoever brings them", () => {
  test.each<[string, object, boolean, object, number, number]>([
    ["a member", { pricing: { member: 5, nonMember: 10 } }, true, {}, 500, 2_500],
    ["another person", { pricing: { member: 5, nonMember: 10 } }, false, {}, 1_000, 3_000],
    ["for members it is free", { pricing: { member: 0, nonMember: 10 } }, true, {}, 0, 2_000],
    ["a code is for the own seat", { pricing: { member: 5, nonMember: 10 } }, false, { agreedPrice: 0 }, 0, 2_000],
    ["a closed event", { ...members, pricing: { member: 5, nonMember: 10 } }, true, {}, 500, 2_500],
    [
      "a closed event without a price for others",
      { ...members, pricing: { member: 5, nonMember: 0 } },
      true,
      {},
      500,
      1_500,
    ],
    ["a free event", {}, false, {}, 0, 0],
    ["non-members pay nothing", { pricing: { member: 5, nonMember: 0 } }, true, {}, 500, 500],
  ])("%s", (_, fields, isMember, admitted, alone, withTwo) => {
    const event = eventRecord(fields);
    expect(amountOwed(event, { isMember }, admitted)).toBe(alone);
    expect(amountOwed(event, { isMember }, { ...admitted, plusOnes: named("bc") })).toBe(withTwo);
    const place = { isPartner: false, ...admitted };
    expect(paysFor(seatSettings(event), place, isMember)).toBe(alone > 0);
    expect(paysFor(seatSettings(event), { ...place, brings: 2 }, isMember)).toBe(withTwo > 0);
  });
});

test("money for another number of people is not what is asked for, even if the sum is", () => {
  const event = eventRecord({ pricing: { member: 0, nonMember: 10 } });
  const [two, one] = [named("bc"), named("b")].map((plusOnes) =>
    registrationRecord({ status: "incomplete", plusOnes }),
  );
  // A member with two people, and another person with one.
  expect([isPresentPrice(event, two as never, 2_000, 2), isPresentPrice(event, one as never, 2_000, 2)]).toEqual([
    true,
    false,
  ]);
  expect(purposeFor(key, one as never)).toMatchObject({ plusOnes: 1 });
  expect(purposeFor(key, registrationRecord())).not.toHaveProperty("plusOnes");
});

describe("a refund", () => {
  const paid = { amount: 2_500, currency: "CAD" };
  const seatPrices = { own: 500, plusOne: 1_000 };
  const before = registrationRecord({ plusOnes: named("bc"), paidBy: "p", paid, seatPrices });
  const left = { ...before, status: "cancelled", plusOnes: named("bc") } as const;

  test.each<[string, object, object, object | undefined]>([
    ["of all when the group leaves", before, left, { reason: "registration ended", amount: 2_500 }],
    ["of two", before, { ...before, plusOnes: undefined }, { reason: "fewer come", amount: 2_000, keeps: 500 }],
    ["of one", before, { ...before, plusOnes: named("b") }, { reason: "fewer come", amount: 1_000, keeps: 1_500 }],
    ["of none while all come", before, { ...before, points: 3 }, undefined],
    [
      "of none if nothing was paid for them",
      { ...before, seatPrices: undefined },
      { ...before, plusOnes: [] },
      undefined,
    ],
    [
      "not of who has come",
      { ...before, plusOnes: [{ ...named("b")[0], checkedInAt: 5 }, named("c")[0]] },
      left,
      { reason: "registration ended", keeps: 1_000 },
    ],
    [
      "of who is missing beside a person who came",
      { ...before, status: "checkedIn" },
      { ...before, status: "checkedIn", plusOnes: [] },
      { keeps: 500 },
    ],
    [
      "of all when the own seat is free",
      { ...before, seatPrices: { own: 0, plusOne: 1_000 } },
      { ...before, paidBy: undefined, plusOnes: undefined },
      { reason: "fewer come" },
    ],
  ])("%s", (_, was, is, data) => {
    const refund = refundOf(was as never, is as never, false)?.data;
    expect(refund).toEqual(data && expect.objectContaining(data));
    if (data && !("keeps" in data)) expect(refund).not.toHaveProperty("keeps");
  });

  test("a seat whose others are gone counts for its own price when it is handed on", () => {
    const own = registrationRecord({ paidBy: "p", paid, seatPrices });
    expect(() => assertPaidFor(own, 500)).not.toThrow();
    expect(() => assertPaidFor(own, 501)).toThrow();
  });
});

describe("what has to go back by rule", () => {
  const payment = {
    paymentId: "p",
    email: "a@x",
    money: { amount: 6_000, currency: "CAD" },
    as: "seat",
    purpose: { kind: "membership" },
    settledAt: 1,
    version: 1,
  } as const;
  const step = (keeps: number) => ({ keeps, price: 1_000 });

  test("the seats that were given up, exactly, for every order of the reports, and then the rest", () => {
    const orders = fc.shuffledSubarray([5_000, 4_000, 3_000], { minLength: 3 });
    fc.assert(
      fc.property(orders, fc.boolean(), (order, isSent) => {
        const known = order.reduce<Payment>((before, keeps) => {
          const { amount, owing } = afterGivingUp(before, step(keeps));
          expect(amount).toBe(1_000);
          return (isSent ? withReservation(owing, `${keeps}`, { amount, at: keeps }) : owing) as Payment;
        }, payment);
        expect([sumsOf(known).open, known.owed, known.keeps]).toEqual([3_000, 3_000, 3_000]);
        expect(afterGivingUp(known, step(5_000)).owing.owed).toBe(3_000);
        expect(sumsOf(afterGivingUp(known, {}).owing).open).toBe(6_000);
      }),
    );
  });

  test("less was taken than was asked for: what is left over the price of the others goes back", () => {
    const taken = {
      ...payment,
      money: { amount: 4_500, currency: "CAD" },
      price: 6_000,
      byHand: { how: "cash", by: "e" },
    } as const;
    expect(restOf(taken)).toBe(1_500);
    const once = afterGivingUp(taken, step(5_000));
    expect([once.amount, restOf(once.owing)]).toEqual([0, 500]);
    const twice = afterGivingUp(once.owing, step(4_000));
    expect([twice.amount, restOf(twice.owing), twice.owing.owed]).toEqual([500, 0, 500]);
  });

  test("but what the treasurer has decided to keep of seats that were given up", () => {
    const late = { ...afterGivingUp(payment, step(5_000)).payment, review: "late", givenUp: ["b"] } as const;
    const kept = withKept(late, { amount: 1_000, at: 5, by: "e", reason: "late" });
    expect(sumsOf(kept).open).toBe(0);
    const again = { ...afterGivingUp(kept, step(4_000)).payment, review: "late" } as const;
    expect([undecidedOf(late), undecidedOf(again)]).toEqual([1_000, 1_000]);
    const all = afterGivingUp(kept, {});
    expect([all.amount, sumsOf(all.owing).open]).toEqual([5_000, 5_000]);
    // A report that comes late adds nothing.
    expect(afterGivingUp(all.owing, step(4_000)).owing).toEqual(all.owing);
  });

  test("the treasurer decides about the part that was given up late", () => {
    const { payment: listed } = afterGivingUp(payment, step(5_000));
    expect(waitsFor({ ...listed, review: "late" })).toBe(
      "Cancelled late: refund 10.00 CAD, or keep 10.00 CAD with a reason.",
    );
  });
});

const pricing = { member: 5, nonMember: 10 };
const context = (gala: ReturnType<typeof givenGala>, actor = "exec@club.example") => {
  const id = `${Math.random()}`;
  return {
    now: gala.now(),
    actor,
    requestId: id,
    queueKey: `${gala.now()}#${id}`,
    deadline: Number.POSITIVE_INFINITY,
    newId: () => id,
  };
};
const lastOf = (gala: ReturnType<typeof givenGala>, name: string, type: string) =>
  gala.messageOf(name).findLast(({ detailType }) => detailType === type) as Message & {
    detail: { data: object; metadata: { id: string; occurredAt?: number } };
  };

async function givenPaid(amount = 3_000, plusOnes = only("bc")) {
  const gala = givenGala({ capac: 3, plusOnes: 3, pricing });
  const { registration } = await gala.register("ada", { plusOnes });
  const { queueKey, email } = registration;
  const pay = (money = amount, count = plusOnes.length, transfer: { paymentIntent?: string } = {}) =>
    settle(
      {
        email,
        event: key,
        queueKey,
        paymentId: `cs_${money}_${count}`,
        plusOnes: count,
        money: { amount: money, currency: "CAD", ...transfer },
      },
      context(gala),
    );
  return { gala, pay };
}

test("one hold, one payment of the whole sum; half of it, or for fewer people, gives no seat", async () => {
  const { gala, pay } = await givenPaid();
  expect(gala.registrationOf("ada")).toMatchObject({ status: "incomplete", holdExpiresAt: expect.any(Number) });
  expect(gala.seats()).toMatchObject({ seats: 3, incomplete: 3 });
  expect([await pay(1_000), await pay(2_000), await pay(3_000, 1)]).toEqual(["refund", "refund", "refund"]);
  expect(await pay()).toBe("seat");
  expect(await pay()).toBe("seat");
  expect(gala.registrationOf("ada")).toMatchObject({
    status: "registered",
    seatPrices: { own: 1_000, plusOne: 1_000 },
  });
  expect(gala.seats()).toMatchObject({ seats: 3, registered: 3, incomplete: 0 });
});

test("the end of the hold gives back all seats at once, and late money takes all of them or none", async () => {
  const { gala, pay } = await givenPaid();
  const expire = () =>
    leave({ email: emailOf("ada"), event: key, to: "cancelled", origin: "clock/hold" }, context(gala, "system"));
  await expire();
  expect(gala.seats()).toMatchObject({ seats: 0, incomplete: 0 });
  await gala.register("eve");
  expect(await pay()).toBe("refund");
  await gala.become("eve", "cancelled");
  const other = await givenPaid();
  await leave(
    { email: emailOf("ada"), event: key, to: "cancelled", origin: "clock/hold" },
    context(other.gala, "system"),
  );
  expect(await other.pay()).toBe("seat");
  expect(other.gala.seats()).toMatchObject({ seats: 3, registered: 3 });
});

test("fewer come before it is paid: the price is that of those left, and nothing to pay confirms", async () => {
  const { gala, pay } = await givenPaid();
  await gala.amend("ada", { plusOnes: only("b") }, "self/account");
  expect(gala.seats()).toMatchObject({ seats: 2, incomplete: 2 });
  expect(lastOf(gala, "ada", "registration.updated").detail.data).toMatchObject({
    followUps: ["promote", "closeCheckout"],
  });
  expect(await pay()).toBe("refund");
  expect(await pay(2_000, 1)).toBe("seat");

  const free = givenGala({ capac: 3, plusOnes: 3, pricing: { member: 0, nonMember: 10 } });
  free.givenMember("ada");
  expect((await free.register("ada", { plusOnes: only("b") })).registration.status).toBe("incomplete");
  await free.amend("ada", { plusOnes: [] }, "self/account");
  expect(free.registrationOf("ada")).toMatchObject({ status: "registered" });
  expect(free.registrationOf("ada")).not.toHaveProperty("holdExpiresAt");
  expect(free.seats()).toMatchObject({ seats: 1, registered: 1, incomplete: 0 });
});

test("nobody is left out while money for all is under way", async () => {
  const { gala } = await givenPaid();
  gala.remember("ada", { moneyUnderWay: { checkoutId: "c", heldUntil: 1 } });
  await expect(gala.amend("ada", { plusOnes: [] }, "self/account")).rejects.toThrow("under way");
});

test.each([
  ["in time", undefined, "self/account", 1_000, undefined],
  ["late", "2020-01-01T00:00:00.000Z", "self/account", 0, "late"],
  ["late, by an executive", "2020-01-01T00:00:00.000Z", "admin/desk", 1_000, undefined],
] as const)("fewer come after it is paid, %s", async (_, refundUntil, origin, sent, review) => {
  const { gala, pay } = await givenPaid();
  gala.change({ refundUntil } as never);
  await pay();
  await gala.amend("ada", { plusOnes: only("b") }, origin);
  expect(gala.seats()).toMatchObject({ seats: 2, registered: 2 });
  const { data } = lastOf(gala, "ada", "payment.refundRequired").detail;
  const required = { id: "step", data: data as never, occurredAt: gala.now() };
  for (let times = 0; times < 2; times += 1) await requireRefund(required, "by hand", context(gala));
  const payment = await readPayment("cs_3000_2");
  expect(payment).toMatchObject({ keeps: 2_000, ...(review ? { review } : { owed: sent }) });
  expect(sumsOf(payment as never)).toMatchObject({ came: 3_000, open: sent });
});

test("the last of them is left out of a seat that is free for the person: nothing is paid for it any more", async () => {
  const gala = givenGala({ capac: 3, plusOnes: 3, pricing: { member: 0, nonMember: 10 } });
  gala.givenMember("ada");
  const { registration } = await gala.register("ada", { plusOnes: only("b") });
  const money = { amount: 1_000, currency: "CAD" };
  await settle(
    { email: emailOf("ada"), event: key, queueKey: registration.queueKey, paymentId: "cs", plusOnes: 1, money },
    context(gala),
  );
  // The treasurer has refunded it before, and she comes all the same.
  gala.remember("ada", { refunded: true });
  await gala.amend("ada", { plusOnes: [] }, "self/account");
  expect(gala.registrationOf("ada").paidBy).toBeUndefined();
  expect(gala.registrationOf("ada")).not.toHaveProperty("refunded");
  expect(lastOf(gala, "ada", "payment.refundRequired").detail.data).toMatchObject({
    amount: 1_000,
    reason: "fewer come",
  });
  await gala.become("ada", "cancelled");
  expect(gala.messageOf("ada").filter(({ detailType }) => detailType === "payment.refundRequired")).toHaveLength(1);
  expect(gala.table.peek(paymentKey("cs") as never)).toMatchObject({ purpose: { plusOnes: 1 } });
});

describe("what is stored", () => {
  const stored = (gala: ReturnType<typeof givenGala>, name: string) =>
    gala.table.peek({ PK: `USER#${emailOf(name)}`, SK: "REG#gala#2030" } as never);

  test("of a group that has paid: the prices of its seats, and for how many the payment is", async () => {
    const { gala, pay } = await givenPaid();
    await pay();
    expect(stored(gala, "ada")).toMatchObject({ paidBy: "cs_3000_2", seatPrices: { own: 1_000, plusOne: 1_000 } });
    const payment = gala.table.peek(paymentKey("cs_3000_2") as never);
    expect(payment).toMatchObject({ purpose: { kind: "event", event: key, plusOnes: 2 } });
    await gala.amend("ada", { plusOnes: only("b") }, "admin/desk");
    const { data } = lastOf(gala, "ada", "payment.refundRequired").detail;
    await requireRefund({ id: "step", data: data as never, occurredAt: gala.now() }, "automatic", context(gala));
    expect(gala.table.peek(paymentKey("cs_3000_2") as never)).toMatchObject({
      ...{ keeps: 2_000, owed: 1_000, givenUp: ["step"] },
      money: { amount: 3_000, currency: "CAD" },
    });
  });

  test("of who comes alone, at such an event, too: nothing of it", async () => {
    const gala = givenGala({ capac: 3, plusOnes: 3, pricing });
    const { registration } = await gala.register("ada");
    const { queueKey, email } = registration;
    const money = { amount: 1_000, currency: "CAD" };
    expect(await settle({ email, event: key, queueKey, paymentId: "cs", money }, context(gala))).toBe("seat");
    expect(stored(gala, "ada")).not.toHaveProperty("seatPrices");
    const { purpose } = gala.table.peek(paymentKey("cs") as never) as never as Payment;
    expect(purpose).toEqual({ kind: "event", event: key, queueKey });
    await gala.become("ada", "cancelled");
    const { data } = lastOf(gala, "ada", "payment.refundRequired").detail;
    expect(data).not.toHaveProperty("keeps");
    await requireRefund({ id: "all", data: data as never, occurredAt: gala.now() }, "by hand", context(gala));
    const payment = gala.table.peek(paymentKey("cs") as never);
    expect(payment).toMatchObject({ owed: 1_000 });
    for (const name of ["keeps", "givenUp"]) expect(payment).not.toHaveProperty(name);
  });
});

test("a report that is delivered again adds nothing, while the treasurer decides about an earlier one", async () => {
  const { gala, pay } = await givenPaid();
  gala.change({ refundUntil: "2020-01-01T00:00:00.000Z" } as never);
  await pay();
  const delivering = async (id: string) => {
    const { data } = lastOf(gala, "ada", "payment.refundRequired").detail;
    const required = { id, data: data as never, occurredAt: gala.now() };
    return () => requireRefund(required, "by hand", context(gala));
  };
  await gala.amend("ada", { plusOnes: only("b") }, "self/account");
  const late = await delivering("late");
  await gala.amend("ada", { plusOnes: [] }, "admin/desk");
  const owed = await delivering("owed");
  for (const deliver of [late, owed, owed, late, owed]) await deliver();
  const payment = (await readPayment("cs_3000_2")) as Payment;
  expect(payment).toMatchObject({ review: "late", owed: 1_000, keeps: 1_000, givenUp: ["late", "owed"] });
});

test("the treasurer and the person hear of what goes back now, not of all that was paid", async () => {
  const { gala, pay } = await givenPaid();
  await pay(3_000, 2, { paymentIntent: "pi_1" });
  await gala.amend("ada", { plusOnes: only("b") }, "admin/desk");
  const require = async (id: string, mode: "automatic" | "by hand") => {
    const { data } = lastOf(gala, "ada", "payment.refundRequired").detail;
    await requireRefund({ id, data: data as never, occurredAt: gala.now() }, mode, context(gala));
  };
  await require("step", "automatic");
  await gala.become("ada", "cancelled", "admin");
  await require("all", "by hand");
  expect(lastOf(gala, "ada", "payment.refundByHand").detail.data).toMatchObject({ amount: 2_000, because: "stage" });
});
