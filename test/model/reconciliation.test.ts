/**
 * Payments of which the webhook hears late or never, while holds end, two nights reconcile, and processes die anywhere: each
 * person who paid has the seat, the money was counted once, and the mark has come to its end.
 */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../seeds.ts";
import { type KnownCheckout, minutes, PaymentWorld, product } from "./payment-world.ts";
import { type Interference, settle } from "./world.ts";

const people = ["a@model.example", "b@model.example", "c@model.example"];
const { reconcile } = await import("#domain/payments/provider-events/reconcile.ts");

/** The provider's lists, a page of two objects at a time. */
const listsOf = (world: PaymentWorld, checkouts: readonly KnownCheckout[]) => {
  const line = ({ session }: KnownCheckout) => ({
    ...{ id: `txn_${session}`, type: "charge", amount: 1_000, fee: 59, net: 941 },
    source: { payment_intent: `pi_${session}` },
  });
  const pageOf = async (list: string, after?: string) => {
    const paid = checkouts.filter(({ session }) => world.paid.has(session));
    const sessions = () => Promise.all(checkouts.map(({ session }) => world.read(session)));
    const all: { id: string }[] =
      list === "sessions" ? await sessions() : list === "transactions" ? paid.map(line) : [];
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return { objects: all.slice(from, from + 2), hasMore: all.length > from + 2 };
  };
  return {
    page: ({ list, after }: { list: string; after?: string | undefined }) => pageOf(list, after),
    sessionsOf: async () => [],
    linesOf: async () => [],
  };
};

async function given(isPaid: readonly boolean[]) {
  const world = new PaymentWorld();
  await world.givenEvent(3);
  const checkouts: KnownCheckout[] = [];
  for (const [index, email] of people.entries()) {
    await world.register(email);
    const checkout = await world.openCheckout(email);
    checkouts.push(checkout);
    if (isPaid[index]) world.paid.add(checkout.session);
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
      const at = listsOf(world, checkouts);
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
        const payment = world.item(`PAY#pi_${session}`, "PAYMENT") as { lines?: object } | undefined;
        expect(Object.keys(payment?.lines ?? {})).toEqual([`txn_${session}`]);
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
