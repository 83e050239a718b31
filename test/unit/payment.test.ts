/** A payment and the facts about its money: their order does not matter, and their number is bounded. */
import "./environment.ts";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  isWhollyRefunded,
  type Payment,
  paymentStateOf,
  refundable,
  sumsOf,
  undecidedOf,
  unsentOf,
  withKept,
  withReservation,
} from "#domain/payments/payment.ts";
import { moneyEventOf } from "#domain/payments/provider-events/money-event.ts";
import { type RefundQuestion, refundPlanFor, wasRefunded } from "#domain/payments/refunds/refund-rules.ts";
import { waitsFor } from "#domain/payments/waits-for.ts";

const money = { amount: 1_000, currency: "CAD", paymentIntent: "pi_1" };
const purpose = { kind: "membership" } as const;
const settled: Payment = {
  paymentId: "cs_1",
  email: "a@unit.example",
  money,
  as: "seat",
  purpose,
  settledAt: 1,
  version: 1,
};

const refund = (id: string, amount: number, status: string, more: object = {}) => ({
  type: "refund.updated",
  data: { object: { id, amount, status, payment_intent: "pi_1", created: 1, ...more } },
});
const dispute = (id: string, amount: number, status: string) => ({
  type: "charge.dispute.closed",
  data: { object: { id, amount, status, payment_intent: { id: "pi_1" } } },
});

const after = (events: readonly unknown[], payment: Payment = settled) =>
  events.reduce<Payment>((known, event) => {
    const fact = moneyEventOf(event);
    return fact?.kind === "payment" ? (fact.change(known) as Payment) : known;
  }, payment);

describe("facts about a payment", () => {
  const events = fc.array(
    fc.oneof(
      fc
        .tuple(fc.constantFrom("re_1", "re_2"), fc.constantFrom("pending", "succeeded", "failed"), fc.boolean())
        .map(([id, status, own]) =>
          refund(id, 300, status, own && id === "re_1" ? { metadata: { refund: "own" } } : {}),
        ),
      fc
        .tuple(
          fc.constantFrom("dp_1", "dp_2"),
          fc.constantFrom("warning_needs_response", "needs_response", "prevented", "won", "lost", "warning_closed"),
        )
        .map(([id, status]) => dispute(id, 400, status)),
    ),
    { maxLength: 12 },
  );

  test("give the same sums in any order, and repeated", () => {
    fc.assert(
      fc.property(events, fc.infiniteStream(fc.nat()), (all, chance) => {
        const shuffled = all
          .map((event) => [chance.next().value as number, event] as const)
          .sort(([one], [other]) => one - other)
          .map(([, event]) => event);
        expect(sumsOf(after([...shuffled, ...all]))).toEqual(sumsOf(after(all)));
        expect(paymentStateOf(after(shuffled))).toBe(paymentStateOf(after(all)));
      }),
    );
  });

  test.each(["succeeded", "failed"])("the provider's word prevails over a refusal: %s", (state) => {
    const told = [refund("re_1", 300, state, { metadata: { refund: "own" } })];
    const reserved = withReservation(settled, "own", { amount: 300, at: 1, by: "a" }) as Payment;
    const refused = {
      ...reserved,
      refunds: { own: { ...reserved.refunds?.own, amount: 300, at: 1, state: "failed" as const } },
    };
    expect(after(told, refused).refunds?.own).toMatchObject({ state, providerId: "re_1", by: "a" });
    const twice = after([...told, refund("re_2", 300, "succeeded", { metadata: { refund: "own" } })], refused);
    expect(Object.keys(twice.refunds ?? {})).toEqual(["own", "re_2"]);
  });

  test("of a shape that the provider does not send are none", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom("refund.created", "charge.dispute.created"), (object, type) => {
        const fact = moneyEventOf({ type, data: { object } });
        if (fact?.kind === "payment") fact.change(settled);
      }),
    );
    for (const event of [null, 7, {}, { type: "refund.created" }, refund("", 1, "succeeded")]) {
      expect(moneyEventOf(event)).toBeUndefined();
    }
    expect(moneyEventOf({ type: "payout.reconciliation_completed", data: { object: { id: "po_1" } } })).toEqual({
      kind: "payout",
      payoutId: "po_1",
    });
  });
});

test.each([
  ["an inquiry takes nothing, and can be refunded", "warning_needs_response", [], "kept", 1_000],
  ["a dispute freezes what it has taken", "needs_response", [-400], "frozen", 0],
  ["it freezes also when it is won, until the money is back", "won", [-400], "frozen", 0],
  ["what a prevented one has taken has gone back", "prevented", [-400], "part refunded", 600],
  ["a prevented one that was a refund has taken none", "prevented", [], "kept", 1_000],
] as const)("a dispute is judged by its lines in the balance: %s", (_, status, lines, state, left) => {
  const told = (status: string, amounts: readonly number[]) => {
    const event = dispute("dp_1", 400, status);
    Object.assign(event.data.object, { balance_transactions: amounts.map((amount) => ({ amount })) });
    return event;
  };
  const last = told(status, lines);
  const payment = after([last]);
  expect([paymentStateOf(payment), refundable(payment)]).toEqual([state, left]);
  // Events of before may come first or later: another status, or one line less.
  for (const earlier of [told("warning_needs_response", []), told(status, lines.slice(0, -1))]) {
    expect([after([earlier, last]), after([last, earlier])]).toEqual([payment, payment]);
  }
});

test("what is left can be refunded: nothing of a disputed payment, nor after twenty refunds", () => {
  expect(refundable(settled)).toBe(1_000);
  expect(refundable(after([refund("re_1", 300, "pending"), refund("re_2", 100, "failed")]))).toBe(700);
  expect(refundable(after([dispute("dp_1", 10, "needs_response")]))).toBe(0);
  expect(refundable(after([dispute("dp_1", 10, "needs_response"), dispute("dp_1", 10, "won")]))).toBe(1_000);
  const refunds = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`${n}`, { amount: 1, at: 1, state: "failed" as const }]),
  );
  expect(refundable({ ...settled, refunds })).toBe(0);
});

const decision = { reason: "A fee", by: "exec@club.example", at: 5 };
const failed = (id: string, amount: number) => refund(id, amount, "failed", { failure_reason: "expired_card" });

describe("what has to go back and has not begun to", () => {
  test.each<[string, Payment, number]>([
    ["money that paid for nothing", { ...settled, as: "refund" }, 1_000],
    ["what is required", { ...settled, owed: 1_000 }, 1_000],
    ["a refund of the dashboard that has failed", after([failed("re_1", 300)]), 300],
    ["once, when it was sent again and failed", after([failed("re_1", 300), failed("re_2", 300)]), 300],
    ["nothing more when it was sent again", after([failed("re_1", 300), refund("re_2", 300, "succeeded")]), 0],
    ["the part that failed", after([refund("re_1", 300, "succeeded"), failed("re_2", 300)]), 300],
    ["nothing while a bank decides", after([dispute("dp_1", 5, "needs_response")], { ...settled, owed: 1_000 }), 0],
  ])("%s", (_, payment, cents) => {
    expect(unsentOf(payment)).toBe(cents);
  });

  test("a decision ends it, also for what had failed; what fails later is owed again", () => {
    const open = after([failed("re_1", 300)], { ...settled, owed: 1_000, review: "late" });
    expect(undecidedOf(open)).toBe(1_000);
    const fee = withKept(open, { ...decision, amount: 200 });
    expect([unsentOf(fee), fee.review]).toEqual([800, undefined]);
    const sent = withReservation(fee, "own", { amount: 800, at: 6, by: "exec@club.example" }) as Payment;
    expect([unsentOf(sent), sumsOf(sent).open]).toEqual([0, 800]);
    const returned = after([refund("re_9", 800, "failed", { metadata: { refund: "own" } })], sent);
    expect(unsentOf(returned)).toBe(800);
    const kept = withKept(returned, { ...decision, amount: 800 });
    expect([unsentOf(kept), waitsFor(kept)]).toEqual([0, undefined]);
  });
});

const { paymentIntent: _, ...withoutIntent } = money;
const disputes = { a: { amount: 1, state: "inquiry", dueBy: 86_400_000 }, b: { amount: 1, state: "open" } } as const;
test.each<[string, Payment, string | undefined]>([
  ["a used payment", settled, undefined],
  ["a lost dispute", after([dispute("dp_1", 5, "lost")]), undefined],
  ["a required refund", { ...settled, owed: 1_000 }, "Refund 10.00 CAD, or keep it with a reason."],
  ["a late cancellation", { ...settled, review: "late" }, "Cancelled late: refund it, or keep it with a reason."],
  ["a failed refund", after([failed("re_1", 300)]), "A refund failed (expired_card): send 3.00 CAD again"],
  ["cash", { ...settled, owed: 1_000, money: withoutIntent }, "Give 10.00 CAD back by hand and record that"],
  ["an inquiry and a dispute", { ...settled, disputes }, "until 1970-01-02. Disputed: answer at the provider."],
])("what waits for a person says what to do: %s", (_, payment, sentence) => {
  expect(waitsFor(payment)).toEqual(sentence && expect.stringContaining(sentence));
});

test("a refund counts for the next one as soon as it is on its way", () => {
  const refunded = (state: string) => wasRefunded(after([refund("re_1", 300, state)]));
  expect([wasRefunded(settled), refunded("pending"), refunded("succeeded")]).toEqual([false, true, true]);
});

test("a payment is wholly refunded when all of it has left, or is about to", () => {
  const parts = (state: string) => after([refund("re_1", 999, "succeeded"), refund("re_2", 1, state)]);
  expect([parts("failed"), parts("pending")].map(isWhollyRefunded)).toEqual([false, true]);
});

const question: RefundQuestion = { fact: {}, payment: settled, mode: "automatic", isLate: false, earlier: 0 };
const own = { fact: { cancelledByPerson: true } };
test.each<[string, Partial<RefundQuestion>, object]>([
  ["the club cancels", {}, { kind: "send", amount: 1_000 }],
  ["the club cancels, late, for the third time", { isLate: true, earlier: 2 }, { kind: "send", amount: 1_000 }],
  ["the person cancels", own, { kind: "send", amount: 1_000 }],
  ["the person cancels late", { ...own, isLate: true }, { kind: "by hand", because: "late" }],
  ["the person's second refund", { ...own, earlier: 1 }, { kind: "send", amount: 1_000 }],
  ["the person's third refund", { ...own, earlier: 2 }, { kind: "by hand", because: "third" }],
  ["a stage that sends nothing", { mode: "by hand" }, { kind: "by hand", because: "stage" }],
  ["a part went back before", { payment: after([refund("re_1", 300, "succeeded")]) }, { kind: "send", amount: 700 }],
  ["a dispute", { payment: after([dispute("dp_1", 5, "needs_response")]) }, { kind: "by hand", because: "frozen" }],
  ["no payment is known", { payment: undefined }, { kind: "by hand", because: "unknown" }],
  ["no transfer", { payment: { ...settled, money: withoutIntent } }, { kind: "by hand", because: "stage" }],
])("a required refund: %s", (_name, change, plan) => {
  expect(refundPlanFor({ ...question, ...change })).toEqual(plan);
});
