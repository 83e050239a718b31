import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { checkoutIdOf, meaningOf } from "#domain/payments/provider-events/provider-event.ts";

const session = {
  id: "cs_1",
  client_reference_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  payment_status: "paid",
  amount_total: 1_500,
  currency: "cad",
  payment_intent: "pi_1",
};
const messageOf = (type: unknown, changes: object = {}) => ({ type, data: { object: { ...session, ...changes } } });

describe("an event of the provider", () => {
  test.each([
    ["completed", "paid", "paid"],
    ["completed", "unpaid", "under way"],
    ["completed", "no_payment_required", undefined],
    ["completed", undefined, undefined],
    ["async_payment_succeeded", "paid", "paid"],
    ["async_payment_succeeded", "unpaid", undefined],
    ["async_payment_failed", "unpaid", "failed"],
    ["expired", "unpaid", "expired"],
  ])("of type %s with %s means: %s", (type, payment_status, meaning) => {
    expect(meaningOf(messageOf(`checkout.session.${type}`, { payment_status }))?.meaning).toBe(meaning);
  });

  test("is read into the names of the service", () => {
    expect(meaningOf(messageOf("checkout.session.completed"))?.session).toEqual({
      id: "cs_1",
      checkoutId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      amount: 1_500,
      currency: "cad",
      paymentIntent: "pi_1",
    });
    const expanded = meaningOf(messageOf("checkout.session.completed", { payment_intent: { id: "pi_2", amount: 1 } }));
    expect(expanded?.session.paymentIntent).toBe("pi_2");
  });

  test("is read without an error, whatever it contains", () => {
    const types = fc.oneof(fc.constantFrom("checkout.session.completed", "checkout.session.expired"), fc.anything());
    const anything = fc.record({ type: types, data: fc.oneof(fc.record({ object: fc.anything() }), fc.anything()) });
    fc.assert(
      fc.property(fc.oneof(anything, fc.anything()), (event) => {
        const meant = meaningOf(event);
        if (meant) expect(typeof meant.session.id).toBe("string");
      }),
    );
  });
});

test.each([["another-4711"], [""], [undefined], ["01ARZ3NDEKTSV4RRFFQ69G5FAVX"], ["01arz3ndektsv4rrffq69g5fav"]])(
  "%j is no checkout of this service",
  (checkoutId) => {
    const { session: known } = meaningOf(messageOf("checkout.session.expired")) ?? {};
    expect(checkoutIdOf({ ...(known as NonNullable<typeof known>), checkoutId })).toBeUndefined();
  },
);
