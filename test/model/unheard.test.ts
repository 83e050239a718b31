/** Holds that end while nothing is heard of their sessions: late events, and a provider that does not answer. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../seeds.ts";
import { minutes, PaymentWorld, product } from "./payment-world.ts";
import { alone, type Interference, settle } from "./world.ts";

const [a, b] = ["a@model.example", "b@model.example"];

/** A person has the only seat and has opened a page; its hold is over. Another person waits. */
async function givenUnheard(isPaid: boolean) {
  const world = new PaymentWorld();
  await world.givenEvent(1);
  await world.register(a);
  const checkout = await world.openCheckout(a);
  if (isPaid) world.at.pay(checkout.session);
  await world.register(b);
  world.now = Number(world.registration(a)?.holdExpiresAt);
  return { world, checkout };
}

const statuses = (world: PaymentWorld) => [a, b].map((email) => world.registration(email)?.status);

/** The sweeper runs every minute, as do its questions. */
async function pass(world: PaymentWorld, time: number): Promise<void> {
  for (const end = world.now + time; world.now < end; world.now += 1 * minutes) await world.sweep();
}

test("a person who paid in time keeps the seat although the event about it is late", async () => {
  const { world, checkout } = await givenUnheard(true);
  await pass(world, 3 * minutes);
  expect([...statuses(world), world.settlement(checkout)]).toEqual(["registered", "waitlist", "seat"]);
  await world.deliverAlone({ type: "completed", checkout });
  expect([world.told("payment.completed").length, world.told("payment.refundRequired")]).toEqual([1, []]);
  expect(world.holds).toEqual([]);
});

test("an open page is ended at the provider before its seat is given away", async () => {
  const { world, checkout } = await givenUnheard(false);
  await pass(world, 3 * minutes);
  expect([...statuses(world), world.ended]).toEqual(["cancelled", "incomplete", [checkout.session]]);
});

test("a checkout that replaces another one and never got its own session asks about the session that it replaces", async () => {
  const { world, checkout } = await givenUnheard(true);
  const latest = world.item(`USER#${a}`, "CHECKOUT#EVENT#model#2030") as Record<string, unknown>;
  const { sessionId, url, ...asked } = latest;
  world.table.seed({ ...asked, replaces: sessionId } as never);
  await pass(world, 3 * minutes);
  expect([...statuses(world), world.settlement(checkout)]).toEqual(["registered", "waitlist", "seat"]);
});

test("while the provider is silent the hold waits, the alarm rings after seven minutes, and it ends after a day", async () => {
  const { world } = await givenUnheard(true);
  world.at.silence(true);
  await pass(world, 6 * minutes);
  const failures = () => world.holds.map((hold) => hold.failures);
  expect([...statuses(world), failures()]).toEqual(["incomplete", "waitlist", [3]]);
  await pass(world, 2 * minutes);
  expect((await product.sweep(world.now)).stuck).toBe(1);
  await pass(world, 23 * 60 * minutes);
  expect(statuses(world)).toEqual(["incomplete", "waitlist"]);
  await pass(world, 6 * 60 * minutes);
  expect(statuses(world)).toEqual(["cancelled", "incomplete"]);
});

test("a key without the right cannot tell whether a session is paid: the hold waits, and ends after a day", async () => {
  const { world } = await givenUnheard(false);
  world.at.withhold("checkout_session_read", "checkout_session_write");
  await pass(world, 23 * 60 * minutes);
  expect([...statuses(world), world.ended]).toEqual(["incomplete", "waitlist", []]);
  await pass(world, 6 * 60 * minutes);
  expect(statuses(world)).toEqual(["cancelled", "incomplete"]);
});

test("a session that the provider does not know is over: the hold ends, and its checkout is closed", async () => {
  const { world, checkout } = await givenUnheard(false);
  // As one of another account.
  world.changed = (request) => ({ ...request, path: request.path.replace(checkout.session, "cs_test_other") });
  await pass(world, 3 * minutes);
  expect(statuses(world)).toEqual(["cancelled", "incomplete"]);
  expect(world.item(`USER#${a}`, "CHECKOUT#EVENT#model#2030")).toMatchObject({ id: checkout.id, closed: true });
});

/** Questions, the late event, and deaths at any call, in any order. */
const story = (isPaid: boolean, mutate?: Interference["mutate"]) =>
  fc.asyncProperty(fc.scheduler({ act: settle }), fc.infiniteStream(fc.nat(99)), async (order, dice) => {
    const { world, checkout } = await givenUnheard(isPaid);
    const ask = () => product.endUnheard(question, world.provider, world.context()).catch(() => undefined);
    const question = { email: a, eventID: "model", year: 2030 };
    const event = { type: isPaid ? "completed" : "expired", checkout } as const;
    const sweepOnce = () =>
      product.sweep(world.now).then(
        () => undefined,
        () => undefined,
      );
    const fate: Interference["fate"] = ({ actor }) => {
      const roll = dice.next().value as number;
      return roll < 8 ? "conflict" : roll < 14 && actor !== "webhook" ? "vanish" : "fine";
    };
    const acts = { sweep: sweepOnce, "ask 1": ask, "ask 2": ask, webhook: () => world.deliver(event) };
    await world.actTogether(acts, order, { fate, mutate });
    await pass(world, 8 * minutes);
    const ended = isPaid ? ["registered", "waitlist"] : ["cancelled", "incomplete"];
    expect([...statuses(world), world.seats]).toEqual([...ended, 1]);
    expect([world.told("payment.completed").length, world.told("payment.refundRequired")]).toEqual([
      Number(isPaid),
      [],
    ]);
  });

test.each([[true], [false]])("whatever fails, the provider's word decides (paid: %p)", async (isPaid) => {
  await fc.assert(story(isPaid), { numRuns: runs({ few: 15, many: 200 }), endOnFailure: true });
});

describe("a change of the price", () => {
  async function givenPage() {
    const world = new PaymentWorld();
    await world.givenEvent(5);
    await world.register(a);
    return { world, checkout: await world.openCheckout(a) };
  }
  const closeAll = (world: PaymentWorld) =>
    alone("close", () => product.closeOfEvent({ id: "model", year: 2030 }, world.provider, world.context()));

  test.each([
    [0, "registered"],
    [12, "incomplete"],
  ])("to %i closes the open page, and the seat is %s", async (price, status) => {
    const { world, checkout } = await givenPage();
    await world.reprice(price);
    await closeAll(world);
    expect(world.ended).toEqual([checkout.session]);
    await world.deliverAlone({ type: "expired", checkout });
    expect(world.registration(a)).toMatchObject({ status });
    expect(world.registration(a)).not.toHaveProperty("checkoutLink");
    if (price === 0) return;
    const second = await world.openCheckout(a);
    await world.deliverAlone({ type: "completed", checkout: second, amount: price * 100 });
    expect(world.registration(a)).toMatchObject({ status: "registered" });
  });

  test.each([
    [0, "before"],
    [12, "before"],
    [0, "after"],
  ])("to %i refunds what arrives all the same, %s the page is closed", async (price, when) => {
    const { world, checkout } = await givenPage();
    world.at.pay(checkout.session);
    await world.reprice(price);
    if (when === "after") await closeAll(world);
    await world.deliverAlone({ type: "completed", checkout });
    expect(world.told("payment.refundRequired")).toMatchObject([{ amount: 1_000, reason: "nothing to pay" }]);
    expect(world.registration(a)).toMatchObject({ status: when === "after" ? "registered" : "incomplete" });
  });
});

test("if a hold with a page ended without a question, a person who paid in time would lose the seat", async () => {
  const { world, checkout } = await givenUnheard(true);
  const disguise: Interference["disguise"] = (_call, answer) =>
    JSON.parse(JSON.stringify(answer, (name, value) => (name === "checkoutLink" ? undefined : value)));
  const order = fc.sample(fc.scheduler({ act: settle }), 1)[0] as fc.Scheduler;
  await world.actTogether({ sweep: () => product.sweep(world.now).then(() => undefined) }, order, { disguise });
  await world.deliverAlone({ type: "completed", checkout });
  expect([...statuses(world), world.settlement(checkout)]).toEqual(["cancelled", "incomplete", "refund"]);
});
