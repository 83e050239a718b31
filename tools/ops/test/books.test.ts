/**
 * `npm run ops -- books`: the table's payments and the provider's lists, compared. Errors that a running stage can have are
 * planted in `test/service/treasurers-month.test.ts`.
 */
import "../../../test/unit/environment.ts";

import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { Payment, Refund } from "#domain/payments/record/payment.ts";
import { books } from "../books.ts";
import type { Run } from "../run.ts";

const table = mockClient(DynamoDBDocumentClient);
const secrets = mockClient(SecretsManagerClient);

const day = 86_400_000;
const now = Math.floor(Date.now() / 1_000) * 1_000;
/** When all of it happened, in epoch milliseconds. */
const then = now - 5 * day;
const created = then / 1_000;
const checkoutId = "01HZXCVBNM0123456789ABCDEF";

const seat: Payment = {
  paymentId: "cs_1",
  email: "ada@student.example",
  money: { amount: 15_00, currency: "CAD", paymentIntent: "pi_1" },
  as: "seat",
  purpose: { kind: "event", event: { id: "dinner", year: 2030 }, queueKey: "Q1" },
  settledAt: then,
  version: 3,
  refunds: {
    R1: { amount: 5_00, state: "succeeded", providerId: "re_1", at: 1, by: "exec@club.example" },
    re_2: { amount: 1_00, state: "succeeded", providerId: "re_2", at: 1 },
  },
  lines: {
    txn_1: { type: "charge", amount: 15_00, fee: 74, net: 14_26, payout: "po_1" },
    txn_2: { type: "refund", amount: -5_00, fee: 0, net: -5_00, payout: "po_1" },
    txn_3: { type: "refund", amount: -1_00, fee: 0, net: -1_00 },
  },
};
const membership: Payment = {
  ...seat,
  paymentId: "cs_2",
  money: { amount: 20_00, currency: "CAD", paymentIntent: "pi_2" },
  purpose: { kind: "membership" },
  refunds: {},
  disputes: { du_1: { amount: 20_00, state: "open", taken: 20_00, lines: 1 } },
  lines: {
    txn_4: { type: "charge", amount: 20_00, fee: 88, net: 19_12 },
    txn_5: { type: "adjustment", amount: -20_00, fee: 15_00, net: -35_00 },
  },
};

const sessionOf = ({ paymentId, money }: Payment) => ({
  id: paymentId,
  object: "checkout.session",
  created,
  status: "complete",
  payment_status: "paid",
  client_reference_id: checkoutId,
  amount_total: money.amount,
  currency: money.currency.toLowerCase(),
  payment_intent: money.paymentIntent,
});
const transactionOf = ({ money, lines = {} }: Payment) =>
  Object.entries(lines).map(([id, { payout, ...line }]) => ({
    ...{ id, ...line, created, payout },
    source: { id: `source_${id}`, payment_intent: money.paymentIntent },
  }));
const refundsOf = ({ money, refunds = {} }: Payment) =>
  Object.entries(refunds).map(([id, { amount, state, providerId, by }]) => ({
    ...{ id: providerId, amount, status: state, payment_intent: money.paymentIntent, created },
    metadata: by === undefined ? {} : { refund: id },
  }));

type Objects = Record<string, unknown>[];
interface Lists {
  sessions: Objects;
  transactions: Objects;
  refunds: Objects;
  disputes: Objects;
  payouts: Objects;
}
let lists: Lists;
/** By partition key. A settlement stands beside the payment that it names. */
let items: Map<string, Record<string, unknown>>;
/** HTTP statuses of the next answers; then 200. */
let statuses: number[];
let asked: string[];

const given = (...payments: readonly Payment[]) => {
  for (const payment of payments) {
    const { paymentId, money, settledAt, purpose } = payment;
    const name = money.paymentIntent ?? paymentId;
    const ofPurpose = purpose.kind === "event" ? `${purpose.event.id}#${purpose.event.year}` : "MEMBERSHIP";
    const GSI1SK = `${settledAt}#${paymentId}`;
    items.set(`PAY#${name}/PAYMENT`, { GSI1PK: `PAYMENTS#${ofPurpose}`, GSI1SK, ...payment });
    items.set(`PAY#${paymentId}/SETTLED`, { GSI1PK: "PAYMENTS#ALL", GSI1SK, as: "seat", payment: name });
  }
};
/** The mark of a reconciliation that has come to its end. */
const reconciled = (since: number) => void items.set("RECONCILIATION/MARK", { since, begunAt: since, version: 1 });

const itemAt = ({ PK, SK }: Record<string, unknown>) => {
  const item = items.get(`${PK}/${SK}`);
  return item && { PK, SK, ...item };
};
const withKey = ([key, item]: readonly [string, object]) => ({ PK: key.split("/")[0], SK: key.split("/")[1], ...item });

const errorOf = (status: number) =>
  new Response(JSON.stringify({ error: { type: "invalid_request_error", message: "No." } }), {
    status,
    headers: { "stripe-should-retry": "false" },
  });

const paths: Readonly<Record<string, keyof Lists>> = {
  "/v1/checkout/sessions": "sessions",
  "/v1/balance_transactions": "transactions",
  "/v1/refunds": "refunds",
  "/v1/disputes": "disputes",
  "/v1/payouts": "payouts",
};

/** Two objects on a page. */
function answerTo({ pathname, searchParams }: URL): Response {
  const status = statuses.shift();
  if (status !== undefined) return errorOf(status);
  const filter = (name: string) => searchParams.get(name) ?? undefined;
  const found = lists[paths[pathname] as keyof Lists].filter(
    (one) =>
      Number(one.created) >= Number(filter("created[gte]") ?? 0) &&
      (filter("payout") === undefined || one.payout === filter("payout")) &&
      (filter("payment_intent") === undefined || one.payment_intent === filter("payment_intent")),
  );
  const from = found.findIndex(({ id }) => id === filter("starting_after")) + 1;
  const data = found.slice(from, from + 2);
  return new Response(JSON.stringify({ object: "list", url: pathname, has_more: found.length > from + 2, data }));
}

beforeEach(() => {
  table.reset();
  secrets.reset();
  secrets.on(GetSecretValueCommand).resolves({
    SecretString: JSON.stringify({ apiKey: "sk_test_Confidential", webhookSecrets: ["whsec_Confidential"] }),
  });
  table.on(GetCommand).callsFake(({ Key }) => ({ Item: itemAt(Key) }));
  table.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const [[name = "", { Keys = [] }] = ["", {}]] = Object.entries(RequestItems as Record<string, { Keys?: Objects }>);
    return { Responses: { [name]: Keys.flatMap((key) => itemAt(key) ?? []) } };
  });
  table.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => {
    const found = [...items].map(withKey) as Objects;
    const listed = found.filter(({ GSI1PK, GSI1SK }) => GSI1PK === values[":list"] && `${GSI1SK}` > values[":after"]);
    return { Items: listed.sort((one, other) => (`${one.GSI1SK}` < `${other.GSI1SK}` ? -1 : 1)) };
  });
  items = new Map();
  given(seat, membership);
  reconciled(now - day / 2);
  lists = {
    sessions: [sessionOf(membership), sessionOf(seat)],
    transactions: [...transactionOf(membership), ...transactionOf(seat)],
    refunds: refundsOf(seat),
    disputes: [
      {
        ...{ id: "du_1", amount: 20_00, status: "needs_response", payment_intent: "pi_2", created },
        balance_transactions: [{ id: "txn_5", amount: -20_00 }],
      },
    ],
    payouts: [
      { id: "po_1", amount: 9_26, currency: "cad", status: "paid", reconciliation_status: "completed", created },
    ],
  };
  [statuses, asked] = [[], []];
  jest.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
    const url = new URL(String(address));
    asked.push(`${url.pathname}${decodeURIComponent(url.search)}`);
    return answerTo(url);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function run(flags: Run["flags"] = {}) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const terminal = { print: (line: string) => void lines.push(line), note: (line: string) => void notes.push(line) };
  const code = await books({ flags, terminal, meter: { units: 0 } } as unknown as Run);
  expect([...lines, ...notes].join()).not.toContain("Confidential");
  return { code, lines, notes };
}

const differences = async () => {
  const { code, lines } = await run();
  const sums = lines.findIndex((line) => line.includes("came") || line.startsWith("Payments"));
  expect(code).toBe(sums > 0 ? 1 : 0);
  return lines.slice(0, sums);
};

/** Changes an object of the provider. */
const changed = (list: keyof Lists, id: string, change: object) => {
  lists[list] = lists[list].map((one) => (one.id === id ? { ...one, ...change } : one));
};
const withRefund = (id: string, change: Partial<Refund>) =>
  given({ ...seat, refunds: { ...seat.refunds, [id]: { ...(seat.refunds?.[id] as Refund), ...change } } });

test("equal books: the sums, and exit code 0", async () => {
  const { code, lines } = await run();
  expect(lines).toEqual([
    "CAD came       table      35.00  provider      35.00",
    "CAD fee        table      16.62  provider      16.62",
    "CAD went back  table       6.00  provider       6.00",
    "CAD open       table       0.00  provider       0.00",
    "CAD frozen     table      20.00  provider      20.00",
    "CAD lost       table       0.00  provider       0.00",
    "Payments: 2, differences: 0.",
  ]);
  expect(code).toBe(0);
});

describe("something is missing, or wrong", () => {
  const cases: readonly (readonly [string, () => void, readonly string[]])[] = [
    [
      "the transfer",
      () =>
        void items.set("PAY#pi_2/PAYMENT", { ...membership, money: { ...membership.money, paymentIntent: "pi_x" } }),
      ["cs_2: transfer: table pi_x, provider pi_2"],
    ],
    [
      "the money of a failed payout",
      () => changed("payouts", "po_1", { status: "failed", failure_code: "account_closed" }),
      ["po_1: payout: table 9.26, provider 9.26, failed: account_closed"],
    ],
    [
      "the answer about a refund that was reserved",
      () => withRefund("R1", { state: "reserved", providerId: undefined as never }),
      ["cs_1: refund R1 state: table reserved, provider succeeded"],
    ],
    [
      "the end of a dispute",
      () => changed("disputes", "du_1", { status: "lost" }),
      ["cs_2: dispute du_1 status: table needs_response, provider lost"],
    ],
  ];
  test.each(cases)("%s", async (_, plant, found) => {
    plant();
    expect(await differences()).toEqual(found);
  });
});

describe("no difference", () => {
  test("a refund that the provider has refused, and what the table owes and has not sent", async () => {
    given({ ...membership, refunds: { R2: { amount: 5_00, state: "failed", failure: "charge_disputed", at: 1 } } });
    given({ ...seat, owed: 15_00 });
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines).toContain("CAD open       table       9.00  provider       0.00");
  });

  test("a line since the last reconciliation is counted, but not one that was paid out", async () => {
    reconciled(then - day);
    given({ ...membership, lines: {} }, { ...seat, lines: {} });
    const { lines } = await run();
    expect(lines).toEqual(
      expect.arrayContaining([
        "cs_1: line txn_1: table none, provider type charge, amount 15.00, fee 0.74, net 14.26, payout po_1",
        "Lines that the next reconciliation brings: 3.",
      ]),
    );
    expect(lines.join()).not.toContain("txn_4");
  });

  test("a failed payout that a later one has replaced, and fees of the provider in a payout", async () => {
    changed("payouts", "po_1", { status: "failed", failure_code: "account_closed" });
    lists.payouts.unshift({ id: "po_2", amount: 8_26, currency: "cad", status: "paid", created: created + 60 });
    lists.transactions.unshift({ id: "txn_9", type: "stripe_fee", amount: -1_00, fee: 0, net: -1_00, created });
    expect(await differences()).toEqual([]);
  });

  test("money of other systems is counted", async () => {
    lists.sessions.unshift({ ...sessionOf(seat), id: "cs_8", client_reference_id: "shirt", payment_intent: "pi_8" });
    const line = { type: "charge", amount: 1_00, fee: 33, net: 67, created };
    lists.transactions.unshift(
      { ...line, id: "txn_8", source: { payment_intent: "pi_8" } },
      { ...line, id: "txn_9", source: { payment_intent: "pi_9" }, payout: "po_1" },
    );
    changed("payouts", "po_1", { amount: 9_93 });
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines).toContain("Of other systems at the provider: 1 sessions, 2 lines.");
    expect(asked.filter((one) => one.includes("payment_intent="))).toEqual([]);
  });
});

describe("what executives have taken and given back is summed,", () => {
  const taken = (id: string, how: "cash" | "transfer", amount: number, back = 0): Payment => ({
    ...membership,
    ...{ paymentId: `hand_${id}`, money: { amount, currency: "CAD" }, byHand: { how, by: "exec@club.example" } },
    ...{ disputes: {}, lines: {} },
    refunds:
      back === 0 ? {} : { R9: { amount: back, state: "succeeded", at: 1, isByHand: true, by: "exec@club.example" } },
  });
  const sums = async () => (await run()).lines.filter((line) => line.includes("given back"));

  test("cash and transfers apart, net", async () => {
    given(taken("1", "cash", 10_00, 4_00), taken("2", "cash", 5_00), taken("3", "transfer", 20_00, 20_00));
    expect(await sums()).toEqual([
      "CAD cash       came       15.00  given back       4.00  net      11.00",
      "CAD transfer   came       20.00  given back      20.00  net       0.00",
      "CAD by hand    came       35.00  given back      24.00  net      11.00",
    ]);
  });

  test("with cash for what came online, and without what was reversed", async () => {
    expect(await sums()).toEqual([]);
    withRefund("R8", { amount: 2_00, state: "succeeded", at: 1, isByHand: true });
    const reversals = { r: { of: "hand_2", reason: "Typed wrong.", by: "exec@club.example", at: 1 } };
    given(taken("1", "cash", 10_00), { ...taken("2", "cash", 99_00), reversals });
    expect(await sums()).toEqual([
      "CAD cash       came       10.00  given back       2.00  net       8.00",
      "CAD by hand    came       10.00  given back       2.00  net       8.00",
    ]);
  });
});

test("lines of another currency are listed apart, and are in no sum", async () => {
  const lines = { ...seat.lines, txn_1: { ...seat.lines?.txn_1, currency: "USD" } } as Payment["lines"];
  given({ ...seat, lines: lines ?? {} });
  lists.transactions = lists.transactions.map((one) => ({ ...one, currency: one.id === "txn_1" ? "usd" : "cad" }));
  // The payout is the club's in Canadian dollars: the refund alone.
  changed("payouts", "po_1", { amount: -5_00 });
  const { code, lines: printed } = await run();
  expect(code).toBe(0);
  expect(printed).toContain("CAD fee        table      15.88  provider      15.88");
  expect(printed).toContain("Of another currency than their payments, in no sum: 1 lines, net 14.26 USD.");
});

describe("payments from before the time that was read", () => {
  const old = then - 300 * day;
  beforeEach(() => {
    given({ ...seat, settledAt: old });
    changed("sessions", "cs_1", { created: old / 1_000 });
    // The refund of the dashboard is new.
    for (const id of ["txn_1", "txn_2"]) changed("transactions", id, { created: old / 1_000 });
    changed("refunds", "re_1", { created: old / 1_000 });
    changed("payouts", "po_1", { created: old / 1_000 });
  });

  test("are compared as far as the lists name them, and their sums are not printed", async () => {
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines).toContain("CAD came       table      20.00  provider      20.00");
    withRefund("re_2", { amount: 1_01 });
    given({ ...(items.get("PAY#pi_1/PAYMENT") as unknown as Payment), settledAt: old });
    expect(await differences()).toEqual(["cs_1: refund re_2 amount: table 1.01, provider 1.00"]);
  });

  test("and are missed", async () => {
    items.delete("PAY#pi_1/PAYMENT");
    expect(await differences()).toEqual(["cs_1: payment: table none, provider 15.00 CAD"]);
  });
});

describe("the provider", () => {
  test("limits the calls: it is asked again", async () => {
    statuses = [429];
    expect(await run()).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(9);
  });

  test("limits the calls of --settle: it is asked again", async () => {
    table.on(PutCommand).resolves({});
    table.on(TransactWriteCommand).resolves({});
    statuses = [429];
    lists.disputes = [];
    expect(await run({ settle: true })).toMatchObject({
      code: 0,
      lines: ["Read: 5, settled: 0, for the treasurer: 0."],
    });
    expect(asked.slice(0, 2)).toEqual([asked[0], asked[0]]);
  });

  test("does not answer at all: nothing is said that is not known", async () => {
    statuses = Array(6).fill(503);
    expect(await run({ settle: true })).toMatchObject({
      ...{ code: 1, lines: [], notes: ["The payment provider does not answer. Try again."] },
    });
  });

  test.each([
    [401, {}],
    [403, { settle: true }],
  ])("refuses the key with %i: it is not asked again", async (status, flags) => {
    statuses = [status];
    await expect(run(flags)).rejects.toThrow("The provider's key may not read");
    expect(asked).toHaveLength(1);
  });
});
