/** A payment and the facts about its money: their order does not matter, and their number is bounded. */
import "./environment.ts";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { lineIn, type PayoutLine } from "#domain/payments/provider/refund-calls.ts";
import { moneyEventOf } from "#domain/payments/provider-events/money-event.ts";
import { disputeMeanings } from "#domain/payments/record/dispute.ts";
import { newsOf } from "#domain/payments/record/news.ts";
import {
  hasLeft,
  type Payment,
  paymentStateOf,
  refundable,
  type StoredPayment,
  sumsOf,
  undecidedOf,
  unsentOf,
  withDispute,
  withKept,
  withLine,
  withReservation,
} from "#domain/payments/record/payment.ts";
import { waitsFor } from "#domain/payments/record/waits-for.ts";
import { type RefundQuestion, refundPlanFor, wasRefunded } from "#domain/payments/refunds/refund-rules.ts";

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
/** @param lines the amounts of its lines in the balance */
const dispute = (
  id: string,
  amount: number,
  status: string,
  lines: readonly number[] = [-amount],
  more: object = {},
) => ({
  type: "charge.dispute.closed",
  data: {
    object: {
      ...{ id, amount, status, payment_intent: { id: "pi_1" }, ...more },
      balance_transactions: lines.map((line, at) => ({ id: `txn_${id}_${at}`, amount: line })),
    },
  },
});

const after = (events: readonly unknown[], payment: Payment = settled) =>
  events.reduce<Payment>((known, event) => {
    const fact = moneyEventOf(event);
    if (fact?.kind === "dispute") return withDispute(known, fact.id, fact.dispute) as Payment;
    return fact?.kind === "payment" ? (fact.change(known) as Payment) : known;
  }, payment);

describe("facts about a payment", () => {
  const events = fc.array(
    fc
      .tuple(fc.constantFrom("re_1", "re_2"), fc.constantFrom("pending", "succeeded", "failed"), fc.boolean())
      .map(([id, status, own]) => refund(id, 300, status, own && id === "re_1" ? { metadata: { refund: "own" } } : {})),
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
    expect(moneyEventOf({ type: "payout.failed", data: { object: { id: "po_1" } } })).toBeUndefined();
  });
});

test.each([
  ["an inquiry takes nothing, and can be refunded", "warning_needs_response", [], true, "kept", 1_000],
  ["a dispute freezes what it has taken", "needs_response", [-400], false, "frozen", 0],
  ["of a dispute of a part the rest may be refunded", "needs_response", [-400], true, "frozen", 600],
  ["what is won is frozen until it is back", "won", [-400], false, "frozen", 600],
  ["what was won and is back is kept", "won", [-400, 400], false, "kept", 1_000],
  ["what was won and is taken again is frozen", "appeal_needs_response", [-400, 400, -400], false, "frozen", 0],
  ["what is lost is gone", "lost", [-400, 400, -400], false, "lost", 600],
  ["what a prevented one has taken has gone back", "prevented", [-400], false, "part refunded", 600],
  ["a prevented one that was a refund has taken none", "prevented", [], false, "kept", 1_000],
  ["one of an unknown status is frozen", "surprising", [-400], false, "frozen", 0],
] as const)(
  "a dispute is judged by its lines in the balance: %s",
  (_, status, lines, is_charge_refundable, state, left) => {
    const last = dispute("dp_1", 400, status, lines, { is_charge_refundable });
    const payment = after([dispute("dp_1", 400, "won", lines.slice(0, -1)), last]);
    expect([paymentStateOf(payment), refundable(payment)]).toEqual([state, left]);
    expect(after([last], payment)).toBe(payment);
  },
);

test("several disputes of a payment add up, and each line counts once", () => {
  const payment = after([
    dispute("dp_1", 400, "lost"),
    dispute("dp_2", 300, "under_review"),
    dispute("dp_1", 400, "lost"),
  ]);
  expect(sumsOf(payment)).toMatchObject({ frozen: 300, lost: 400, wentBack: 0 });
  expect(hasLeft(after([dispute("dp_1", 600, "lost"), dispute("dp_2", 400, "lost")]))).toBe(true);
  expect(hasLeft(after([dispute("dp_1", 600, "lost"), dispute("dp_2", 400, "under_review")]))).toBe(false);
});

test("a record with the words of before counts as it did", () => {
  const sumsWith = (former: object) => sumsOf({ ...settled, disputes: { dp_1: former as never } });
  expect(sumsWith({ amount: 400, state: "open" })).toMatchObject({ frozen: 400, lost: 0 });
  expect(sumsWith({ amount: 400, state: "lost", taken: 300, lines: 1 })).toMatchObject({ frozen: 0, lost: 300 });
  expect(sumsWith({ amount: 400, state: "won" })).toMatchObject({ frozen: 0, lost: 0, wentBack: 0 });
  expect(sumsWith({ amount: 400, state: "prevented", taken: 400, lines: 1 })).toMatchObject({ wentBack: 400 });
});

test.each(Object.entries(disputeMeanings))("of a dispute with %s the treasurer reads who acts", (status, { acts }) => {
  const payment = after([dispute("dp_1", 400, status, [-400], { evidence_details: { due_by: 2_000_000_000 } })]);
  const sentence = waitsFor(payment, "UTC");
  expect(sentence?.includes("until 2033-05-18") ?? false).toBe(acts === "club");
  const [news] = newsOf(undefined, payment);
  expect(news).toMatchObject({ type: "payment.disputed", data: { disputeId: "dp_1", state: status } });
});

test("the treasurer hears of another status, and of another day to act", () => {
  const due = (due_by: number, status = "needs_response") =>
    after([dispute("dp_1", 400, status, [-400], { evidence_details: { due_by } })]);
  const told = (before: Payment, now: Payment) => newsOf(before, now).length;
  expect([told(due(1), due(1)), told(due(1), due(2)), told(due(1), due(1, "under_review"))]).toEqual([0, 1, 1]);
  expect(told(due(1, "under_review"), due(2, "under_review"))).toBe(0);
});

test("what is left can be refunded: nothing of a disputed payment, nor after twenty refunds", () => {
  expect(refundable(settled)).toBe(1_000);
  expect(refundable(after([refund("re_1", 300, "pending"), refund("re_2", 100, "failed")]))).toBe(700);
  expect(refundable(after([dispute("dp_1", 10, "needs_response")]))).toBe(0);
  expect(refundable(after([dispute("dp_1", 10, "needs_response"), dispute("dp_1", 10, "won", [-10, 10])]))).toBe(1_000);
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
    ["a refund that was canceled", after([refund("re_1", 300, "canceled")]), 300],
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

describe("the provider settles in another currency", () => {
  const transaction = { type: "charge", amount: 730, fee: 52, net: 678, source: { payment_intent: "pi_1" } };
  const withTransaction = (payment: StoredPayment, id: string, currency: string) => {
    const { paymentIntent: _, id: name, ...line } = lineIn({ ...transaction, id, currency }) as PayoutLine;
    return withLine(payment, name, line);
  };

  test("a line names its currency where that is not the payment's, and no sum has it", () => {
    const both = withTransaction(withTransaction(settled, "txn_1", "usd"), "txn_2", "cad") as Payment;
    expect(both.lines).toEqual({
      txn_1: { type: "charge", amount: 730, fee: 52, net: 678, currency: "USD" },
      txn_2: { type: "charge", amount: 730, fee: 52, net: 678 },
    });
    expect(sumsOf(both).fee).toBe(52);
  });

  test("a line that came before the settlement counts if its currency turns out to be the payment's", () => {
    const before = withTransaction(withTransaction({ version: 0 }, "txn_1", "usd"), "txn_2", "cad");
    expect(sumsOf({ ...settled, ...before }).fee).toBe(52);
  });

  test("a dispute moves what is disputed, not what that is in the other currency", () => {
    const line = (id: string, amount: number) => ({ id, amount, currency: "usd" });
    const disputed = (...lines: readonly object[]) => {
      const { type, data } = dispute("dp_1", 400, "needs_response", [], { currency: "cad" });
      return sumsOf(after([{ type, data: { object: { ...data.object, balance_transactions: lines } } }])).frozen;
    };
    expect([disputed(line("txn_1", -292)), disputed(line("txn_1", -292), line("txn_2", 292))]).toEqual([400, 0]);
  });
});

const { paymentIntent: _, ...withoutIntent } = money;
const erased = "erased@erased.invalid";
const disputes = { a: { amount: 1, state: "inquiry", dueBy: 90_000_000 }, b: { amount: 1, state: "open" } } as const;
test.each<[string, Payment, string | undefined]>([
  ["a used payment", settled, undefined],
  ["a lost dispute", after([dispute("dp_1", 5, "lost")]), undefined],
  ["a required refund", { ...settled, owed: 1_000 }, "Refund 10.00 CAD, or keep it with a reason."],
  ["a late cancellation", { ...settled, review: "late" }, "Cancelled late: refund it, or keep it with a reason."],
  ["a failed refund", after([failed("re_1", 300)]), "A refund failed (expired_card): send 3.00 CAD again"],
  ["cash", { ...settled, owed: 1_000, money: withoutIntent }, "Give 10.00 CAD back by hand and record that"],
  [
    "a failed refund of an erased person",
    { ...after([failed("re_1", 300)]), email: erased },
    "A refund failed (expired_card). The person is erased, and there is nobody left to tell: refund 3.00 CAD, or keep it",
  ],
  [
    "cash of an erased person",
    { ...settled, owed: 1_000, money: withoutIntent, email: erased },
    "The person is erased, and there is nobody left to tell: keep 10.00 CAD with a reason.",
  ],
  ["an inquiry and a dispute", { ...settled, disputes }, "until 1970-01-01. Disputed: answer at the provider."],
])("what waits for a person says what to do: %s", (_, payment, sentence) => {
  expect(waitsFor(payment, "America/Vancouver")).toEqual(sentence && expect.stringContaining(sentence));
});

test("a refund counts for the next one as soon as it is on its way", () => {
  const refunded = (state: string) => wasRefunded(after([refund("re_1", 300, state)]));
  expect([wasRefunded(settled), refunded("pending"), refunded("succeeded")]).toEqual([false, true, true]);
});

test("a payment is wholly refunded when all of it has left, or is about to", () => {
  const parts = (state: string) => after([refund("re_1", 999, "succeeded"), refund("re_2", 1, state)]);
  expect([parts("failed"), parts("pending")].map(hasLeft)).toEqual([false, true]);
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
