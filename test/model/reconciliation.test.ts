/**
 * Payments of which the webhook hears late or never, while holds end, two nights reconcile, and processes die anywhere: each
 * person who paid has the seat, the money was counted once, and the mark has come to its end.
 */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../seeds.ts";
import { paidSession } from "./payment-provider.ts";
import { type KnownCheckout, minutes, PaymentWorld, product } from "./payment-world.ts";
import { alone, type Interference, settle } from "./world.ts";

const day = 24 * 60 * minutes;
const people = ["a@model.example", "b@model.example", "c@model.example"];
const { providerLists } = await import("#domain/payments/provider/provider-lists.ts");
const { moneyProvider } = await import("#domain/payments/provider/refund-calls.ts");
const { reconcile } = await import("#domain/payments/provider-events/reconcile.ts");

/** The provider's lists and its books. */
const at = { ...providerLists, ...moneyProvider };

async function given(isPaid: readonly boolean[]) {
  const world = new PaymentWorld();
  // A page has two objects.
  world.changed = (request) => ({ ...request, query: request.query.replace("limit=100", "limit=2") });
  await world.givenEvent(3);
  const checkouts: KnownCheckout[] = [];
  for (const [index, email] of people.entries()) {
    await world.register(email);
    const checkout = await world.openCheckout(email);
    checkouts.push(checkout);
    if (isPaid[index]) world.at.pay(checkout.session);
  }
  world.now = Math.max(...people.map((email) => Number(world.registration(email)?.holdExpiresAt)));
  return { world, checkouts };
}

const quietly = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    () => undefined,
  );

const stories = (mutate?: Interference["mutate"]) =>
  fc.asyncProperty(
    ...([fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), fc.scheduler({ act: settle })] as const),
    fc.infiniteStream(fc.nat(99)),
    async (isPaid, order, dice) => {
      const { world, checkouts } = await given(isPaid);
      const night = () => quietly(reconcile(at, { ...world.context(), deadline: performance.now() + 900_000 }));
      const [first] = checkouts as [KnownCheckout];
      const webhook = () => quietly(world.deliver({ type: isPaid[0] ? "completed" : "expired", checkout: first }));
      const sweep = () => quietly(product.sweep(world.now));
      const fate: Interference["fate"] = () => {
        const roll = dice.next().value as number;
        return roll < 8 ? "conflict" : roll < 12 ? "vanish" : "fine";
      };
      await world.actTogether({ "night 1": night, "night 2": night, webhook, sweep }, order, { fate, mutate });
      // The next nights, in which nothing fails.
      for (let nights = 0; nights < 3; nights += 1) {
        await world.actTogether({ night }, order, { mutate });
        world.now += 1 * minutes;
        await world.sweep();
      }
      const statuses = people.map((email) => world.registration(email)?.status);
      expect(statuses).toEqual(isPaid.map((one) => (one ? "registered" : "cancelled")));
      const count = isPaid.filter(Boolean).length;
      expect([world.told("payment.completed").length, world.told("payment.refundRequired")]).toEqual([count, []]);
      for (const { session } of checkouts.filter((_, index) => isPaid[index])) {
        const payment = world.item(`PAY#${world.session(session)?.payment_intent}`, "PAYMENT");
        expect(Object.values(payment?.lines ?? {})).toEqual([expect.objectContaining({ amount: 1_000, fee: 59 })]);
      }
      expect(world.item("RECONCILIATION", "MARK")).not.toHaveProperty("list");
    },
  );

test("whatever fails, who paid has the seat, once", async () => {
  await fc.assert(stories(), { numRuns: runs({ few: 15, many: 200 }), endOnFailure: true });
});

/** A settlement is written whether or not there is one. */
const twice: Interference["mutate"] = ({ command }) => {
  const { input } = command as {
    input: { TransactItems?: { Put?: { Item: { SK: string }; ConditionExpression?: string } }[] };
  };
  for (const { Put } of input.TransactItems ?? []) if (Put?.Item.SK === "SETTLED") delete Put.ConditionExpression;
};

test("if a session could be settled twice, money would be counted twice", async () => {
  expect((await fc.check(stories(twice), { numRuns: 200, endOnFailure: true })).failed).toBe(true);
});

/** A night, and the lists that it asks for. */
async function night(world: PaymentWorld) {
  const asked: string[] = [];
  const { changed } = world;
  world.changed = (request) => {
    asked.push(request.path.replace(/^.*\//, ""));
    return changed(request);
  };
  let found: Awaited<ReturnType<typeof reconcile>> | undefined;
  await alone("night", async () => {
    found = await reconcile(at, { ...world.context(), deadline: performance.now() + 900_000 });
  });
  world.changed = changed;
  return { asked, found };
}

test("the charges of another system with the account cost a call for each page, and none for each charge", async () => {
  const world = new PaymentWorld();
  for (let n = 0; n < 201; n += 1) await paidSession(world.at, 500);
  const { asked, found } = await night(world);
  const pages = [...Array(3).fill("sessions"), ...Array(3).fill("balance_transactions")];
  expect(asked).toEqual([...pages, "refunds", "disputes", "payouts"]);
  expect(found).toEqual({ read: 402, settled: 0, unexplained: 0, isComplete: true });
  // The mark, and the totals of each page of lines.
  expect(world.commits).toHaveLength(asked.length + 3);
});

test("money that was under way for ten days is settled in the night after it came, with its line", async () => {
  const world = new PaymentWorld();
  await world.givenEvent(3);
  await world.register("a@model.example");
  const { session } = await world.openCheckout("a@model.example");
  world.at.payLater(session);
  // A session lives 40 minutes, and a bank debit arrives within ten days.
  const comesAt = world.now + 40 * minutes + 10 * day;
  for (; world.now < comesAt; world.now += 1 * day) expect((await night(world)).found).toMatchObject({ settled: 0 });
  const { payment_intent } = world.at.arrive(session);
  expect((await night(world)).found).toMatchObject({ settled: 1, unexplained: 0 });
  const { lines } = world.item(`PAY#${payment_intent}`, "PAYMENT") as { lines: object };
  expect(Object.values(lines)).toEqual([expect.objectContaining({ fee: 59 })]);
});

test("a payout that fails days after it has arrived is told once, by whoever hears of it first", async () => {
  const world = new PaymentWorld();
  const payOut = async () => {
    await paidSession(world.at, 5_000);
    return world.at.payOut();
  };
  const hear = () => alone("webhook", () => world.send(world.events.at(-1) ?? {}).then(() => undefined));
  const told = () => world.told("payment.payoutFailed");
  const { id, amount } = await payOut();
  // Two weeks until it arrives, then five business days with a weekend and a holiday.
  for (let days = 0; days < 22; days += 1) {
    expect((await night(world)).found).toMatchObject({ unexplained: 0 });
    world.now += 1 * day;
  }
  world.at.movePayout(id, "failed");
  for (const unexplained of [1, 0]) expect((await night(world)).found).toMatchObject({ unexplained });
  for (const _ of [1, 2]) await hear();
  expect(told()).toEqual([{ payoutId: id, amount, currency: "CAD", because: "account_closed" }]);
  world.at.movePayout((await payOut()).id, "failed");
  await hear();
  expect((await night(world)).found).toMatchObject({ unexplained: 0 });
  expect(told()).toHaveLength(2);
});

test("a list goes on when the provider has forgotten the object after which its next page begins", async () => {
  const { world } = await given([true, true, true]);
  const { changed } = world;
  let forgotten = false;
  world.changed = (request) => {
    const { query, ...rest } = changed(request);
    if (forgotten || !query.includes("starting_after")) return { ...rest, query };
    forgotten = true;
    return { ...rest, query: query.replace(/starting_after=\w+/, "starting_after=gone") };
  };
  let found: unknown;
  await alone("night", async () => {
    found = await reconcile(at, { ...world.context(), deadline: performance.now() + 900_000 });
  });
  expect([forgotten, found]).toEqual([true, expect.objectContaining({ unexplained: 1, isComplete: true })]);
  expect(people.map((email) => world.registration(email)?.status)).toEqual(people.map(() => "registered"));
});
