/** Entries by hand and the journal, against a ledger of the test's own (`docs/contract.md`, "Journal"). */
import "./environment.ts";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { entryOf, type HowByHand } from "#domain/payments/record/by-hand.ts";
import { type Leg, legsOf, movementsByHand } from "#domain/payments/record/movement.ts";
import {
  type Payment,
  paymentStateOf,
  refundable,
  restOf,
  sumsOf,
  withEntry,
  withReversal,
} from "#domain/payments/record/payment.ts";
import { groupedTotals } from "#domain/payments/treasurer/totals.ts";
import { allOf } from "#kit/lists/pages.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { MemoryTable } from "../model/table.ts";
import { emailOf, givenGala } from "./gala.ts";

const { client } = await import("#kit/table/table.ts");
const { commit } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { closeJournal, journalPage } = await import("#domain/payments/treasurer/journal.ts");
const { checkOpen, movementsOf, putMovement } = await import("#domain/payments/record/journal-store.ts");
const { readBrought } = await import("#domain/payments/settling/brought.ts");
const { noteTransactions } = await import("#domain/payments/provider-events/note-transactions.ts");

const price = 2_000;
const by = "treasurer";
const paidByHand = (amount: number, waive?: string): Payment => ({
  ...{ paymentId: "hand_1", email: "ada@unit.example", money: { amount, currency: "CAD" }, as: "seat", settledAt: 0 },
  ...{ purpose: { kind: "membership" }, byHand: { how: "cash", by }, price, version: 1 },
  entries: { hand_1: entryOf({ how: "cash", by, price, waive }, amount, 0) },
});

/** What an executive does at the desk. `of`: of which entry, by its place. */
type Act =
  | { readonly kind: "take"; readonly amount: number; readonly how: HowByHand; readonly waives: boolean }
  | { readonly kind: "reverse"; readonly of: number }
  | { readonly kind: "give back"; readonly amount: number; readonly how: HowByHand };
const how = fc.constantFrom<HowByHand>("cash", "transfer");
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("take" as const),
      amount: fc.integer({ min: 1, max: 3_000 }),
      how,
      waives: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("reverse" as const), of: fc.nat(9) }),
    fc.record({ kind: fc.constant("give back" as const), amount: fc.integer({ min: 1, max: 3_000 }), how }),
  ),
  { maxLength: 12 },
);

/** The payment after an act, or as it was when the act would be refused. */
function after(payment: Payment, act: Act, now: number): Payment {
  const id = `e_${now}`;
  if (act.kind === "take") {
    const waive = act.waives ? "A friend." : undefined;
    return withEntry(payment, id, entryOf({ ...act, by, waive, price: restOf(payment) }, act.amount, now));
  }
  const { refunds = {}, reversals = {} } = payment;
  if (act.kind === "give back") {
    if (act.amount > refundable(payment)) return payment;
    const refund = { amount: act.amount, how: act.how, state: "succeeded", isByHand: true, at: now, by } as const;
    return { ...payment, refunds: { ...refunds, [id]: refund } };
  }
  const names = [...Object.keys(payment.entries ?? {}), ...Object.keys(refunds)];
  const of = names[act.of % names.length] ?? "";
  const { came, wentBack } = sumsOf(payment);
  const isReversed = Object.values(reversals).some((one) => one.of === of);
  if (isReversed || came - (payment.entries?.[of]?.amount ?? 0) < wentBack) return payment;
  return withReversal(payment, id, { of, reason: "Typed wrong.", by, at: now });
}

test("money, rest and journal are those of a ledger in which a reversed line does not count", () => {
  fc.assert(
    fc.property(acts, fc.integer({ min: 1, max: 3_000 }), fc.boolean(), (all, first, waives) => {
      const payment = all.reduce(
        (read, act, n) => after(read, act, n + 1),
        paidByHand(first, waives ? "A friend." : undefined),
      );
      const reversed = new Set(Object.values(payment.reversals ?? {}).map(({ of }) => of));
      const entries = Object.entries(payment.entries ?? {}).filter(([id]) => !reversed.has(id));
      const refunds = Object.entries(payment.refunds ?? {}).filter(([id]) => !reversed.has(id));
      const came = entries.reduce((sum, [, { amount }]) => sum + amount, 0);
      const wentBack = refunds.reduce((sum, [, { amount }]) => sum + amount, 0);
      const waived = entries.reduce((sum, [, entry]) => sum + (entry.waived ?? 0), 0);
      expect(sumsOf(payment)).toMatchObject({ came, wentBack, open: 0, lost: 0 });
      expect(restOf(payment)).toBe(Math.max(price - came - waived, 0));
      expect(paymentStateOf(payment) === "reversed").toBe(came === 0);
      const legs = movementsByHand(payment).flatMap(legsOf);
      expect(legs.reduce((sum, { amount }) => sum + amount, 0)).toBe(came - wentBack);
      // Cash and transfers are accounts of their own.
      const inCash = (one: { readonly how?: HowByHand | undefined }) => one.how === "cash";
      const box = [
        ...entries.map(([, one]) => ({ ...one })),
        ...refunds.map(([, one]) => ({ ...one, amount: -one.amount })),
      ];
      const ofCash = (all: readonly Leg[]) => all.filter(({ account }) => account === "cash");
      expect(ofCash(legs).reduce((sum, { amount }) => sum + amount, 0)).toBe(
        box.filter(inCash).reduce((sum, { amount }) => sum + amount, 0),
      );
    }),
  );
});

test("what all had to go back still has to, when a wrong amount is reversed", () => {
  const left: Payment = { ...paidByHand(2), owed: 2 };
  const reversed = withReversal(left, "r", { of: "hand_1", reason: "Typed wrong.", by, at: 1 });
  const right = withEntry(reversed, "e", entryOf({ how: "cash", by, price }, 2_000, 1));
  expect([sumsOf(right).open, restOf(right)]).toEqual([2_000, 0]);
});

test("a year of memberships begins in September", () => {
  const days = ["2029-08-31", "2029-09-01", "2030-01-01"];
  const paid = days.map((_, n) => ({ ...paidByHand(100), settledAt: n }));
  const dayOf = (at: number) => String(days[at]);
  expect(groupedTotals(paid, { dayOf, createdAt: () => 0 })).toMatchObject([
    { purpose: "membership", membershipYear: "2028/29", payments: 1, came: 100, owes: 1_900, net: 100 },
    { membershipYear: "2029/30", payments: 2, came: 200 },
  ]);
});

test("an event that was created again has nothing of the one that was deleted", () => {
  const purpose = { kind: "event", event: { id: "gala", year: 2030 }, queueKey: "1#q" } as const;
  const paid = [1, 2, 3].map((settledAt) => ({ ...paidByHand(100), purpose, settledAt }));
  const totalsWith = (createdAt: number | undefined) =>
    groupedTotals(paid, { dayOf: String, createdAt: () => createdAt }).map(({ payments, ...one }) => [
      "isDeleted" in one,
      payments,
    ]);
  expect([totalsWith(0), totalsWith(2), totalsWith(undefined)]).toEqual([
    [[false, 3]],
    [
      [true, 1],
      [false, 2],
    ],
    [[true, 3]],
  ]);
});

describe("the journal on a table", () => {
  let table: MemoryTable;
  /** Runs once, right before the next transaction. */
  let meanwhile: (() => Promise<unknown>) | undefined;
  beforeEach(() => {
    table = new MemoryTable();
    meanwhile = undefined;
    jest.spyOn(client, "send").mockImplementation((async (command: object) => {
      const first = command.constructor.name === "TransactWriteCommand" ? meanwhile : undefined;
      if (first) meanwhile = undefined;
      await first?.();
      return table.execute(command, () => 0);
    }) as never);
  });

  const context = (now: number) => ({ ...systemContext("r", now), actor: by });
  const transaction = (id: number, at: number, more: object = {}) => ({
    ...{
      id: `txn_${id}`,
      object: "balance_transaction",
      type: "charge",
      amount: 1_000,
      fee: 59,
      net: 941,
      currency: "cad",
    },
    ...{ created: at, source: { id: `ch_${id}`, payment_intent: `pi_${id}` }, ...more },
  });
  const reconciledAt = (since: number) =>
    table.seed({ PK: "RECONCILIATION", SK: "MARK", since, begunAt: since, version: 1 });
  const everything = { from: 0, to: 1_000_000_000 };

  test("pages of any length have the rows and balances of one page, whatever months are closed", async () => {
    const kinds = [
      {},
      { type: "refund", amount: -400, fee: 0 },
      { type: "payout", amount: -941, fee: 0, source: { id: "po_1" } },
      { type: "adjustment", amount: -1_000, fee: 1_500, source: { id: "dp_1" } },
      { currency: "usd" },
    ];
    const all = Array.from({ length: 40 }, (_, n) => transaction(n, n * 10, kinds[n % kinds.length]));
    // Twice, and the second time in another order.
    await noteTransactions(all, context(0));
    await noteTransactions(all.toReversed(), context(0));
    const whole = await journalPage(everything, {}, "CAD");
    expect(whole.rows).toHaveLength(40);
    reconciledAt(1_000_000);
    await closeJournal(105_000, "CAD", context(1_000_000));
    await closeJournal(205_000, "CAD", context(1_000_000));
    for (const limit of [1, 3, 7, 39]) {
      const rows = [];
      for (let after: string | undefined; ; ) {
        const page = await journalPage(everything, { limit, ...(after !== undefined && { after }) }, "CAD");
        rows.push(...page.rows);
        if (page.next === undefined) break;
        after = Buffer.from(page.next, "base64url").toString();
      }
      expect(rows).toEqual(whole.rows);
    }
    const legs = whole.rows.flatMap((row) => row.legs);
    expect(legs.filter(({ currency }) => currency === "USD").every(({ balance }) => balance === undefined)).toBe(true);
    // The rows of a time add up to the difference of the balances at its ends.
    const [from, to] = [110_000, 300_000];
    const [before, between, later] = await Promise.all([
      journalPage({ from, to: from + 1 }, {}, "CAD"),
      journalPage({ from, to }, {}, "CAD"),
      journalPage({ from: to, to: to + 1 }, {}, "CAD"),
    ]);
    for (const account of ["provider", "bank"] as const) {
      const moved = between.rows
        .flatMap((row) => row.legs)
        .filter((leg) => leg.account === account && leg.currency === "CAD")
        .reduce((sum, { amount }) => sum + amount, 0);
      expect(later.opening[account] - before.opening[account]).toBe(moved);
    }
  });

  const cash = (at: number) => ({
    ...({ id: "hand_1", at, type: "cash", account: "cash", amount: 500, fee: 0, currency: "CAD" } as const),
  });
  const enter = (at: number) => commit({ movement: putMovement(cash(at)), open: checkOpen(at) });

  test("a month is closed once the provider's books are read beyond it, and takes no entry then", async () => {
    reconciledAt(99_999);
    await expect(closeJournal(100_000, "CAD", context(200_000))).rejects.toMatchObject({ code: "NOT_RECONCILED" });
    reconciledAt(100_000);
    expect((await enter(50_000)).committed).toBe(true);
    expect(await closeJournal(100_000, "CAD", context(200_000))).toMatchObject({ balances: { cash: 500 } });
    expect((await enter(50_000)).committed).toBe(false);
    expect((await enter(100_000)).committed).toBe(true);
    await expect(closeJournal(100_000, "CAD", context(200_000))).rejects.toMatchObject({ code: "MONTH_CLOSED" });
  });

  test("an entry that comes between the closing's read and its write is in its balances", async () => {
    reconciledAt(100_000);
    meanwhile = () => enter(50_000);
    expect(await closeJournal(100_000, "CAD", context(200_000))).toMatchObject({ balances: { cash: 500 } });
  });

  test("control: without the count of earlier entries the closing would miss it", async () => {
    reconciledAt(100_000);
    meanwhile = () => commit({ movement: putMovement(cash(50_000)) });
    const { balances } = await closeJournal(100_000, "CAD", context(200_000));
    const stored = (await allOf(movementsOf({ from: 0, to: 100_000 }))).reduce((sum, { amount }) => sum + amount, 0);
    expect([balances.cash, stored]).toEqual([0, 500]);
  });
});

describe("what a payment has brought", () => {
  const email = emailOf("ada");
  const event = { kind: "event", event: { id: "gala", year: 2030 }, queueKey: "0" } as const;
  const membership = { kind: "membership" } as const;

  test.each([
    ["the seat that it has paid", { paidBy: "hand_1" }, ["seat"]],
    ["no seat that another one has paid", { paidBy: "hand_2" }, []],
    ["no seat that has ended", { paidBy: "hand_1", status: "cancelled" }, []],
  ] as const)("is %s", async (_, fields, brought) => {
    const gala = givenGala();
    await gala.register("ada");
    gala.remember("ada", fields);
    expect(Object.keys(await readBrought({ ...paidByHand(1), email, purpose: event }))).toEqual(brought);
  });

  test.each([
    ["a membership that began with it", "membership", 7, ["member"]],
    ["no membership that began later", "membership", 8, []],
    ["no membership when its money goes back", "refund", 7, []],
  ] as const)("is %s", async (_, as, createdAt, brought) => {
    givenGala().table.seed({ ...keyOf("membership", { email }), email, createdAt } as never);
    const payment = { ...paidByHand(1), email, purpose: membership, as, settledAt: 7 };
    expect(Object.keys(await readBrought(payment))).toEqual(brought);
  });
});
