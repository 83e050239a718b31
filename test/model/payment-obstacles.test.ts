/** Payments for a seat or an event that is gone: it is refunded at once, and the webhook does not try forever. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw } from "../seeds.ts";
import { type KnownCheckout, minutes, PaymentWorld } from "./payment-world.ts";
import { type Call, type Interference, settle } from "./world.ts";

const [a, b] = ["a@model.example", "b@model.example"];
const scheduler = fc.scheduler({ act: settle });
const question = { questionId: "w", label: "Which?", type: "WORKSHOP_SELECTION", required: true, participantCap: 1 };
const workshops = { registrationQuestions: [{ ...question, choices: ["morning", "evening"] }] };
const chooses = (choice: string) => ({ dynamicResponses: { w: choice } });

/**
 * The provider reports the payment once. The function dies after forty calls to the table, because then it would try
 * forever.
 */
async function deliverOnce(world: PaymentWorld, checkout: KnownCheckout, more: Partial<Interference> = {}) {
  let calls = 0;
  const fate: Interference["fate"] = () => {
    calls += 1;
    return calls > 40 ? "vanish" : "fine";
  };
  await world.deliverTogether([{ type: "completed", checkout }], draw(scheduler), { fate, ...more });
}

const outcome = (world: PaymentWorld) => [
  world.told("payment.completed").length,
  world.told("payment.refundRequired").map(({ reason }) => reason),
];

describe("a payment after the end of the hold", () => {
  async function givenLatePayment(others: string) {
    const world = new PaymentWorld();
    await world.givenEvent(5, workshops);
    await world.register(a, chooses("morning"));
    const checkout = await world.openCheckout(a);
    world.now += 3 * 60 * minutes;
    await world.sweep();
    await world.register(b, chooses(others));
    return { world, checkout };
  }

  test("gets the seat while there is room in the workshop", async () => {
    const { world, checkout } = await givenLatePayment("evening");
    await deliverOnce(world, checkout);
    expect(world.registration(a)).toMatchObject({ status: "registered" });
    expect(outcome(world)).toEqual([1, []]);
  });

  test("is refunded when the workshop is full although seats are free", async () => {
    const { world, checkout } = await givenLatePayment("morning");
    await deliverOnce(world, checkout);
    expect(world.registration(a)).toMatchObject({ status: "cancelled" });
    expect([world.seats, ...outcome(world)]).toEqual([1, 0, ["nothing to pay"]]);
  });

  test("would never be settled if workshop limits were ignored", async () => {
    const { world, checkout } = await givenLatePayment("morning");
    const disguise = ({ command }: Call, answer: object) =>
      JSON.stringify((command as { readonly input: object }).input).includes("SEAT#") && "Item" in answer
        ? { Item: { ...(answer.Item as object), choiceLimits: {} } }
        : answer;
    await deliverOnce(world, checkout, { disguise });
    expect(outcome(world)).toEqual([0, []]);
  });
});

test("a payment for an event that was deleted and created again is refunded exactly once", async () => {
  const world = new PaymentWorld();
  await world.givenEvent(5);
  await world.register(a);
  const checkout = await world.openCheckout(a);
  await world.deleteEvent();
  world.now += minutes;
  await world.givenEvent(5);
  await deliverOnce(world, checkout);
  expect([world.seats, ...outcome(world)]).toEqual([0, 0, ["nothing to pay"]]);
  // A later removal finds no paid registration.
  await world.end(a, "event deleted/event");
  await deliverOnce(world, checkout);
  expect(outcome(world)).toEqual([0, ["nothing to pay"]]);
});

describe("a person who has paid for a deleted event and registers for the new generation", () => {
  test.each([
    ["an unpaid seat", {}, "incomplete"],
    ["a free seat", { pricing: { members: 0, nonMembers: 0 } }, "registered"],
  ])("gets %s and exactly one refund", async (_, again, status) => {
    const world = new PaymentWorld();
    await world.givenEvent(5);
    await world.register(a);
    await deliverOnce(world, await world.openCheckout(a));
    await world.deleteEvent();
    world.now += minutes;
    await world.givenEvent(5, again);
    // The registrations of the deleted event have not been removed yet.
    expect(await world.register(a)).toMatchObject({ status });
    expect(world.registration(a)).not.toHaveProperty("paidBy");
    await world.cancel(a);
    expect(outcome(world)).toEqual([1, ["registration ended"]]);
  });
});
