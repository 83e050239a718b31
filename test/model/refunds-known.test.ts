/** Short sequences of payments and refunds that were wrong once, or that random ones rarely reach. */
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { inTurns } from "./chance.ts";
import { Judge } from "./refunds-judge.ts";
import { type Happening, type Plan, RefundWorld, sumsOf } from "./refunds-world.ts";

/** With these dice no call fails, and a new refund is pending. */
const calm = 65;
/** The provider answers 500. */
const broken = 92;

const tenDollars: Plan = { amount: 1_000, use: "seat", isEarly: false };

/** One person's payments of ten dollars. */
async function given(payments = 1) {
  const judge = new Judge();
  const dice = { roll: calm };
  const rolls = (function* () {
    for (;;) yield dice.roll;
  })();
  const drawn = { order: inTurns([]), dice: fc.stream(rolls) };
  const world = await RefundWorld.of(
    Array.from({ length: payments }, () => tenDollars),
    "automatic",
    drawn,
    {},
    judge.watch,
  );
  const happen = async (...kinds: readonly Happening["kind"][]) => {
    for (const kind of kinds) await world.happen([{ kind, which: 0, how: 49 }]);
  };
  const judged = async () => {
    await world.quieten();
    judge.judgeTold(world);
    await world.payOut();
    judge.judgeEnd(world);
    return judge.violations;
  };
  const sums = () => sumsOf(world.record(String(world.payments[0]?.intent)) as never);
  return { world, happen, judged, sums, dice };
}

test("the fee of a payment that is settled after its payout is recorded", async () => {
  const { happen, judged, sums } = await given();
  await happen("payout", "event", "message", "settle");
  expect(sums()).toMatchObject({ came: 1_000, fee: 59 });
  expect(await judged()).toEqual([]);
});

test("a refund that becomes required while another one is under way is still owed when that one fails", async () => {
  const { world, happen, judged, sums } = await given();
  await happen("settle", "dashboard", "event", "message", "require", "message");
  expect(sums()).toMatchObject({ open: 1_000 });
  for (const refund of world.provider.refunds) world.provider.goOn(refund, 80);
  await happen("event");
  expect(sums()).toMatchObject({ wentBack: 0, open: 1_000 });
  expect(world.told("payment.refundFailed")).toHaveLength(1);
  expect(await judged()).toEqual([]);
});

test("a cancellation in time is refunded, also when its message is handled after the last day for refunds", async () => {
  const { world, happen, judged, sums } = await given();
  await happen("settle", "require");
  world.now += 48 * 3_600_000;
  await happen("message");
  expect(world.told("payment.refundByHand")).toEqual([]);
  expect(await judged()).toEqual([]);
  expect(sums()).toMatchObject({ wentBack: 1_000, open: 0 });
});

test("an order whose keys all met a 500 goes out when the provider has forgotten them, a day later", async () => {
  const { world, happen, judged, sums, dice } = await given();
  await happen("settle", "require", "message");
  dice.roll = broken;
  await happen("message");
  // Other keys are used once the provider lists all that it has made.
  world.now += 11 * 60_000;
  await happen("message");
  dice.roll = calm;
  await happen("message");
  // One with the first key, then twice all three.
  expect(world.provider.orders).toHaveLength(7);
  expect(world.provider.refunds).toEqual([]);
  expect(sums()).toMatchObject({ wentBack: 0, open: 1_000 });
  expect(await judged()).toEqual([]);
  expect(world.isQuiet).toBe(true);
  expect(sums()).toMatchObject({ wentBack: 1_000, open: 0 });
});

test("a person's third refund for an event is the treasurer's, also while the indexes show nothing yet", async () => {
  const { world, judged } = await given(3);
  const carriedOut = world.table.execute.bind(world.table);
  jest
    .spyOn(world.table, "execute")
    .mockImplementation((command, age) =>
      command instanceof QueryCommand && command.input.IndexName ? { Items: [], Count: 0 } : carriedOut(command, age),
    );
  for (const which of [0, 1, 2]) {
    // One message requires the refund, the other one orders it.
    for (const kind of ["settle", "require", "message", "message"] as const) {
      await world.happen([{ kind, which, how: 49 }]);
    }
  }
  const third = world.payments[2]?.paymentId;
  expect(world.told("payment.refundByHand")).toEqual([expect.objectContaining({ paymentId: third, because: "third" })]);
  expect(await judged()).toEqual([]);
});
