/**
 * Expired holds while two runs of the sweeper end them, a payment arrives and a checkout extends them. Whatever fails, soon
 * afterwards each unpaid seat has exactly one hold, and there is no other.
 */
import { afterEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../seeds.ts";
import { type KnownCheckout, minutes, PaymentWorld, product } from "./payment-world.ts";
import { type Interference, settle } from "./world.ts";

const [a, b] = ["a@model.example", "b@model.example"];
const { endHold } = product.seam;
afterEach(() => {
  product.seam.endHold = endHold;
});

/** Some fail before the hold is ended, some after, and some continue after the run has timed out. */
function givenFailures(dice: () => number): void {
  product.seam.endHold = async (_hold, end) => {
    const roll = dice();
    if (roll < 25) throw new Error("failed before the end");
    if (roll < 40) {
      void end().catch(() => undefined);
      throw new Error("took too long");
    }
    const became = await end();
    if (roll < 55) throw new Error("failed after the end");
    return became;
  };
}

interface Given {
  readonly world: PaymentWorld;
  readonly checkout?: KnownCheckout;
}

/** A person has the only seat, unpaid, and its hold is over. Another person waits. */
async function givenExpiredHold(hasCheckout: boolean): Promise<Given> {
  const world = new PaymentWorld();
  await world.givenEvent(1);
  expect(await world.register(a)).toMatchObject({ status: "incomplete" });
  const checkout = hasCheckout ? await world.openCheckout(a) : undefined;
  expect(await world.register(b)).toMatchObject({ status: "waitlist" });
  world.now = Number(world.registration(a)?.holdExpiresAt);
  return { world, ...(checkout && { checkout }) };
}

/** The first try has failed, so the hold is not where its registration says. */
async function givenMovedHold(hasCheckout: boolean): Promise<Given> {
  const given = await givenExpiredHold(hasCheckout);
  product.seam.endHold = () => Promise.reject(new Error("cannot be ended"));
  await expect(given.world.sweep()).rejects.toThrow("not ended");
  product.seam.endHold = endHold;
  expect(given.world.holds).toEqual([expect.objectContaining({ failures: 1 })]);
  given.world.now += 1 * minutes;
  return given;
}

const situations = {
  "a hold that is over": () => givenExpiredHold(false),
  "a hold that is over, and a checkout": () => givenExpiredHold(true),
  "a moved hold": () => givenMovedHold(false),
  "a moved hold, and a checkout": () => givenMovedHold(true),
} as const;

/** A checkout is refused when the seat is gone. */
const orRefused = (error: unknown): void => {
  if ((error as { readonly code?: string }).code === undefined) throw error;
};

/** All at once; then the sweeper runs every minute, and nothing fails. */
async function play({ world, checkout }: Given, order: fc.Scheduler, dice: () => number, mutate?: Mutate) {
  givenFailures(dice);
  // A run in which the table is busy fails, and the next one goes on.
  const sweepOnce = () =>
    product.sweep(world.now).then(
      () => undefined,
      () => undefined,
    );
  const { now } = world;
  await world.actTogether(
    {
      "sweep 1": sweepOnce,
      "sweep 2": sweepOnce,
      checkout: () => world.openCheckout(a).then(() => undefined, orRefused),
      ...(checkout && { webhook: () => world.deliver({ type: "completed", checkout }) }),
    },
    order,
    {
      fate: ({ actor }) => {
        const roll = dice();
        if (roll < 8) return "conflict";
        return roll < 11 && actor === "sweep 1" ? "vanish" : "fine";
      },
      mutate,
    },
  );
  product.seam.endHold = endHold;
  for (let minute = 1; minute <= 8; minute += 1) {
    world.now = now + minute * minutes;
    await world.sweep();
  }
}

type Mutate = Interference["mutate"];

function expectHoldsOfSeats(world: PaymentWorld): void {
  const expected = [a, b].flatMap((email) => {
    const { status, holdExpiresAt } = world.registration(email) ?? {};
    return status === "incomplete" ? [[email, holdExpiresAt]] : [];
  });
  expect(world.holds.map(({ email, expiresAt }) => [email, expiresAt])).toEqual(expected);
  for (const { SK, expiresAt } of world.holds) expect(SK).toMatch(new RegExp(`^${expiresAt}#`));
  const [ofA, ofB] = [a, b].map((email) => world.registration(email)?.status);
  expect([ofA, ofB, world.seats]).toEqual(ofA === "cancelled" ? [ofA, "incomplete", 1] : [ofA, "waitlist", 1]);
}

const stories = (situation: keyof typeof situations, mutate?: Mutate) =>
  fc.asyncProperty(fc.scheduler({ act: settle }), fc.infiniteStream(fc.nat(99)), async (order, dice) => {
    const given = await situations[situation]();
    await play(given, order, () => dice.next().value as number, mutate);
    expectHoldsOfSeats(given.world);
    if (!given.checkout) return;
    const settlement = given.world.settlement(given.checkout);
    expect(settlement).toBe(given.world.registration(a)?.status === "registered" ? "seat" : "refund");
  });

test.each(Object.keys(situations) as (keyof typeof situations)[])("%s", async (situation) => {
  await fc.assert(stories(situation), { numRuns: runs({ few: 12, many: 200 }), endOnFailure: true });
});

/** The half of a move that puts the hold in its new place, left out. */
const withoutNewPlace: Mutate = ({ command }) => {
  const { input } = command as { input: { TransactItems?: readonly { Put?: { Item: { failures?: number } } }[] } };
  input.TransactItems &&= input.TransactItems.filter(({ Put }) => Put?.Item.failures === undefined);
};

test("if a hold were removed from its place and not put in another, a seat would stay taken", async () => {
  const { failed } = await fc.check(stories("a moved hold", withoutNewPlace), { numRuns: 25, endOnFailure: true });
  expect(failed).toBe(true);
});
