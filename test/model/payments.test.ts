/**
 * Payments in every order of the provider's events, with a death at every call, and with each protection taken out
 * once.
 */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw, runs } from "../seeds.ts";
import { type KnownCheckout, type Message, minutes, PaymentWorld, product } from "./payment-world.ts";
import { writesOf } from "./table.ts";
import { type Call, type Interference, settle } from "./world.ts";

const [a, b] = ["a@model.example", "b@model.example"];
const membership = { kind: "membership", form: { firstName: "Ada", lastName: "Lovelace" } };
const scheduler = fc.scheduler({ act: settle });
const anyOrder = (): fc.Scheduler => draw(scheduler);

const paid = (checkout: KnownCheckout): Message => ({ type: "completed", checkout });
const siblings = (checkout: KnownCheckout): Message[] => [
  { type: "completed", checkout },
  { type: "async_payment_succeeded", checkout },
  { type: "expired", checkout },
  { type: "async_payment_failed", checkout },
];

/** A person has a held seat and an open checkout. `others` wait for the only seat. */
async function givenHeldSeat({ others = [] as string[], event = {} } = {}) {
  const world = new PaymentWorld();
  await world.givenEvent(others.length ? 1 : 5, event);
  expect(await world.register(a)).toMatchObject({ status: "incomplete" });
  const checkout = await world.openCheckout(a);
  for (const other of others) expect(await world.register(other)).toMatchObject({ status: "waitlist" });
  return { world, checkout };
}

async function givenMembershipCheckout() {
  const world = new PaymentWorld();
  return { world, checkout: await world.openCheckout(a, membership) };
}

const counted = (world: PaymentWorld) => ({
  completed: world.told("payment.completed").length,
  refunds: world.told("payment.refundRequired").length,
});

/** Expects one seat or one refund for the payment, never both. */
function expectSettledOnce(world: PaymentWorld, checkout: KnownCheckout, email = a): void {
  const { paidBy, status } = world.registration(email) ?? {};
  const hasSeat = paidBy === checkout.session && (status === "registered" || status === "acceptedComplete");
  expect([hasSeat, counted(world)]).toEqual([hasSeat, { completed: Number(hasSeat), refunds: Number(!hasSeat) }]);
  expect(world.settlement(checkout)).toBe(hasSeat ? "seat" : "refund");
}

/** A busy table, and calls that stay without an answer. */
function unquiet(dice: () => number): Partial<Interference> {
  let lost = 3;
  return {
    fate: (_call, isWrite) => {
      const roll = dice();
      if (roll < 10) return "conflict";
      if (roll < 14) return "failed";
      if (roll < 22 && isWrite && lost > 0) {
        lost -= 1;
        return "lost";
      }
      return "fine";
    },
    pause: () => 1,
  };
}

describe("a payment in time", () => {
  test("confirms the held seat, sends a notice, and closes the checkout", async () => {
    const { world, checkout } = await givenHeldSeat();
    expect(world.registration(a)).toMatchObject({ checkoutLink: expect.stringContaining(checkout.session) });
    const paymentIntent = String(world.at.pay(checkout.session).payment_intent);
    await world.deliverAlone(paid(checkout));
    const registration = world.registration(a);
    expect(registration).toMatchObject({ status: "registered", paidBy: checkout.session, version: 3 });
    for (const gone of ["holdExpiresAt", "checkoutLink"]) expect(registration).not.toHaveProperty(gone);
    const money = { amount: 1_000, currency: "CAD", paymentIntent };
    const whatFor = { purpose: "event", eventID: "model", year: 2030 };
    expect(world.told("payment.completed")).toEqual([{ ...money, ...whatFor, email: a, paymentId: checkout.session }]);
    expect(world.told("registration.registered")).toEqual([
      expect.objectContaining({ email: a, notice: "registered" }),
    ]);
    expect(world.item(`USER#${a}`, `CHECKOUT#EVENT#model#2030`)).toMatchObject({ closed: true });
    // When the registration ends, the message of the refund has all that the person who sends the money back needs.
    await world.cancel(a);
    const refund = { ...money, ...whatFor, email: a, paymentId: checkout.session, reason: "registration ended" };
    expect(world.told("payment.refundRequired")).toEqual([{ ...refund, cancelledByPerson: true }]);
  });

  test("for a user whose mark an admin took away makes a member again, once", async () => {
    for (let n = 0; n < 20; n += 1) {
      const world = new PaymentWorld();
      const to = { email: a, adminDomain: "club.example" };
      await product.grantMembership(membership.form, to, world.context());
      await world.unmark(a);
      const checkout = await world.openCheckout(a, membership);
      const second = { ...checkout, session: `${checkout.session}_2` };
      await world.deliverTogether([paid(checkout), paid(second)], anyOrder());
      expect(world.item(`USER#${a}`, "USER")).toMatchObject({ isMember: true });
      expect(counted(world)).toEqual({ completed: 1, refunds: 1 });
    }
  });

  test("for a membership that exists already goes back", async () => {
    const { world, checkout } = await givenMembershipCheckout();
    await product.grantMembership({}, { email: a, adminDomain: "club.example" }, world.context());
    await world.deliverAlone(paid(checkout));
    const [refund, ...others] = world.told("payment.refundRequired");
    expect(refund).toMatchObject({ purpose: "membership", reason: "nothing to pay", amount: 1_000, currency: "CAD" });
    expect(refund).not.toHaveProperty("eventID");
    expect([others, world.told("payment.completed"), world.settlement(checkout)]).toEqual([[], [], "refund"]);
  });
});

describe("money that is not the asked amount", () => {
  test.each([{ amount: 999 }, { amount: 1_001 }, { currency: "usd" }, { amount: 1e21 }])(
    "gets nothing, and goes back once: %j",
    async (terms) => {
      for (const given of [givenHeldSeat, givenMembershipCheckout]) {
        const { world, checkout } = await given();
        for (let n = 0; n < 3; n += 1) await world.deliverAlone({ ...paid(checkout), ...terms });
        expect(counted(world)).toEqual({ completed: 0, refunds: 1 });
        const [refund] = world.told("payment.refundRequired");
        expect(refund).toMatchObject({
          reason: "wrong amount",
          amount: Number.isSafeInteger(terms.amount ?? 1_000) ? (terms.amount ?? 1_000) : 0,
        });
        expect(world.registration(a)?.status).not.toBe("registered");
        expect(world.item(`USER#${a}`, "MEMBER")).toBeUndefined();
      }
    },
  );

  test("would buy a seat at the price for members if the amount were not checked", async () => {
    const { world, checkout } = await givenHeldSeat();
    const disguise = (call: Call, answer: object) =>
      asksFor(call, "CHECKOUT") ? { Item: { ...(answer as { Item: object }).Item, amount: 500 } } : answer;
    // The price for members is a price of the event, but was not asked for.
    await world.deliverTogether([{ ...paid(checkout), amount: 500 }], anyOrder(), { disguise });
    expect(world.registration(a)).toMatchObject({ status: "registered" });
  });
});

/** Whether a call reads an item with this sort key. */
const asksFor = ({ command }: Call, SK: string): boolean =>
  String((command as { input: { Key?: { SK?: string } } }).input.Key?.SK).startsWith(SK);

describe("repeated events in any order", () => {
  test.each([
    ["event", givenHeldSeat],
    ["membership", givenMembershipCheckout],
  ])("that are fifty times the same take effect once: %s", async (_, given) => {
    const run = fc.asyncProperty(scheduler, fc.infiniteStream(fc.nat(99)), async (order, dice) => {
      const { world, checkout } = await given();
      const fifty = Array.from({ length: 50 }, () => paid(checkout));
      await world.deliverTogether(
        fifty,
        order,
        unquiet(() => dice.next().value as number),
      );
      expect(counted(world)).toEqual({ completed: 1, refunds: 0 });
      expect(world.settlement(checkout)).toMatch(/seat|membership/);
    });
    await fc.assert(run, { numRuns: runs({ few: 2, many: 10 }), endOnFailure: true });
  });

  test.each([[[]], [[b]]])("at once settle the payment once, also while people wait: %j", async (others) => {
    const run = fc.asyncProperty(scheduler, fc.infiniteStream(fc.nat(99)), async (order, dice) => {
      const { world, checkout } = await givenHeldSeat({ others });
      const message = [...siblings(checkout), ...siblings(checkout)];
      await world.deliverTogether(
        message,
        order,
        unquiet(() => dice.next().value as number),
      );
      expectSettledOnce(world, checkout);
      expect(world.seats).toBe(1);
      if (others.length && world.settlement(checkout) === "refund") {
        expect(world.registration(b)).toMatchObject({ status: "incomplete" });
      }
    });
    await fc.assert(run, { numRuns: runs({ few: 15, many: 200 }), endOnFailure: true });
  });

  test("would send back the money that the first event has used, without the settlement", async () => {
    const { world, checkout } = await givenHeldSeat();
    const mutant: Partial<Interference> = {
      mutate: ({ command }) => {
        for (const write of writesOf(command)) if (write.Item?.SK === "SETTLED") write.ConditionExpression = undefined;
      },
      disguise: (call, answer) => (asksFor(call, "SETTLED") ? {} : answer),
    };
    await world.deliverTogether([paid(checkout), paid(checkout)], anyOrder(), mutant);
    expect(counted(world)).toEqual({ completed: 1, refunds: 1 });
  });
});

describe("a function that dies at any call to the table leaves nothing or everything, and the next try completes it:", () => {
  const givenLate = async () => {
    const { world, checkout } = await givenHeldSeat({ others: [b] });
    world.now += 3 * 60 * minutes;
    await world.sweep();
    return { world, checkout };
  };
  const expired = (checkout: KnownCheckout): Message => ({ type: "expired", checkout });
  const wrong = (checkout: KnownCheckout): Message => ({ ...paid(checkout), amount: 5 });
  const stateOf = ({ world, checkout }: Awaited<ReturnType<typeof givenHeldSeat>>) => [
    ...[counted(world), world.settlement(checkout), world.told("registration.cancelled").length],
    ...[a, b].map((email) => world.registration(email)?.status),
    world.item(`USER#${a}`, "USER") !== undefined,
  ];

  test.each([
    ["a payment for a seat", givenHeldSeat, paid, { completed: 1, refunds: 0 }],
    ["a payment for a membership", givenMembershipCheckout, paid, { completed: 1, refunds: 0 }],
    ["a wrong amount", givenHeldSeat, wrong, { completed: 0, refunds: 1 }],
    ["a late payment while others wait", givenLate, paid, { completed: 0, refunds: 1 }],
    ["the end of a hold", () => givenHeldSeat({ others: [b] }), expired, { completed: 0, refunds: 0 }],
  ])("%s", async (_, given, message, ends) => {
    const whole = await given();
    const before = stateOf(whole);
    await whole.world.deliverAlone(message(whole.checkout));
    const after = stateOf(whole);
    expect(after).not.toEqual(before);
    expect(counted(whole.world)).toEqual(ends);
    let call = 0;
    for (let hasDied = true; hasDied; call += 1) {
      const one = await given();
      hasDied = false;
      let calls = 0;
      const fate: Interference["fate"] = () => {
        calls += 1;
        hasDied ||= calls === call + 1;
        return calls === call + 1 ? "vanish" : "fine";
      };
      await one.world.deliverTogether([message(one.checkout)], anyOrder(), { fate });
      expect([before, after]).toContainEqual(stateOf(one));
      await one.world.deliverAlone(message(one.checkout));
      expect([call, stateOf(one)]).toEqual([call, after]);
    }
    expect(call).toBeGreaterThan(3);
  });
});

describe("a registration that began again", () => {
  async function givenSecondRegistration() {
    const { world, checkout } = await givenHeldSeat();
    await world.cancel(a);
    world.now += minutes;
    expect(await world.register(a)).toMatchObject({ status: "incomplete" });
    return { world, checkout };
  }

  test("is not confirmed by an old payment, and not ended by an old session", async () => {
    const { world, checkout } = await givenSecondRegistration();
    await world.deliverAlone({ type: "expired", checkout });
    expect(world.registration(a)).toMatchObject({ status: "incomplete" });
    await world.deliverAlone(paid(checkout));
    expect(world.registration(a)).toMatchObject({ status: "incomplete" });
    expect(counted(world)).toEqual({ completed: 0, refunds: 1 });
  });

  test("would be confirmed by the old payment if the queue keys were not compared", async () => {
    const { world, checkout } = await givenSecondRegistration();
    const stored = world.item(`PAY#${checkout.id}`, "CHECKOUT") as { purpose: { queueKey: string } };
    const { queueKey } = stored.purpose;
    const disguise = (call: Call, answer: object) =>
      asksFor(call, "REG#") ? { Item: { ...(answer as { Item: object }).Item, queueKey } } : answer;
    await world.deliverTogether([paid(checkout)], anyOrder(), { disguise });
    expect(world.registration(a)).toMatchObject({ status: "registered" });
  });
});

describe("a session without a payment", () => {
  test("gives the seat to the next in line", async () => {
    const { world, checkout } = await givenHeldSeat({ others: [b] });
    await world.deliverAlone({ type: "expired", checkout });
    expect(world.registration(a)).toMatchObject({ status: "cancelled", left: "provider/checkout" });
    expect(world.registration(b)).toMatchObject({ status: "incomplete" });
    expect(world.seats).toBe(1);
  });

  test("leaves a longer hold, and removes the link", async () => {
    const world = new PaymentWorld();
    await world.givenEvent(1);
    await world.register(b);
    await world.register(a);
    await world.cancel(b);
    // The person was promoted, so the hold of a day is longer than any session.
    const { holdExpiresAt } = world.registration(a) ?? {};
    const checkout = await world.openCheckout(a);
    await world.deliverAlone({ type: "expired", checkout });
    expect(world.registration(a)).toMatchObject({ status: "incomplete", holdExpiresAt });
    expect(world.registration(a)).not.toHaveProperty("checkoutLink");
    const second = await world.openCheckout(a);
    expect(second.session).not.toBe(checkout.session);
    // A late event of the first session does not touch the second one.
    await world.deliverAlone({ type: "expired", checkout });
    expect(world.registration(a)).toMatchObject({ checkoutLink: expect.stringContaining(second.session) });
    await world.deliverAlone(paid(second));
    expect(world.registration(a)).toMatchObject({ status: "registered" });
  });

  test("that another one replaces leaves the seat alone", async () => {
    const { world, checkout } = await givenHeldSeat();
    // Another checkout has taken its place, and the new session is being made at this moment.
    const latest = world.item(`USER#${a}`, "CHECKOUT#EVENT#model#2030");
    expect(latest).toMatchObject({ id: checkout.id });
    const replaced: Interference["fate"] = ({ command }) => {
      for (const write of writesOf(command)) {
        if (!String(write.Key?.SK).startsWith("CHECKOUT#")) continue;
        write.ExpressionAttributeValues = { ...write.ExpressionAttributeValues, ":id": "another" };
      }
      return "fine";
    };
    await world.deliverTogether([{ type: "expired", checkout }], anyOrder(), { fate: replaced });
    expect(world.registration(a)).toMatchObject({ status: "incomplete" });
    // Without that comparison the person would lose the seat during the payment.
    await world.deliverAlone({ type: "expired", checkout });
    expect(world.registration(a)).toMatchObject({ status: "cancelled" });
  });
});

describe("money that takes days", () => {
  async function givenMoneyUnderWay(others: string[] = []) {
    const { world, checkout } = await givenHeldSeat({ others });
    await world.deliverAlone({ type: "completed", checkout, payment_status: "unpaid" });
    return { world, checkout };
  }

  test("keeps the seat while it is under way", async () => {
    const { world, checkout } = await givenMoneyUnderWay([b]);
    expect(counted(world)).toEqual({ completed: 0, refunds: 0 });
    world.now += 5 * 24 * 60 * minutes;
    await world.sweep();
    expect(world.registration(a)).toMatchObject({ status: "incomplete" });
    await world.deliverAlone({ type: "async_payment_succeeded", checkout });
    expect(world.registration(a)).toMatchObject({ status: "registered" });
    expect(world.registration(b)).toMatchObject({ status: "waitlist" });
  });

  test("that fails gives the seat to the next person at once, also when events come twice", async () => {
    const { world, checkout } = await givenMoneyUnderWay([b]);
    for (let n = 0; n < 2; n += 1) {
      await world.deliverAlone({ type: "async_payment_failed", checkout });
      await world.deliverAlone({ type: "completed", checkout, payment_status: "unpaid" });
    }
    expect(world.registration(a)).toMatchObject({ status: "cancelled" });
    expect(world.registration(b)).toMatchObject({ status: "incomplete" });
  });

  test("is waited for ten days at most", async () => {
    const { world } = await givenMoneyUnderWay([b]);
    world.now += 11 * 24 * 60 * minutes;
    await world.sweep();
    expect(world.registration(a)).toMatchObject({ status: "cancelled" });
  });
});

test("a late payment takes no seat from a promoted person, and both people get the right notice", async () => {
  const { world, checkout } = await givenHeldSeat({ others: [b] });
  world.now += 3 * 60 * minutes;
  await world.sweep();
  expect(world.registration(b)).toMatchObject({ status: "incomplete", holdExpiresAt: expect.any(Number) });
  await world.deliverAlone(paid(checkout));
  expect(world.registration(a)).toMatchObject({ status: "cancelled" });
  expect(world.told("payment.refundRequired")).toEqual([
    expect.objectContaining({ email: a, reason: "nothing to pay", paymentId: checkout.session }),
  ]);
  const second = await world.openCheckout(b);
  await world.deliverAlone(paid(second));
  expect(world.registration(b)).toMatchObject({ status: "registered", paidBy: second.session });
  // The mail with the QR code depends on this notice.
  expect(world.told("registration.registered")).toEqual([expect.objectContaining({ email: b, notice: "registered" })]);
  expect([world.seats, counted(world)]).toEqual([1, { completed: 1, refunds: 1 }]);
});

describe("an open checkout with nothing to pay any more", () => {
  const seat = { email: a, eventID: "model", year: 2030 };
  const close = (world: PaymentWorld, data: object = seat, provider = world.provider) =>
    product.closeOfPerson(data as typeof seat, provider, world.context());
  const grant = (world: PaymentWorld) =>
    product.grantMembership({}, { email: a, adminDomain: "club.example" }, world.context());
  const silent = (world: PaymentWorld) => ({ ...world.provider, end: () => Promise.reject(new Error("no answer")) });

  test("of a registration that is cancelled is ended at the provider, by a later try when it is silent", async () => {
    const { world, checkout } = await givenHeldSeat();
    await world.cancel(a);
    await expect(close(world, seat, silent(world))).rejects.toThrow("no answer");
    // Meanwhile the registration has begun again.
    await world.register(a);
    await close(world);
    expect(world.ended).toEqual([checkout.session]);
    // A request that made a session at this moment cannot record it any more.
    expect(world.item(`USER#${a}`, "CHECKOUT#EVENT#model#2030")).toMatchObject({ closed: true });
    await world.openCheckout(a);
    await close(world);
    expect(world.ended).toEqual([checkout.session]);
  });

  test("is ended when an admin grants the membership", async () => {
    const { world, checkout } = await givenMembershipCheckout();
    await grant(world);
    await close(world, { email: a });
    expect(world.ended).toEqual([checkout.session]);
  });

  test("is ended when its account is deleted, unless the checkout is newer", async () => {
    const { world, checkout } = await givenMembershipCheckout();
    expect([await world.account(a, "POST"), await world.account(a, "DELETE")]).toEqual([201, 200]);
    await close(world, { email: a });
    expect(world.item(`PAY#${checkout.id}`, "CHECKOUT")).toMatchObject({ purpose: { kind: "membership", form: {} } });
    expect(JSON.stringify(world.item(`PAY#${checkout.id}`, "CHECKOUT"))).not.toContain("Lovelace");
    await world.openCheckout(a, membership);
    await close(world, { email: a });
    expect(world.ended).toEqual([checkout.session]);
  });

  test("is ended together with the one that it was to replace, if its own session was never made", async () => {
    const { world, checkout } = await givenHeldSeat();
    // The person becomes a member and asks for the new price. The function dies before it asks the provider.
    await grant(world);
    await expect(world.openCheckout(a, undefined, silent(world))).rejects.toThrow("no answer");
    await world.cancel(a);
    await close(world);
    expect(world.ended).toEqual([checkout.session]);
  });

  test.each([false, true])(
    "stays as it is while there is something to pay, and when it has been paid: %p",
    async (isPaid) => {
      const { world, checkout } = await givenHeldSeat();
      if (isPaid) await world.deliverAlone(paid(checkout));
      await close(world);
      expect(world.ended).toEqual([]);
    },
  );
});
