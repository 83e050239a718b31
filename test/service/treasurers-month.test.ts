/**
 * A treasurer closes a month from the product alone: 80 payments by card, 20 by hand of which three were typed wrong, six
 * refunds, three disputes, two payouts (`docs/contract.md`, "Journal"). What has to come out is reckoned here, and at the
 * provider.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pMap from "p-map";
import { exec, newEmail, times, year } from "./given.ts";
import { operatorOf } from "./operator.ts";
import { givenStage, type ServiceStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let gala: string;
/** Sessions, in the order in which they were paid. */
const seats: string[] = [];
beforeAll(async () => {
  stage = await givenStage({ refunds: "automatic", quiet: true, standIns: withoutNotices });
  operator = await operatorOf(stage);
  gala = await stage.givenEvent({ capac: 200, pricing: { members: 5, nonMembers: 10 } });
});
afterAll(async () => {
  await stage.close();
  await operator.close();
});

const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
const ok = ({ status, body }: { readonly status: number; readonly body: unknown }) => {
  expect([status < 300, body]).toEqual([true, body]);
  // biome-ignore lint/suspicious/noExplicitAny: the body of any answer
  return body as any;
};
const get = async (path: string) => {
  await stage.indexed();
  return ok(await stage.api("GET", `/payments/${path}`, { as: exec }));
};
const post = (path: string, body: object) => stage.api("POST", `/payments/${path}`, { as: exec, body });
const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);
const night = async () => {
  await stage.invoke("Reconciler", {});
  await stage.settled();
};

/** @returns the person and the session */
async function bySeat() {
  const email = newEmail();
  ok(await stage.register(gala, email));
  const { id: session } = await stage.eventCheckout(gala, email);
  stage.payments.pay(session);
  return session;
}
async function byMembership() {
  const { id } = await stage.checkout(newEmail(), { paymentType: "Member", firstName: "Ada" });
  stage.payments.pay(id);
}
async function byHand(amount: number, how: "cash" | "transfer"): Promise<string> {
  const email = newEmail();
  ok(await stage.register(gala, email));
  return ok(await post("by-hand", { email, eventID: gala, year, amount, how, confirm: true })).paymentId;
}
const reverse = async (entryId: string, more: object = {}) =>
  ok(await post(`${entryId}/reversals`, { entryId, reason: "Typed wrong.", ...more }));
const refund = async (n: number, body: object) =>
  ok(await post(`${seats[n]}/refunds`, { reason: "Sorry!", ...body })).refund;

interface Row {
  readonly account: "provider" | "cash" | "bank";
  readonly kind: string;
  readonly amount: number;
  readonly balance: number;
}
/** The whole journal of this month. */
async function journal(): Promise<{ opening: Record<string, number>; rows: Row[] }> {
  const period = `from=${inDays(-40)}&to=${inDays(1)}`;
  const first = await stage.api("GET", `/payments/journal?${period}&limit=100`, { as: exec });
  const { opening, rows } = first.body;
  for (let next = first.headers.get("x-next-cursor"); next; ) {
    const page = await stage.api("GET", `/payments/journal?${period}&limit=100&cursor=${next}`, { as: exec });
    rows.push(...page.body.rows);
    next = page.headers.get("x-next-cursor");
  }
  return { opening, rows };
}
const ofKind = (rows: readonly Row[], kind: string) => rows.filter((row) => row.kind === kind);
const inAccount = (rows: readonly Row[], account: Row["account"]) => rows.filter((row) => row.account === account);

const books = async (...more: string[]) => {
  await stage.indexed();
  return operator.run("books", ...more);
};

test("before the first reconciliation the books say that it never ran", async () => {
  const { code, lines } = await books();
  expect([code, lines]).toEqual([1, [expect.stringContaining("never ran"), "Payments: 0, differences: 0."]]);
});

test("what people paid, by card and at the desk", async () => {
  seats.push(...(await pMap(times(40, String), bySeat, { concurrency: 4 })));
  await stage.settled();
  stage.payments.payOut();
  seats.push(...(await pMap(times(20, String), bySeat, { concurrency: 4 })));
  await stage.settled();
  stage.payments.payOut();
  await pMap(times(20, String), byMembership, { concurrency: 4 });
  await pMap(times(12, String), () => byHand(1_000, "cash"), { concurrency: 4 });
  await pMap(times(5, String), () => byHand(1_000, "transfer"), { concurrency: 4 });
  // Three were typed wrong: ten cents, a hundred, and cash that was a transfer.
  await reverse(await byHand(10, "cash"), { instead: { amount: 1_000, how: "cash" } });
  const hundred = await byHand(10_000, "cash");
  await reverse(hundred, { instead: { amount: 1_000, how: "cash" } });
  await reverse(await byHand(1_000, "cash"), { instead: { amount: 1_000, how: "transfer" } });
  await stage.settled();
  const counts = await stage.countsOf(gala);
  expect(counts).toMatchObject({ registeredCount: 80, incompleteCount: 0 });
});

test("what went back, and what banks took", async () => {
  for (const n of [0, 1, 2]) await refund(n, { cancel: true });
  await refund(3, { amount: 400 });
  await stage.settled();
  stage.payments.refundInDashboard(seats[4] ?? "");
  await stage.settled();
  // The sixth goes back by hand.
  const cash = await byHand(1_000, "cash");
  ok(await post(`${cash}/refunds`, { reason: "She is ill.", how: "cash", cancel: true }));
  const [lost = "", appealed = "", open = ""] = seats.slice(10);
  for (const session of [lost, appealed]) stage.payments.dispute(session);
  stage.payments.dispute(open, { amount: 600 });
  stage.payments.closeDispute(lost, "lost");
  stage.payments.closeDispute(appealed, "won");
  stage.payments.moveDispute(appealed, "appeal_needs_response");
  stage.payments.moveDispute(appealed, "lost");
  stage.payments.moveDispute(open, "under_review");
  await stage.settled();
  await night();
});

test("the journal has each movement once, and its rows add up to what stands in each account", async () => {
  const { opening, rows } = await journal();
  expect(opening).toEqual({ provider: 0, cash: 0, bank: 0 });
  const counted = Object.fromEntries(
    [...new Set(rows.map(({ kind }) => kind))].map((kind) => [kind, ofKind(rows, kind).length]),
  );
  expect(counted).toEqual({
    ...{ payment: 80, refund: 5, dispute: 4, "dispute reversed": 1, payout: 4, fee: expect.any(Number) },
    ...{ cash: 18, transfer: 6, "given back": 1, reversal: 3 },
  });
  for (const account of ["provider", "cash", "bank"] as const) {
    const own = inAccount(rows, account);
    expect([account, sum(own.map(({ amount }) => amount))]).toEqual([account, own.at(-1)?.balance]);
  }
  // To the cent: at the provider, in the box, at the bank.
  const lines = stage.payments.balanceTransactions();
  expect(inAccount(rows, "provider").at(-1)?.balance).toBe(sum(lines.map(({ net }) => net)));
  expect(inAccount(rows, "cash").at(-1)?.balance).toBe(14 * 1_000);
  const paidOut = -sum(lines.filter(({ type }) => type === "payout").map(({ amount }) => amount));
  expect(inAccount(rows, "bank").at(-1)?.balance).toBe(paidOut + 6 * 1_000);
  // A further night brings nothing twice.
  await night();
  expect((await journal()).rows).toEqual(rows);
});

test("the totals say what is left of the event and of the memberships, and agree with the journal", async () => {
  const totals = await get(`totals?from=${inDays(-40)}&to=${inDays(1)}`);
  const lines = stage.payments.balanceTransactions();
  const fees = sum(lines.map(({ fee }) => fee));
  const [event, membership] = totals;
  expect(totals).toHaveLength(2);
  expect(event).toMatchObject({
    ...{ purpose: "event", eventID: gala, year, currency: "CAD", payments: 81, came: 81_000, open: 0, owes: 0 },
    ...{ wentBack: 3 * 1_000 + 400 + 1_000 + 1_000, lost: 2_000, frozen: 600 },
  });
  expect(membership).toMatchObject({ purpose: "membership", payments: 20, came: 20 * 1_500, wentBack: 0, lost: 0 });
  expect(event.fee + membership.fee).toBe(fees);
  for (const one of totals) expect(one.net).toBe(one.came - one.wentBack - one.fee - one.frozen - one.lost);
  const { rows } = await journal();
  const standing = sum(rows.map(({ amount }) => amount));
  expect(event.net + membership.net).toBe(standing);
  const report = ok(await stage.api("GET", `/events/${gala}/${year}/report`, { as: exec }));
  const { purpose: _, eventID, year: __, currency, ...sums } = event;
  expect([eventID, currency, report.money]).toEqual([gala, "CAD", sums]);
});

test("the position says what is still open, asked live", async () => {
  const { provider, owed, owing, disputes, isWhole } = await get("position");
  const [balance] = stage.payments.balance().available;
  expect(provider.available).toEqual([{ amount: balance?.amount, currency: "CAD" }]);
  expect([owed, owing, isWhole]).toEqual([[], [], true]);
  expect(disputes).toMatchObject([{ paymentId: seats[12], status: "under_review", amount: 600, taken: 600 }]);
  expect(balance?.amount).toBeGreaterThan(0);
  stage.payments.payOut("in_transit");
  const { payouts } = (await get("position")).provider;
  expect(payouts).toMatchObject([{ amount: balance?.amount, currency: "CAD", arrivesAt: expect.any(Number) }]);
});

test("the books are equal; what the webhook has not heard is named, and --settle settles it", async () => {
  await night();
  for (const since of [[], ["--from", "1d"]])
    expect((await books(...since)).lines.at(-1)).toMatch(/^Payments: \d+, differences: 0\.$/);
  stage.payments.holdBack();
  const unheard = await bySeat();
  stage.payments.refundInDashboard(seats[20] ?? "", 100);
  const differing = await books();
  expect([differing.code, differing.lines.filter((line) => line.includes(": table "))]).toEqual([
    1,
    [
      `${unheard}: payment: table none, provider 10.00 CAD`,
      expect.stringMatching(`^${seats[20]}: refund re_\\w+: table none, provider amount 1.00, state succeeded$`),
    ],
  ]);
  expect((await books("--settle")).lines).toEqual([expect.stringMatching(/settled: 2, for the treasurer: 0\.$/)]);
  await stage.settled();
  expect((await books()).lines.at(-1)).toMatch(/, differences: 0\.$/);
  await stage.payments.release();
});

test("a month can be closed, and then never changes", async () => {
  // In every time zone over, and not the present one.
  const [month, next] = [inDays(-40).slice(0, 7), inDays(-40 + 31).slice(0, 7)];
  const [email, late] = [newEmail(), newEmail()];
  for (const person of [email, late]) ok(await stage.register(gala, person));
  const transfer = { eventID: gala, year, amount: 1_000, how: "transfer", at: `${month}-10` };
  ok(await post("by-hand", { ...transfer, email }));
  const period = `from=${month}-01&to=${next}-01`;
  const before = await get(`journal?${period}`);
  expect(before.rows).toMatchObject([{ kind: "transfer", account: "bank", amount: 1_000, email, balance: 1_000 }]);
  expect(ok(await post("journal/closings", { month })).balances).toEqual({ provider: 0, cash: 0, bank: 1_000 });
  expect((await post("by-hand", { ...transfer, email: late })).body.code).toBe("MONTH_CLOSED");
  expect((await post("journal/closings", { month })).body.code).toBe("MONTH_CLOSED");
  expect((await post("journal/closings", { month: "2099-12" })).body.issues[0].path).toBe("/month");
  // Today's date is open, and the refused entry has changed nothing.
  ok(await post("by-hand", { ...transfer, email: late, at: inDays(0) }));
  const after = await get(`journal?${period}`);
  expect(after.rows).toEqual(before.rows);
  const { opening } = await get(`journal?from=${next}-01&to=${inDays(1)}`);
  expect(opening).toEqual({ provider: 0, cash: 0, bank: 1_000 });
});
