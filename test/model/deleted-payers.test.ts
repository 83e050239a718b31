/**
 * People who pay and delete the account, in every order of the calls. Money of a checkout for a membership from before the
 * deletion goes back and makes no account, and no form of theirs stays; late money for an event takes no seat.
 */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw, runs } from "../seeds.ts";
import { type KnownCheckout, type Message, minutes, PaymentWorld, product } from "./payment-world.ts";
import { partitionOf, writesOf } from "./table.ts";
import { alone, type Call, type Interference, settle } from "./world.ts";

const a = "a@model.example";
const membership = { kind: "membership", form: { firstName: "Ada", lastName: "Lovelace", studentNumber: "12345678" } };
const scheduler = fc.scheduler({ act: settle });
const paid = (checkout: KnownCheckout): Message => ({ type: "completed", checkout });

const recordsOf = (world: PaymentWorld) => ["USER", "MEMBER", "PROFILE"].filter((SK) => world.item(`USER#${a}`, SK));
const formOf = (world: PaymentWorld, { id }: KnownCheckout) =>
  (world.item(`PAY#${id}`, "CHECKOUT") as { purpose?: { form: object } } | undefined)?.purpose?.form;
const reasons = (world: PaymentWorld) => world.told("payment.refundRequired").map(({ reason }) => reason);
const deleted = (world: PaymentWorld) => alone("delete", () => world.account(a, "DELETE"));
/** The message of the deletion reaches the consumer of checkouts. */
const closeObsolete = (world: PaymentWorld) => product.closeOfPerson({ email: a }, world.provider, world.context());

async function given() {
  const world = new PaymentWorld();
  expect(await alone("account", () => world.account(a, "POST"))).toBe(201);
  return { world, checkout: await world.openCheckout(a, membership) };
}

describe("the form of a membership", () => {
  test.each([
    ["is paid", "completed", ["USER", "MEMBER", "PROFILE"]],
    ["is not paid in time", "expired", ["USER"]],
  ] as const)("goes when the membership %s", async (_, type, records) => {
    const { world, checkout } = await given();
    await world.deliverAlone({ type, checkout });
    expect([recordsOf(world), formOf(world, checkout)]).toEqual([records, {}]);
  });

  const corrected = { ...membership, form: { firstName: "Augusta" } };
  /** The person corrects the form while the payment arrives. @returns the form afterwards */
  async function whilePaid(order: fc.Scheduler, more: Partial<Interference> = {}) {
    const { world, checkout } = await given();
    // A person who is a member by now has nothing to pay.
    const correct = () =>
      world.askCheckout(a, corrected).then(
        () => undefined,
        () => undefined,
      );
    await world.actTogether({ correct, webhook: () => world.deliver(paid(checkout)) }, order, more);
    return formOf(world, checkout);
  }
  test("is gone when a correction comes while it is paid", () =>
    fc.assert(
      fc.asyncProperty(scheduler, async (order) => expect(await whilePaid(order)).toEqual({})),
      { numRuns: runs({ few: 20, many: 200 }) },
    ));
  test("would stay then, if a correction did not demand the form", async () => {
    const mutate = ({ command }: Call) => {
      for (const write of writesOf(command)) {
        if (write.ConditionExpression?.includes("purpose.form")) write.ConditionExpression = "attribute_exists(PK)";
      }
    };
    const forms = new Set<string>();
    const wrong = JSON.stringify(corrected.form);
    for (let n = 0; n < 60 && !forms.has(wrong); n += 1) {
      forms.add(JSON.stringify(await whilePaid(draw(scheduler), { mutate })));
    }
    expect([...forms]).toContain(wrong);
  });
});

describe("the deletion of an account", () => {
  test("before the payment arrives sends the money back, however often it comes", async () => {
    const { world, checkout } = await given();
    expect(await deleted(world)).toBe(200);
    for (const _ of [1, 2]) await world.deliverAlone(paid(checkout));
    expect([recordsOf(world), reasons(world)]).toEqual([[], ["account deleted"]]);
    expect([world.settlement(checkout), formOf(world, checkout)]).toEqual(["refund", {}]);
  });

  test("also closes the checkouts before the latest one", async () => {
    const { world, checkout } = await given();
    world.now += 41 * minutes;
    const latest = await world.openCheckout(a, membership);
    expect(latest.id).not.toBe(checkout.id);
    await deleted(world);
    for (const one of [checkout, latest]) await world.deliverAlone(paid(one));
    expect([recordsOf(world), reasons(world)]).toEqual([[], ["account deleted", "account deleted"]]);
  });

  test("leaves the checkouts of a person who comes back alone, with and without an account", async () => {
    for (const hasAccount of [true, false]) {
      const { world, checkout } = await given();
      // The clock of the deletion is ahead.
      world.now += minutes;
      await deleted(world);
      world.now -= minutes;
      if (hasAccount) expect(await alone("account", () => world.account(a, "POST"))).toBe(201);
      const again = await world.openCheckout(a, membership);
      await alone("close", () => closeObsolete(world));
      expect(world.ended).toEqual([]);
      await world.deliverAlone(paid(checkout));
      expect(reasons(world)).toEqual(["account deleted"]);
      await world.deliverAlone(paid(again));
      expect([recordsOf(world), world.settlement(again)]).toEqual([["USER", "MEMBER", "PROFILE"], "membership"]);
      // A second deletion counts for the checkouts since the first one.
      const third = { ...again, session: `${again.session}_2` };
      expect(await deleted(world)).toBe(200);
      await world.deliverAlone(paid(third));
      expect([recordsOf(world), reasons(world).at(-1)]).toEqual([[], "account deleted"]);
    }
  });

  /** The deletion, twice the payment, and the consumer of the deletion at once. */
  async function atOnce(order: fc.Scheduler, more: Partial<Interference> = {}) {
    const { world, checkout } = await given();
    const dice = draw(fc.infiniteStream(fc.nat(99)));
    const deliver = () => world.deliver(paid(checkout));
    const acts = {
      delete: async () => void (await world.account(a, "DELETE")),
      ...{ webhook1: deliver, webhook2: deliver, close: () => closeObsolete(world) },
    };
    const fate: Interference["fate"] = () => ((dice.next().value as number) < 10 ? "conflict" : "fine");
    await world.actTogether(acts, order, { fate, ...more });
    await world.deliverAlone(paid(checkout));
    return { world, checkout };
  }

  test("while the payment arrives leaves no account, and the payment counts once", () =>
    fc.assert(
      fc.asyncProperty(scheduler, async (order) => {
        const { world, checkout } = await atOnce(order);
        expect([recordsOf(world), formOf(world, checkout)]).toEqual([[], {}]);
        expect(world.told("payment.completed").length + reasons(world).length).toBe(1);
      }),
      { numRuns: runs({ few: 25, many: 200 }) },
    ));

  /** Removes the conditions on the latest checkout in the transactions of these actors. */
  const withoutCondition = (actor: RegExp) => (call: Call) => {
    if (!actor.test(call.actor)) return;
    for (const write of writesOf(call.command)) {
      if (!partitionOf(write).startsWith("USER#") || (write.Key ?? write.Item)?.SK !== "CHECKOUT#MEMBER") continue;
      write.ConditionExpression = "attribute_not_exists(nothingIsCalledThis)";
      if (write.ExpressionAttributeValues) {
        const updates = write.UpdateExpression ?? "";
        const used = Object.entries(write.ExpressionAttributeValues).filter(([name]) => updates.includes(name));
        write.ExpressionAttributeValues = used.length > 0 ? Object.fromEntries(used) : undefined;
      }
    }
  };

  test("would bring the account back then, if the payment did not demand that there was no deletion", async () => {
    const found = new Set<string>();
    for (let n = 0; n < 200 && !found.has("USER"); n += 1) {
      const { world } = await atOnce(draw(scheduler), { mutate: withoutCondition(/webhook/) });
      for (const record of recordsOf(world)) found.add(record);
    }
    expect([...found]).toContain("USER");
  });

  /** The deletion while a checkout is opened, and then its payment. @returns what was wrong */
  async function whileOpened(order: fc.Scheduler, more: Partial<Interference> = {}): Promise<string[]> {
    const world = new PaymentWorld();
    await alone("account", () => world.account(a, "POST"));
    let opened: KnownCheckout | undefined;
    const open = async () => {
      const url = await world.askCheckout(a, membership);
      opened = world.checkoutAt(url);
    };
    const acts = { open, delete: async () => void (await world.account(a, "DELETE")) };
    await world.actTogether(acts, order, more);
    if (!opened) return ["no checkout"];
    await world.deliverAlone(paid(opened));
    const at = (isMeant: (SK: string, isThere: boolean, PK: string) => boolean) =>
      world.commits.findIndex(({ changes }) =>
        changes.some(({ before, after }) => {
          const { SK, PK } = (after ?? before ?? {}) as { SK?: string; PK?: string };
          return isMeant(String(SK), after !== undefined, String(PK));
        }),
      );
    const recordedAt = at((SK, isThere, PK) => SK === "CHECKOUT" && isThere && PK === `PAY#${opened?.id}`);
    const deletedAt = at((SK, isThere, PK) => SK === "USER" && !isThere && PK === `USER#${a}`);
    const wanted = recordedAt < deletedAt ? "refund" : "membership";
    const is = world.settlement(opened);
    return is === wanted ? [] : [`${is}, not ${wanted}`];
  }
  test("while a checkout is opened sends its money back, exactly if the checkout was recorded before it", () =>
    fc.assert(
      fc.asyncProperty(scheduler, async (order) => expect(await whileOpened(order)).toEqual([])),
      { numRuns: runs({ few: 25, many: 200 }) },
    ));
  test("would overlook a checkout that is recorded meanwhile, without its condition", async () => {
    const found = new Set<string>();
    for (let n = 0; n < 200 && found.size === 0; n += 1) {
      for (const one of await whileOpened(draw(scheduler), { mutate: withoutCondition(/delete/) })) found.add(one);
    }
    expect([...found]).toEqual(["membership, not refund"]);
  });
});

describe("late money for an event", () => {
  /** The hold is over, and then the person deletes the account. */
  async function givenLate() {
    const world = new PaymentWorld();
    await world.givenEvent(1);
    await alone("account", () => world.account(a, "POST"));
    await world.register(a);
    const checkout = await world.openCheckout(a);
    world.now += 3 * 60 * minutes;
    await world.sweep();
    expect(world.registration(a)).toMatchObject({ status: "cancelled", left: "provider/checkout" });
    return { world, checkout };
  }
  /** The message of the deletion reaches the consumer of deleted accounts. */
  const forget = (world: PaymentWorld) => {
    const about = { type: "user.deleted", id: "n1", occurredAt: world.now, actor: a, requestId: "r1" } as const;
    return product.forgetPerson({ ...about, data: { email: a, origin: "self/account" } }, world.context());
  };
  const outcome = (world: PaymentWorld) => [world.registration(a)?.status, world.seats, reasons(world).length];

  test("goes back, also if it comes while the registrations are cancelled, or twice", () =>
    fc.assert(
      fc.asyncProperty(scheduler, async (order) => {
        const { world, checkout } = await givenLate();
        await deleted(world);
        await world.actTogether({ webhook: () => world.deliver(paid(checkout)), forget: () => forget(world) }, order);
        await world.deliverAlone(paid(checkout));
        expect(outcome(world)).toEqual(["cancelled", 0, 1]);
      }),
      { numRuns: runs({ few: 25, many: 200 }) },
    ));
});
