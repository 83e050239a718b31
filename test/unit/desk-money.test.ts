/** What the treasurer's desk offers and says of payments, beside the domain's own sums; the journal, times, the audit. */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { toUtc } from "#domain/events/dates.ts";
import { maxRefunds, type Payment, refundable, restOf, sumsOf, undecidedOf } from "#domain/payments/record/payment.ts";
import { AmountDiffers } from "#domain/payments/refusals.ts";
import * as accounts from "../../client/desk/accounts/rules.ts";
import { deletionOf } from "../../client/desk/events/rules.ts";
import { type Journal, joined, payoutsOf } from "../../client/desk/money/journal-rules.ts";
import * as rules from "../../client/desk/money/rules.ts";
import * as times from "../../client/desk/money/times.ts";

const { paymentAnswer } = await import("#api/payments/payment-list.ts");

const { schemas } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")).components;
const zone = "America/Vancouver";
const email = "ada@unit.example";
const settled: Payment = {
  ...{ paymentId: "cs_1", email, money: { amount: 1_000, currency: "CAD", paymentIntent: "pi_1" }, as: "seat" },
  ...{ purpose: { kind: "event", event: { id: "gala", year: 2030 }, queueKey: "q" }, settledAt: 1, version: 1 },
};
const paymentWith = (fields: object): rules.Payment => paymentAnswer({ ...settled, ...fields }) as never;

const refundStates = fc.constantFrom("reserved", "pending", "succeeded", "failed");
const refund = fc.record({ amount: fc.integer({ min: 1, max: 250 }), state: refundStates, at: fc.nat(9) });
// An inquiry takes nothing, and leaves the payment refundable; a dispute takes a part or all, for good once it is lost.
const disputes = fc
  .constantFrom("won 0", "warning_needs_response 0", "needs_response 1000", "under_review 300", "lost 300")
  .map((text) => text.split(" "))
  .map(([status, taken]) => ({ amount: 1_000, status, isRefundable: taken === "0", moved: { t: -Number(taken) } }));
const facts = fc.record({
  refunds: fc.array(refund, { maxLength: 4 }),
  disputes: fc.array(disputes, { maxLength: 1 }),
  owed: fc.constantFrom(undefined, 400, 1_000),
  review: fc.constantFrom(undefined, "late"),
  keeps: fc.constantFrom(undefined, 700),
});
const payments = facts.map((some) => ({ ...settled, ...some }) as never as Payment);

test("a payment can be refunded, kept and waived as far as the service would not refuse it", () => {
  fc.assert(
    fc.property(payments, fc.nat(1_500), (paid, price) => {
      const byHand = { ...paid, disputes: {}, price, byHand: { how: "cash", by: "x" } } as Payment;
      for (const payment of [paid, byHand]) {
        const expected = { left: refundable(payment), undecided: undecidedOf(payment), owes: restOf(payment) };
        expect(rules.possibleOf(paymentWith(payment))).toMatchObject(expected);
      }
    }),
    { numRuns: 500 },
  );
  const refunds = Array(maxRefunds).fill({ amount: 1, state: "succeeded", at: 1 });
  expect(rules.possibleOf(paymentWith({ refunds }))).toMatchObject({ left: 0, canSend: true });
  const ofCash = paymentWith({ refunds: refunds.slice(1), money: { amount: 1_000, currency: "CAD" } });
  expect(rules.possibleOf(ofCash)).toMatchObject({ left: 1_001 - maxRefunds, canSend: false });
});

test("the deletion of an event refunds of a seat what is not on its way back already", () => {
  const seat = { email, registrationStatus: "registered", applicationStatus: "", isPartner: false } as const;
  fc.assert(
    fc.property(payments, (payment) => {
      fc.pre(sumsOf(payment).frozen === 0);
      const added = sumsOf({ ...payment, owed: 1_000 }).open - sumsOf(payment).open;
      expect(deletionOf([seat], [paymentWith(payment)]).refunds).toBe(added);
    }),
  );
});

test("the code by which a person had registered is shown and found by its note, or by its id", () => {
  const code = { id: "o3J9bD0kR8sVx2Qw", kind: "discount" };
  const texts = [paymentWith({ code: { ...code, note: "To the sponsors" } }), paymentWith({ code }), paymentWith({})];
  expect(texts.map(rules.codeText)).toEqual(["discount: To the sponsors", "discount: o3J9bD0kR8sVx2Qw", ""]);
  expect(texts.map((payment) => rules.isFound(payment, "sponsors"))).toEqual([true, false, false]);
});

test("each state of a payment and of a refund has words; another amount is asked about without words for programs", () => {
  expect(Object.keys(rules.stateTexts).toSorted()).toEqual(schemas.Payment.properties.state.enum.toSorted());
  expect(Object.keys(rules.refundTexts).toSorted()).toEqual(schemas.Refund.properties.state.enum.toSorted());
  const text = rules.differsText(new AmountDiffers({ amount: 900, currency: "CAD" }, 1_250).message);
  expect(text).toMatch(/^12\.50 CAD is asked for, not 9\.00 CAD\. Correct it, or tick [^`]*$/);
  const body = { amount: 1, confirm: true, waive: "x" };
  expect(rules.unconfirmed({ ...body, instead: body })).toEqual({ amount: 1, instead: { amount: 1 } });
});

test("the journal of all pages closes with each account's last balance, and a payout counts what it had", () => {
  const opening = { provider: 1, cash: 2, bank: 3 };
  const rows = [
    { account: "provider", kind: "payment", balance: 10, payout: "po_1" },
    { account: "provider", kind: "fee", payout: "po_1" },
    { account: "bank", kind: "payout", source: "po_1", balance: 30 },
    { account: "bank", kind: "payout failed", source: "po_2" },
  ];
  const pages = rows.map((row) => ({ opening, readUntil: 7, rows: [row] })) as unknown as Journal[];
  expect(joined(pages)).toEqual({ opening, closing: { provider: 10, cash: 2, bank: 30 }, rows, readUntil: 7 });
  const payouts = payoutsOf(joined(pages).rows).map(({ id, rows: had, isFailed }) => `${id} ${had} ${isFailed}`);
  expect(payouts).toEqual(["po_1 2 false", "po_2 0 true"]);
});

// biome-ignore format: one row a case
test.each([["2031-01-01T06:59:59Z", "2030-12", "2031-01"], ["2031-01-01T07:00:00Z", "2031-01", "2031-02"],
  ["2026-03-01T07:59:59Z", "2026-02", "2026-03"], ["2026-11-01T06:59:59Z", "2026-10", "2026-11"],
])("%s is in the month %s of the stage, before %s", (iso, month, next) => {
  expect(times.monthAt(Date.parse(iso), zone)).toBe(month);
  expect([times.monthBeside(month, 1), times.monthBeside(next, -1)]).toEqual([next, month]);
});

test("the day after ends a day at a year's end, in leap years and at clock changes; a sum's period is one of the API", () => {
  const days = ["2030-12-31", "2028-02-28", "2026-03-08", "2026-11-01", ""].map(times.dayAfter);
  expect(days).toEqual(["2031-01-01", "2028-02-29", "2026-03-09", "2026-11-02", undefined]);
  const range = { min: new Date("2025-01-01"), max: new Date("2035-01-01"), noInvalidDate: true };
  const day = fc.date(range).map((date) => date.toISOString().slice(0, 10));
  const known = fc.option(day, { nil: "" });
  fc.assert(
    fc.property(known, known, day, (from, to, today) => {
      const period = times.yearUntil(from, to, today);
      const lasts = Date.parse(toUtc(period.to, zone)) - Date.parse(toUtc(period.from, zone));
      expect(lasts).toBeLessThanOrEqual(400 * 86_400_000);
      expect(period.from >= from && period.to > (to || today)).toBe(true);
    }),
  );
});

test("the audit has one group for each request, a line for each kept value, and one for personal fields", () => {
  const changes = [{ field: "startDate", before: 1.9e12, after: null }, { field: "fname" }, { field: "phone" }];
  const entries = ["b", "r", "b"].map((requestId) => ({ requestId, changes })) as accounts.Entry[];
  expect(accounts.groupsOf(entries).map((group) => group.entries.length)).toEqual([2, 1]);
  const lines = accounts.changeLines(entries[0] as accounts.Entry, (at) => `at ${at}`);
  expect(lines).toEqual(["Start date: at 1900000000000 → nothing", "Changed: first name, phone"]);
});
