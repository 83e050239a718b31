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
    await world.deliverAlone(paid(checkout));
    const registration = world.registration(a);
    expect(registration).toMatchObject({ status: "registered", paidBy: checkout.session, version: 3 });
    for (const gone of ["holdExpiresAt", "checkoutLink"]) expect(registration).not.toHaveProperty(gone);
    const money = { amount: 1_000, currency: "CAD", paymentIntent: `pi_${checkout.session}` };
    const whatFor = { purpose: "event", eventID: "model", year: 2030 };
    expect(world.told("payment.completed")).toEqual([{ ...money, ...whatFor, email: a, paymentId: checkout.session }]);
    expect(world.told("registration.registered")).toEqual([
      expect.objectContaining({ email: a, notice: "registered" }),
    ]);
    expect(world.item(`USER#${a}`, `CHECKOUT#EVENT#model#2030`)).toMatchObject({ closed: true });
    // When the registration ends, the message of the refund has all that the person who sends the money back needs.
    await world.cancel(a);
    const refund = { ...money, ...whatFor, email: a, paymentId: checkout.session, reason: "registration ended" };
    expect(world.told("payment.refundRequired")).toEqual([refund]);
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

describe("a function that dies", () => {
  const cases = {
    event: { given: givenHeldSeat, message: paid, ends: { completed: 1, refunds: 0 } },
    membership: { given: givenMembershipCheckout, message: paid, ends: { completed: 1, refunds: 0 } },
    "wrong amount": {
      given: givenHeldSeat,
      message: (checkout: KnownCheckout): Message => ({ ...paid(checkout), amount: 5 }),
      ends: { completed: 0, refunds: 1 },
    },
    "late, while others wait": {
      given: async () => {
        const { world, checkout } = await givenHeldSeat({ others: [b] });
        world.now += 3 * 60 * minutes;
        await world.sweep();
        return { world, checkout };
      },
      message: paid,
      ends: { completed: 0, refunds: 1 },
    },
  } as const;

  test.each(Object.keys(cases) as (keyof typeof cases)[])(
    "at any call to the table leaves nothing or everything, and the provider's next try completes it: %s",
    async (name) => {
      const { given, message, ends } = cases[name];
      let call = 0;
      for (let hasDied = true; hasDied; call += 1) {
        const { world, checkout } = await given();
        hasDied = false;
        let calls = 0;
        const fate: Interference["fate"] = () => {
          calls += 1;
          if (calls !== call + 1) return "fine";
          hasDied = true;
          return "vanish";
        };
        await world.deliverTogether([message(checkout)], anyOrder(), { fate });
        const isSettled = world.settlement(checkout) !== undefined;
        expect([call, counted(world)]).toEqual([call, isSettled ? ends : { completed: 0, refunds: 0 }]);
        const isMember = world.item(`USER#${a}`, "USER") !== undefined;
        if (name === "membership") expect([call, isMember]).toEqual([call, isSettled]);
        if (name === "event") expect(world.registration(a)?.status === "registered").toBe(isSettled);
        await world.deliverAlone(message(checkout));
        expect([call, counted(world)]).toEqual([call, ends]);
        expect(world.item(`PAY#${checkout.session}`, "SETTLED")).toBeDefined();
      }
      expect(call).toBeGreaterThan(3);
    },
  );

  test("while it ends a hold has ended it, or the next try ends it", async () => {
    let call = 0;
    for (let hasDied = true; hasDied; call += 1) {
      const { world, checkout } = await givenHeldSeat({ others: [b] });
      hasDied = false;
      let calls = 0;
      const fate: Interference["fate"] = () => {
        calls += 1;
        hasDied ||= calls === call + 1;
        return calls === call + 1 ? "vanish" : "fine";
      };
      await world.deliverTogether([{ type: "expired", checkout }], anyOrder(), { fate });
      const isOver = world.registration(a)?.status === "cancelled";
      expect([call, world.registration(b)?.status]).toEqual([call, isOver ? "incomplete" : "waitlist"]);
      await world.deliverAlone({ type: "expired", checkout });
      expect([call, world.registration(a)?.status, world.registration(b)?.status]).toEqual([
        ...[call, "cancelled", "incomplete"],
      ]);
      expect(world.told("registration.cancelled")).toHaveLength(1);
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
    expect(world.registration(a)).toMatchObject({ status: "cancelled", endedBecause: "hold over" });
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
  const told = (_type: string, data: object = { eventID: "model", year: 2030 }) => ({ email: a, ...data });
  const close = (world: PaymentWorld, data: ReturnType<typeof told>, provider = world.provider) =>
    product.closeOfPerson(data, provider, world.context());

  test("of a registration that is cancelled is ended at the provider, by a later try when it is silent", async () => {
    const { world, checkout } = await givenHeldSeat();
    await world.cancel(a);
    const down = { ...world.provider, end: () => Promise.reject(new Error("no answer")) };
    await expect(close(world, told("registration.cancelled"), down)).rejects.toThrow("no answer");
    await close(world, told("registration.cancelled"));
    expect(world.ended).toEqual([checkout.session]);
    // A request that made a session at this moment cannot record it any more.
    expect(world.item(`USER#${a}`, "CHECKOUT#EVENT#model#2030")).toMatchObject({ closed: true });
  });

  test("is ended when an admin grants the membership", async () => {
    const { world, checkout } = await givenMembershipCheckout();
    await product.grantMembership({}, { email: a, adminDomain: "club.example" }, world.context());
    await close(world, told("member.granted", {}));
    expect(world.ended).toEqual([checkout.session]);
  });

  test("is ended when its account is deleted, unless the checkout is newer", async () => {
    const { world, checkout } = await givenMembershipCheckout();
    expect(await world.account(a, "POST")).toBe(201);
    expect(await world.account(a, "DELETE")).toBe(200);
    await close(world, told("user.deleted", {}));
    expect(world.ended).toEqual([checkout.session]);
    expect(world.item(`PAY#${checkout.id}`, "CHECKOUT")).toMatchObject({ purpose: { kind: "membership", form: {} } });
    expect(JSON.stringify(world.item(`PAY#${checkout.id}`, "CHECKOUT"))).not.toContain("Lovelace");
    await world.openCheckout(a, membership);
    await close(world, told("user.deleted", {}));
    expect(world.ended).toEqual([checkout.session]);
  });

  test("is ended together with the one that it was to replace, if its own session was never made", async () => {
    const { world, checkout } = await givenHeldSeat();
    // The person becomes a member and asks for the new price. The function dies before it asks the provider.
    await product.grantMembership({}, { email: a, adminDomain: "club.example" }, world.context());
    const dying: typeof world.provider = { ...world.provider, end: () => Promise.reject(new Error("died")) };
    await expect(world.openCheckout(a, undefined, dying)).rejects.toThrow("died");
    await world.cancel(a);
    await close(world, told("registration.cancelled"));
    expect(world.ended).toEqual([checkout.session]);
  });

  test.each([
    ["is still to be paid", async () => undefined],
    ["has been paid", (world: PaymentWorld, checkout: KnownCheckout) => world.deliverAlone(paid(checkout))],
  ])("stays as it is when it %s", async (_, happens) => {
    const { world, checkout } = await givenHeldSeat();
    await happens(world, checkout);
    await close(world, told("registration.registered"));
    expect(world.ended).toEqual([]);
  });

  test("of a registration that began again is ended, but not the new one", async () => {
    const { world, checkout } = await givenHeldSeat();
    await world.cancel(a);
    await world.register(a);
    await close(world, told("registration.cancelled"));
    expect(world.ended).toEqual([checkout.session]);
    await world.openCheckout(a);
    await close(world, told("registration.cancelled"));
    expect(world.ended).toEqual([checkout.session]);
  });
});
